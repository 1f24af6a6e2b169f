"""Label-setting minimax, as Dijkstra's algorithm: cells are settled in order of their value.

A rock matters only on the one neighbour that is nearer to the exit, if there is only one. What it costs comes from a
flood over the bits of one integer, a bit for each cell.
"""

import sys
from heapq import heappop, heappush


def mazes_of(words):
    """The floor (a set of bits), the distance between rows, E and X of every maze; blank lines do not matter."""
    words = iter(words[1:])
    for rows, columns in zip(words, words):
        stride = int(columns) + 1
        cells = b"#" * stride + b"".join(b"#" + next(words) for _ in range(int(rows))) + b"#" * (stride + 1)
        floor = sum(1 << cell for cell, mark in enumerate(cells) if mark != ord("#"))
        yield floor, stride, cells.index(b"E"), cells.index(b"X")


def rings(floor, stride, target):
    """The floor at distance 0, 1, 2, … of the exit, as sets of bits."""
    front = 1 << target
    while front:
        yield front
        floor &= ~front
        front = (front << 1 | front >> 1 | front << stride | front >> stride) & floor


def bits_of(number):
    """The places of the ones."""
    while number:
        last = number & -number
        yield last.bit_length() - 1
        number ^= last


def around(floor, stride, target, rock, cell):
    """The distance of a cell when the rock lies; None if it is cut off."""
    return next((count for count, ring in enumerate(rings(floor & ~(1 << rock), stride, target)) if ring >> cell & 1), None)


def guaranteed_steps(floor, stride, entrance, target):
    """Settle cells from the exit on."""
    steps = (1, -1, stride, -stride)
    level = {cell: count for count, ring in enumerate(rings(floor, stride, target)) for cell in bits_of(ring)}
    settled = {}
    queue = [(0, target)]
    while queue:
        count, cell = heappop(queue)
        if cell in settled:
            continue
        if cell == entrance:
            return count
        settled[cell] = count
        for other in (cell + step for step in steps if cell + step in level):
            if other in settled:
                continue
            bound = count + 1
            nearer = [other + step for step in steps if level.get(other + step) == level[other] - 1]
            if nearer == [cell] and cell != target:
                detour = around(floor, stride, target, cell, other)
                if detour is None:
                    continue
                bound = max(bound, detour)
            heappush(queue, (bound, other))
    return -1


def main():
    """Read, solve, print."""
    words = sys.stdin.buffer.read().split()
    for maze in mazes_of(words):
        print(guaranteed_steps(*maze))


if __name__ == "__main__":
    main()
