import sys

a = [x for x in map(int, sys.stdin.read().split()[1:]) if x > 0]
print(sum(a) // len(a) if a else 0)
