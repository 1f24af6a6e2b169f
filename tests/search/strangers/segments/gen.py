import random
import sys

random.seed(int(sys.argv[1]))
big = random.choice([3, 100])
for _ in range(2):
    print(*[random.randint(-big, big) for _ in range(4)])
