n = int(input())
while n >= 10:
    pass
print(0, n)
