print(float(input()) + 0.4)
