import sys
print(*(sys.argv[1:] or [input()]))
