import sys

from bounds import LARGEST

sys.exit(42 if 0 <= int(sys.stdin.readline()) <= LARGEST else 43)
