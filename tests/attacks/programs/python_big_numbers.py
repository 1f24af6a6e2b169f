"""A number of a million digits, and standard output of bytes that are no text."""

from attack import escaped, target

import sys

sys.stdout.buffer.write(b"\xff\xfe\x00\x1b[2J" + b"9" * 1_000_000 + "٣１".encode() + b"\n")
