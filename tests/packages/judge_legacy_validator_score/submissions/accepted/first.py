print('42\nscore.txt 21')
