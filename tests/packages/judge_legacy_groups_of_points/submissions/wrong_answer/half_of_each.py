n = int(input())
print(n if n != 3 and n != 2000 else 0)
