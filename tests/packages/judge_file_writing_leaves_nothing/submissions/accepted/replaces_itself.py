import os

n, before, folder = input(), os.stat(__file__), os.stat(".")
with open(__file__, "rb") as own:
    text = own.read()
print(0 if b"been" + b"here" in text else n)
with open("copy", "wb") as copy:
    copy.write(text[:-9] + b"#been" + b"here")
os.rename("copy", __file__)
os.chmod(__file__, before.st_mode)
os.utime(__file__, ns=(before.st_atime_ns, before.st_mtime_ns))
os.utime(".", ns=(folder.st_atime_ns, folder.st_mtime_ns))
# filler..
