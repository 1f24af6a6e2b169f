import random
import sys

random.seed(int(sys.argv[1]))
n = random.randint(1, 6)
print(n)
for _ in range(n):
    print("".join(random.choice("abz") for _ in range(random.randint(1, 5))))
