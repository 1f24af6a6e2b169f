import sys

w = list(map(int, sys.stdin.read().split()))
n = w[0]
g = [[] for _ in range(n + 1)]
for u, v in zip(w[1::2], w[2::2]):
    g[u].append(v)
    g[v].append(u)
depth, order = {1: 1}, [1]
for u in order:
    for v in g[u]:
        if v not in depth:
            depth[v] = depth[u] + 1
            order.append(v)
print(max(depth.values()))
