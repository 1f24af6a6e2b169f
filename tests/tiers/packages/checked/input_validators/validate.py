"""One integer, 0 to 1000."""

import re
import sys

text = sys.stdin.buffer.read()
valid = re.fullmatch(rb"(0|[1-9][0-9]{0,3})\n", text) is not None and int(text) <= 1000
sys.exit(42 if valid else 43)
