import random
import sys

random.seed(int(sys.argv[1]))
n = random.randint(1, 9)
print(n)
print(*[random.randint(0, 1000000) for _ in range(n)])
