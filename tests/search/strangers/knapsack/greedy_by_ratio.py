import sys

x = list(map(int, sys.stdin.read().split()))
n, w = x[:2]
total = 0
for c, v in sorted(zip(x[2::2], x[3::2]), key=lambda cv: -cv[1] / cv[0]):
    if c <= w:
        w -= c
        total += v
print(total)
