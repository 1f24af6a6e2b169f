m, n = map(int, input().split())
free = best = run = 0
for _ in range(n):
    for c in input():
        if c == ".":
            free += 1
            run += 1
            best = max(best, run)
        else:
            run = 0
print(free, best)
