n = int(input())
for name in 'ab':
    open(name, 'w').write('x' * n)
print(n)
