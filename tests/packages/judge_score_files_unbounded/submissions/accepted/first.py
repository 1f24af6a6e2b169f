print('42\nscore.txt 1e6')
