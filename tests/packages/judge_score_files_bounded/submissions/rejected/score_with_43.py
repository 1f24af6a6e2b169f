import sys
if input() == '0':
    print(42)
    sys.exit()
print('43\nscore.txt 0')
