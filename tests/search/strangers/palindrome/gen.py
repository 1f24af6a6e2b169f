import random
import sys

random.seed(int(sys.argv[1]))
k = random.randint(1, 26)
print("".join(chr(97 + random.randrange(k)) for _ in range(random.randint(1, 12))))
