import random
import sys

random.seed(int(sys.argv[1]))
n = random.choice([4, 9, 3000, 200000])
a = list(range(1, n + 1))
random.shuffle(a)
print(n)
print(*a)
