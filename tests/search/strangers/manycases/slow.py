import sys

words = iter(sys.stdin.read().split())
for _ in range(int(next(words))):
    n = int(next(words))
    a = [int(next(words)) for _ in range(n)]
    print(max(sum(a[i:j]) for i in range(n) for j in range(i + 1, n + 1)), len(set(a)))
