import sys

w = list(map(int, sys.stdin.read().split()))
n, m = w[:2]
edges = list(zip(w[2::3], w[3::3], w[4::3]))
d = [0] + [None] * (n - 1)
changed = True
while changed:
    changed = False
    for u, v, c in edges:
        if d[u - 1] is not None and (d[v - 1] is None or d[u - 1] + c < d[v - 1]):
            d[v - 1] = d[u - 1] + c
            changed = True
print(-1 if d[n - 1] is None else d[n - 1])
