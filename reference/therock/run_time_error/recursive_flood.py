"""BUG: a recursive search, too deep for Python in a large maze."""

import sys

NEVER = 1 << 30


def mazes_of(words):
    """The floor (a set of bits), the distance between rows, E and X of every maze; blank lines do not matter."""
    words = iter(words[1:])
    for rows, columns in zip(words, words):
        stride = int(columns) + 1
        cells = b"#" * stride + b"".join(b"#" + next(words) for _ in range(int(rows))) + b"#" * (stride + 1)
        floor = sum(1 << cell for cell, mark in enumerate(cells) if mark != ord("#"))
        yield floor, stride, cells.index(b"E"), cells.index(b"X")


def distances(floor, stride, target, wanted):
    """By cell, for the wanted ones: the distance to the exit, NEVER if there is no way."""
    found = {cell: NEVER for cell in wanted}
    mask = sum(1 << cell for cell in wanted)
    front, fresh, count = 1 << target, floor, 0
    while front and mask:
        if front & mask:
            found.update((cell, count) for cell in wanted if front >> cell & 1)
            mask &= ~front
        fresh &= ~front
        front = (front << 1 | front >> 1 | front << stride | front >> stride) & fresh
        count += 1
    return found


def flood(floor, steps, cell, seen):
    """Note the cells that can be reached."""
    seen.add(cell)
    for step in steps:
        if floor >> cell + step & 1 and cell + step not in seen:
            flood(floor, steps, cell + step, seen)


def guaranteed_steps(floor, stride, entrance, target):
    """Sweep in order of distance, which needs few sweeps."""
    cells = set()
    flood(floor, (1, -1, stride, -stride), target, cells)
    beside = {cell: [cell + step for step in (1, -1, stride, -stride) if floor >> cell + step & 1] for cell in cells}
    worst = dict.fromkeys(cells, 0)
    for rock in cells:
        if rock != target:
            for cell, count in distances(floor & ~(1 << rock), stride, target, beside[rock]).items():
                worst[cell] = max(worst[cell], count)
    value = dict.fromkeys(cells, NEVER)
    value[target] = 0
    level = distances(floor, stride, target, cells)
    order = sorted((cell for cell in cells if beside[cell] and cell != target), key=level.get)
    changed = True
    while changed:
        changed = False
        for cell in order:
            onward = max(worst[cell], 1 + min(value[other] for other in beside[cell]))
            if onward < value[cell]:
                value[cell] = onward
                changed = True
    return value[entrance] if value[entrance] < NEVER else -1


def main():
    """Read, solve, print."""
    words = sys.stdin.buffer.read().split()
    for maze in mazes_of(words):
        print(guaranteed_steps(*maze))


if __name__ == "__main__":
    main()
