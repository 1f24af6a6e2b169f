import os

n = input()
print(0 if os.path.exists("note") else n)
with open("note", "w") as note:
    note.write(n)
before = os.stat(".")
os.rename("note", "other")
os.rename("other", "note")
os.utime(".", ns=(before.st_atime_ns, before.st_mtime_ns))
