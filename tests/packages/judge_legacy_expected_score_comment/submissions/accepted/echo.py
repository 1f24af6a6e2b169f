# @EXPECTED_SCORE@: 20
print(input())
