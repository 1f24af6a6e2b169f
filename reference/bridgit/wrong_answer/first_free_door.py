"""Knows who wins, but fixes the first free door of the list."""

height, width, mover = input().split()
height, width, first = int(height), int(width), mover == "First"
if height < width + (1 if first else 2):
    print("No", flush=True)
else:
    print("Yes", flush=True)
    free = [("|", i, j) for i in range(1, height + 1) for j in range(1, width + 2)]
    free += [("-", i, j) for i in range(1, height) for j in range(1, width + 1)]
    if first:
        print(*free.pop(0), flush=True)
    while True:
        kind, i, j = input().split()
        if kind in "aw":
            break
        free.remove((kind, int(i), int(j)))
        print(*free.pop(0), flush=True)
