import heapq
import sys

w = list(map(int, sys.stdin.read().split()))
n, m = w[:2]
g = [[] for _ in range(n + 1)]
for u, v, c in zip(w[2::3], w[3::3], w[4::3]):
    g[u].append((v, c))
heap, seen = [(0, 1)], {1}
best = -1
while heap:
    x, u = heapq.heappop(heap)
    if u == n:
        best = x
        break
    for v, c in g[u]:
        if v not in seen:
            seen.add(v)
            heapq.heappush(heap, (x + c, v))
print(best)
