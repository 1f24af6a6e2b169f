"""Twice the number of accepted parts, plus what the flag says."""
import sys
lines = [line.split() for line in sys.stdin]
good = sum(verdict == "AC" for verdict, score in lines)
print("AC" if good else "WA", 2 * good + int(sys.argv[1]))
