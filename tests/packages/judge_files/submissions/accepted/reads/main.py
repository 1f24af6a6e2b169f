import sys
given = sys.stdin.read().strip()
print(given or open('word.txt').read())
