import sys

lines = sys.stdin.read().splitlines()[1:]
bag = []
for line in lines:
    kind, *rest = line.split()
    if kind == "1":
        bag.append(int(rest[0]))
    elif kind == "2":
        if bag:
            bag.remove(min(bag))
    else:
        print(min(bag) if bag else "empty")
