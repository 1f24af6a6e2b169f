import random
import sys

random.seed(int(sys.argv[1]))
q = random.randint(1, 10)
print(q)
for _ in range(q):
    kind = random.randint(1, 3)
    print(*([1, random.randint(1, 5)] if kind == 1 else [kind]))
