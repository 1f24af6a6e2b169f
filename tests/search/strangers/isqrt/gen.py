import random
import sys

random.seed(int(sys.argv[1]))
print(random.randint(0, random.choice([100, 10**18])))
