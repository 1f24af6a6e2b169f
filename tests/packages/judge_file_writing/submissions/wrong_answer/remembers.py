import os
n = input()
print(0 if os.path.exists('note') or n == '900000' else n)
open('note', 'w')
