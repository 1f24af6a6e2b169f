import sys

print(2 * int(input()))
for _ in range(100):
    sys.stderr.write("x" * 1_000_000)
