# @EXPECTED_SCORE@: 14
n = input()
print('wrong' if n in ['1'] else n)
