n = input()
print('wrong' if n in ['0'] else n)
