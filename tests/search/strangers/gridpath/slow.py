m, n = map(int, input().split())
rows = [input() for _ in range(n)]
print(sum(row.count(".") for row in rows), max(len(part) for row in rows for part in row.split("#")))
