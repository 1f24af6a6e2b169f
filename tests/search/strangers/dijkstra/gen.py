import random
import sys

random.seed(int(sys.argv[1]))
n = random.randint(2, 6)
m = random.randint(0, n * (n - 1) // 2)
big = random.choice([5, 10**9])
pairs = random.sample([(u, v) for u in range(1, n + 1) for v in range(1, n + 1) if u != v], m)
print(n, m)
for u, v in pairs:
    print(u, v, random.randint(0, big))
