n = input()
print('wrong' if n in ['2'] else n)
