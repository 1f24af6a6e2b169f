# @EXPECTED_SCORE@: 30
n = int(input())
print(n if n < 100 else 0)
