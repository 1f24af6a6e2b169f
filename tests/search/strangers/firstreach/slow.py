n, s = map(int, input().split())
a = list(map(int, input().split()))
total = 0
for k, x in enumerate(a, 1):
    total += x
    if total >= s:
        print(k)
        break
else:
    print(-1)
