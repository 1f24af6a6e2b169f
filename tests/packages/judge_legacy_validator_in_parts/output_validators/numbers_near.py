def near(one, other):
    return abs(one - other) < 1e-3
