import random
import sys

random.seed(int(sys.argv[1]))
n = random.choice([random.randint(1, 10), 1000, 100000])
q = random.randint(1, 5)
print(n, q)
print(*[random.randint(0, 60000) for _ in range(n)])
for _ in range(q):
    l = random.randint(1, n)
    print(l, random.randint(l, n))
