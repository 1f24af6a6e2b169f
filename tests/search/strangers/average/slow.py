n = int(input())
a = list(map(int, input().split()))
print("%.9f" % (sum(a) / n))
