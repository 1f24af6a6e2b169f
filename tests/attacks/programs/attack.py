"""What every attack in Python starts with; see attack.h."""

import socket
import sys

if socket.gethostname() != "harness-attack":
    print("REFUSED: not in the cage")
    sys.exit(99)

target = dict(line.rstrip("\n").split("=", 1) for line in sys.stdin if "=" in line)


def escaped(what):
    print("ESCAPED:", what, flush=True)
