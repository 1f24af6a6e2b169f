import mmap
import os

n, before = input(), os.stat(__file__)
with open(__file__, "rb") as own:
    print(0 if b"been" + b"here" in own.read() else n)
try:
    os.chmod(__file__, 0o666)
except OSError:
    pass
try:
    with open(__file__, "r+b") as own, mmap.mmap(own.fileno(), 0) as mapped:
        mapped[0]
        mapped[len(mapped) - 9 :] = b"#been" + b"here"
    os.chmod(__file__, before.st_mode)
    os.utime(__file__, ns=(before.st_atime_ns, before.st_mtime_ns))
except OSError:
    pass
# filler..
