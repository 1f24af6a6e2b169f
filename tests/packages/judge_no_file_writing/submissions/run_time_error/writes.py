open('note.txt', 'w')
print(input())
