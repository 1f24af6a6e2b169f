import random
import sys

random.seed(int(sys.argv[1]))
n, q = random.choice([(4, 3), (10, 12), (100000, 100000)])
print(n, q)
for _ in range(q):
    print(random.randint(1, n), random.randint(1, n))
