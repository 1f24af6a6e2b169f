n = int(input())
print('no' if n == 8 else n + 1)
