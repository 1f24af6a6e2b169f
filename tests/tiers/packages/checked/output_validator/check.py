"""Accepts any a, b >= 0 with a + b = n. Starts a process and ends it."""

import signal
import subprocess
import sys
from pathlib import Path

with Path(sys.argv[1]).open() as file:
    n = int(file.read())
helper = subprocess.Popen(["/bin/sleep", "1000"])
helper.terminate()
if helper.wait() != -signal.SIGTERM:
    sys.exit(1)
words = sys.stdin.read(1000).split()
right = len(words) == 2 and all(word.isdigit() and len(word) < 9 for word in words)
sys.exit(42 if right and sum(map(int, words)) == n else 43)
