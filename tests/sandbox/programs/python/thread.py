import threading

found = []
thread = threading.Thread(target=lambda: found.append(42))
thread.start()
thread.join()
print(found[0])
