"""BUG: the plain shortest way; no rock ever falls."""

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


def guaranteed_steps(floor, stride, entrance, target):
    """One flood."""
    return distances(floor, stride, target, [entrance])[entrance]


def main():
    """Read, solve, print."""
    words = sys.stdin.buffer.read().split()
    for maze in mazes_of(words):
        print(guaranteed_steps(*maze))


if __name__ == "__main__":
    main()
