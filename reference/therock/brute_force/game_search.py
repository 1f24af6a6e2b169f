"""Right by definition, for small mazes: the game over all (cell, rock) states.

In `won[rock]` is the set of cells from which the walker gets out in time; rock None: it is still in hand, and may be put
down on any cell but the walker's and the exit.
"""

import sys


def mazes_of(words):
    """The floor, E and X of every maze; blank lines do not matter."""
    words = iter(words[1:])
    for rows, _columns in zip(words, words):
        cells = {(row, column): mark for row in range(int(rows)) for column, mark in enumerate(next(words).decode())}
        floor = {cell for cell, mark in cells.items() if mark != "#"}
        yield floor, *(next(cell for cell, mark in cells.items() if mark == end) for end in "EX")


def reachers(floor, beside, goals, rock):
    """Cells from which one step leads into `goals`."""
    return {cell for cell in floor if cell != rock and any(other in goals and other != rock for other in beside[cell])}


def guaranteed_steps(floor, entrance, target):
    """One more step at a time, until E is among the won cells."""
    beside = {(row, column): floor & {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)}
              for row, column in floor}
    rocks = floor - {target}
    won = {rock: {target} for rock in [None, *rocks]}
    count = 0
    while entrance not in won[None]:
        more = {rock: won[rock] | reachers(floor, beside, won[rock], rock) for rock in won}
        more[None] = {cell for cell in more[None]
                      if cell == target or all(cell in more[rock] for rock in rocks if rock != cell)}
        if more == won:
            return -1
        won = more
        count += 1
    return count


def main():
    """Read, play, print."""
    for maze in mazes_of(sys.stdin.buffer.read().split()):
        print(guaranteed_steps(*maze))


if __name__ == "__main__":
    main()
