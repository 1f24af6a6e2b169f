print(float(input()) + 0.0004)
