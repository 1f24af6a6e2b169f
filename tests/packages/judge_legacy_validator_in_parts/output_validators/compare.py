import sys

from numbers_near import near

with open(sys.argv[2]) as answer:
    sys.exit(42 if near(float(answer.read()), float(sys.stdin.read())) else 43)
