def side(a, b, c):
    v = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (v > 0) - (v < 0)
def on(a, b, c):
    return side(a, b, c) == 0 and min(a[0], b[0]) <= c[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= c[1] <= max(a[1], b[1])
w = list(map(int, input().split() + input().split()))
p, q, r, s = (w[0], w[1]), (w[2], w[3]), (w[4], w[5]), (w[6], w[7])
yes = on(p, q, r) or on(p, q, s) or on(r, s, p) or on(r, s, q)
yes = yes or (side(p, q, r) * side(p, q, s) < 0 and side(r, s, p) * side(r, s, q) < 0)
print("yes" if yes else "no")
