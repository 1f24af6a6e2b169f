# one
# two
# three
print(input())
