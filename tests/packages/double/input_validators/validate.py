"""Input validator of `double`: one integer, one newline."""

import re
import sys

text = sys.stdin.buffer.read()
valid = re.fullmatch(rb"(0|[1-9][0-9]{0,6})\n", text) is not None and int(text) <= int("{{max_n}}")
sys.exit(42 if valid else 43)
