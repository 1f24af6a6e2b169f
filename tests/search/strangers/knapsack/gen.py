import random
import sys

random.seed(int(sys.argv[1]))
n = random.randint(1, 5)
print(n, random.randint(0, 20))
for _ in range(n):
    print(random.randint(1, 10), random.randint(0, 20))
