import random
import sys

random.seed(int(sys.argv[1]))
t = random.randint(1, 5)
print(t)
for _ in range(t):
    n = random.randint(1, 8)
    print(n)
    print(*[random.randint(-10, 10) for _ in range(n)])
