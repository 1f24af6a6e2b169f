print(42 if input() == '0' else 43)
