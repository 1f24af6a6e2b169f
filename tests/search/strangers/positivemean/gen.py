import random
import sys

random.seed(int(sys.argv[1]))
n = random.randint(0, 6)
print(n)
print(*[random.randint(-50, 50) for _ in range(n)])
