a, b, m = map(int, input().split())
print((a - b) % m, a * b % m)
