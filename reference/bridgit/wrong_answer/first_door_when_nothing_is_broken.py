"""Right while every closed door tears its colour apart; else repeats the door that it fixed last."""


def find(above, x):
    while above[x] != x:
        above[x] = x = above[above[x]]
    return x


def parts(rooms, doors, usable):
    """Which part each room belongs to, when these doors may be used."""
    above = list(range(rooms))
    for name in usable:
        one, two = doors[name]
        above[find(above, one)] = find(above, two)
    return [find(above, room) for room in range(rooms)]


def make_doors(height, width):
    """{(kind, i, j): (room, room)}; the entrance is 0, the exit 1."""

    def room(i, j):
        if 1 <= j <= width:
            return 2 + (i - 1) * width + j - 1
        return 0 if j == 0 else 1

    doors = {("|", i, j): (room(i, j - 1), room(i, j)) for i in range(1, height + 1) for j in range(1, width + 2)}
    for i in range(1, height):
        for j in range(1, width + 1):
            doors["-", i, j] = (room(i, j), room(i + 1, j))
    return doors


def choose(rooms, doors, free, fixed):
    """A door of one colour that joins what the other colour leaves apart; any free one if there is none."""
    for colour in (0, 1):
        part = parts(rooms, doors, fixed + [name for name in free if (name[1] + name[2]) % 2 == colour])
        for name in free:
            one, two = doors[name]
            if part[one] != part[two]:
                return name
    return fixed[-1] if fixed else next(iter(free))


def play(height, width, first):
    doors = make_doors(height, width)
    free, fixed = dict.fromkeys(doors), []
    if not first:
        close(free)
    while True:
        name = choose(height * width + 2, doors, free, fixed)
        free.pop(name, None)
        fixed.append(name)
        print(*name, flush=True)
        if not close(free):
            return


def close(free):
    """Read the demon king's move; False when the game is over."""
    kind, i, j = input().split()
    if kind in "aw":
        return False
    del free[kind, int(i), int(j)]
    return True


def main():
    height, width, mover = input().split()
    height, width, first = int(height), int(width), mover == "First"
    if height < width + (1 if first else 2):
        print("No", flush=True)
        return
    print("Yes", flush=True)
    play(height, width, first)


main()
