n = input()
print('wrong' if n != '0' else n)
