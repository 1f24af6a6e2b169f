"""Right, but far too slow: for every free door, both colours are looked at afresh."""


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
    good = [name for name in free if any(joins(name, colour, rooms, doors, free, fixed) for colour in (0, 1))]
    return good[0] if good else next(iter(free))


def joins(name, colour, rooms, doors, free, fixed):
    """Whether this door joins what the colour leaves apart."""
    part = parts(rooms, doors, fixed + [other for other in free if (other[1] + other[2]) % 2 == colour])
    one, two = doors[name]
    return part[one] != part[two]


def play(height, width, first):
    doors = make_doors(height, width)
    free, fixed = dict.fromkeys(doors), []
    if not first:
        close(free)
    while True:
        name = choose(height * width + 2, doors, free, fixed)
        del free[name]
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
