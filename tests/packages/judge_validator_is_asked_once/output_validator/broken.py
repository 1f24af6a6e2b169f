raise RuntimeError('always')
