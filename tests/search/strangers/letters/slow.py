n = int(input())
print(len({"".join(sorted(input().strip())) for _ in range(n)}))
