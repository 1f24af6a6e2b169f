import random
import sys

random.seed(int(sys.argv[1]))
big = random.choice([10, 10**9, 10**18])
print(random.randint(0, big), random.randint(0, big), random.randint(1, min(big, 10**9)))
