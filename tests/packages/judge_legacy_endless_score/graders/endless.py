print('AC 1e999')
