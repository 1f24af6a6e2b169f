import random
import sys

random.seed(int(sys.argv[1]))
n = random.randint(1, 10)
print(n, random.randint(1, 60))
print(*[random.randint(1, 10) for _ in range(n)])
