import random
import sys

random.seed(int(sys.argv[1]))
print(random.randint(0, 60), random.randint(0, 10**18))
