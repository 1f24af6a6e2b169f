n = input()
print(n, 0.5 if n == '2' else 1)
