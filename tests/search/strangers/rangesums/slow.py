import sys

words = list(map(int, sys.stdin.read().split()))
n, q = words[:2]
a = words[2:2 + n]
for at in range(2 + n, 2 + n + 2 * q, 2):
    print(sum(a[words[at] - 1:words[at + 1]]))
