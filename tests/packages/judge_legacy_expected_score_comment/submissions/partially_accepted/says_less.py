# @EXPECTED_SCORE@: 13.5
n = input()
print('wrong' if n in ['1'] else n)
