import sys

print(2 * int(input()))
for _ in range(10_000):
    sys.stderr.write("x" * 1_000_000)
