import random
import sys

random.seed(int(sys.argv[1]))
n = random.randint(1, 10)
print(n)
print(*[random.randint(1, 20) for _ in range(n)])
