n = int(input())
print(0, n if n < 10 else n + 1)
