n = input()
print('wrong' if n == '1' else n if n == '0' else [][0])
