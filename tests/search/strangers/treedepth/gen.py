import random
import sys

random.seed(int(sys.argv[1]))
n = random.choice([1, 4, 8, 2000])
print(n)
for v in range(2, n + 1):
    print(random.randint(1, v - 1), v)
