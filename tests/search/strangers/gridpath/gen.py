import random
import sys

random.seed(int(sys.argv[1]))
m, n = random.randint(1, 6), random.randint(1, 6)
print(m, n)
for _ in range(n):
    print("".join(random.choice("..#") for _ in range(m)))
