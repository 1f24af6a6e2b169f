n = int(input())
a = list(map(int, input().split()))
tree, total = [0] * (n + 1), 0
for seen, x in enumerate(a):
    at, smaller = x, 0
    while at:
        smaller += tree[at]
        at &= at - 1
    total += seen - smaller
    while x <= n:
        tree[x] += 1
        x += x & -x
print(total)
