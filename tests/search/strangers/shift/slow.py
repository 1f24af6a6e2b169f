k, x = map(int, input().split())
print(x // 2**k, "yes" if x >> k & 1 else "no")
