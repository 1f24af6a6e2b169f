import os
import signal

n = int(input())
if n >= 10:
    os.kill(os.getpid(), signal.SIGTERM)
print(0, n)
