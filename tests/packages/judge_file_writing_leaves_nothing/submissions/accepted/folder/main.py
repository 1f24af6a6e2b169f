import os

from part import NAME

n, before = input(), os.stat("part.py")
print(n if NAME == "as it was handed in" else 0)
text = open("part.py").read()
for path in ("part.py", "__pycache__/part.cpython-311.pyc"):
    try:
        os.unlink(path)
    except OSError:
        pass
with open("part.py", "w") as part:
    part.write(text.replace("as it was handed in", "as an earlier run w"))
os.utime("part.py", ns=(before.st_atime_ns, before.st_mtime_ns))
