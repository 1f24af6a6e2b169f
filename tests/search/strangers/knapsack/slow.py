import sys

x = list(map(int, sys.stdin.read().split()))
n, w = x[:2]
best = [0] * (w + 1)
for c, v in zip(x[2::2], x[3::2]):
    for at in range(w, c - 1, -1):
        best[at] = max(best[at], best[at - c] + v)
print(best[w])
