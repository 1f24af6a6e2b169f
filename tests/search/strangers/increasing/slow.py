n = int(input())
a = list(map(int, input().split()))
best = []
for i in range(n):
    best.append(1 + max((best[j] for j in range(i) if a[j] < a[i]), default=0))
print(max(best))
