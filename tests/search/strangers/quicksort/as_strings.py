n = int(input())
a = input().split()
a.sort()
print(*a)
