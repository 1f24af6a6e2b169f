"""Starts a shell that reads the answer, in each way that Python has."""

from attack import escaped, target

import os
import subprocess

command = ["/bin/sh", "-c", f"cat '{target['answer']}'; env; id"]
for way in (lambda: subprocess.run(command, timeout=2), lambda: os.system(command[2]), lambda: os.execv(command[0], command)):
    try:
        way()
    except (OSError, subprocess.SubprocessError) as error:
        print(error)
