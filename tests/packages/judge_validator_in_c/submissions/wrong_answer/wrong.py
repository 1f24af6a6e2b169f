print('wrong')
