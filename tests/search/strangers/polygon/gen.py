import random
import sys

random.seed(int(sys.argv[1]))
n = random.randint(3, 6)
big = random.choice([10, 1000, 10**9])
print(n)
for _ in range(n):
    print(random.randint(-big, big), random.randint(-big, big))
