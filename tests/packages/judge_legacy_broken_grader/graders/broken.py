print('AC much')
