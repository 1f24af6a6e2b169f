open('note.txt', 'w').write('x' * int(input()))
print(len(open('note.txt').read()))
