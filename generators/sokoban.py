"""Writes one input of `sokoban`: sokoban.py FAMILY ROWS COLS [goal=PLACE] [OPTION=NUMBER ...] [SEED].

FAMILY and its options: grids.py. PLACE: corner, edge, centre, end (the last floor cell), floor (a random floor cell),
or the number of a cell, row by row from 0; a wall there gives way to the next floor cell.
"""

import random
import sys

import grids


def built(arguments):
    """The bytes of the input that these arguments ask for."""
    family, rows, cols, *rest = arguments
    rows, cols = int(rows), int(cols)
    options = dict(word.split("=", 1) for word in rest if "=" in word)
    seeds = [int(word) for word in rest if "=" not in word]
    place = options.pop("goal", "corner")
    numbers = {name: int(value) for name, value in options.items()}
    rng = random.Random(seeds[0] if seeds else 0)
    grid = grids.FAMILIES[family](rows, cols, rng, **numbers)
    grid[goal_cell(grid, rows, cols, place, rng)] = ord("X")
    return printed(grid, rows, cols)


def goal_cell(grid, rows, cols, place, rng):
    """The index of the cell that becomes the goal."""
    wanted = {"corner": 0, "edge": cols // 2, "centre": rows // 2 * cols + cols // 2}
    if place == "end":
        return max(grid.rfind(grids.FLOOR), 0)
    if place == "floor":
        return next_floor(grid, grids.below(rng, rows * cols))
    return next_floor(grid, wanted[place] if place in wanted else int(place))


def next_floor(grid, start):
    """The first floor cell from `start` on, else the first of all; `start` itself in a grid of walls."""
    found = grid.find(grids.FLOOR, start)
    if found < 0:
        found = grid.find(grids.FLOOR)
    return start if found < 0 else found


def printed(grid, rows, cols):
    """The bytes of the input: `M N`, then the rows."""
    lines = [bytes(grid[start : start + cols]) for start in range(0, rows * cols, cols)]
    return b"%d %d\n" % (rows, cols) + b"\n".join(lines) + b"\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(built(sys.argv[1:]))
