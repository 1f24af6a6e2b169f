n = int(input())
half = n // 2
if n < 0:
    half = 0
print(half, n - half)
