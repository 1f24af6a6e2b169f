"""Answers every door with its image in the middle row; where that is gone, with the first free door."""

height, width, mover = input().split()
height, width, first = int(height), int(width), mover == "First"
if height < width + (1 if first else 2):
    print("No", flush=True)
else:
    print("Yes", flush=True)
    free = [("|", i, j) for i in range(1, height + 1) for j in range(1, width + 2)]
    free += [("-", i, j) for i in range(1, height) for j in range(1, width + 1)]
    name = ("|", (height + 1) // 2, (width + 2) // 2) if first else None
    while True:
        if name:
            free.remove(name)
            print(*name, flush=True)
        kind, i, j = input().split()
        if kind in "aw":
            break
        name = (kind, int(i), int(j))
        free.remove(name)
        image = (kind, height + (1 if kind == "|" else 0) - int(i), int(j))
        name = image if image in free else free[0]
