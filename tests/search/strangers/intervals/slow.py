import sys

w = list(map(int, sys.stdin.read().split()))[1:]
s = list(zip(w[::2], w[1::2]))
print(max(sum(l <= x <= r for l, r in s) for x, _ in s))
