n = int(input())
print('rebel' if n == 8 else n + 1)
