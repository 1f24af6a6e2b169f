import random
import sys

random.seed(int(sys.argv[1]))
n = random.choice([1, 2, 5, 10, 200000])
a = [random.randint(-10**9, 10**9) for _ in range(n)]
if random.random() < 0.2: a.sort()
print(n)
print(*a)
