import sys

w = list(map(int, sys.stdin.read().split()))
p = list(zip(w[1::2], w[2::2]))
print(abs(sum(a * d - b * c for (a, b), (c, d) in zip(p, p[1:] + p[:1]))))
