import sys

w = list(map(int, sys.stdin.read().split()))
n, q = w[:2]
up = list(range(n + 1))
def top(x):
    while up[x] != x:
        up[x] = up[up[x]]
        x = up[x]
    return x
parts = n
for a, b in zip(w[2::2], w[3::2]):
    a, b = top(a), top(b)
    parts -= a != b
    up[a] = b
print(parts)
