import random
import sys

random.seed(int(sys.argv[1]))
n = random.randint(1, 7)
big = random.choice([20, 10**9])
print(n)
for _ in range(n):
    l = random.randint(0, big)
    print(l, random.randint(l, big))
