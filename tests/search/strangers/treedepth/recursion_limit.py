import sys

sys.setrecursionlimit(5000)
def main():
    w = list(map(int, sys.stdin.read().split()))
    n = w[0]
    g = [[] for _ in range(n + 1)]
    for u, v in zip(w[1::2], w[2::2]):
        g[u].append(v)
        g[v].append(u)
    def deep(u, p):
        return 1 + max([deep(v, u) for v in g[u] if v != p], default=0)
    print(deep(1, 0))
main()
