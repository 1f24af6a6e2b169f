"""Adds every choice of five squares to the three queens and looks at the board only then: too slow in Python."""

import itertools
import sys

squares = "".join(sys.stdin.read().split())
given = [(square // 8, square % 8) for square in range(64) if squares[square] == "Q"]
others = [(square // 8, square % 8) for square in range(64) if squares[square] != "Q"]


def is_peaceful(queens):
    lines = (lambda r, c: r, lambda r, c: c, lambda r, c: r + c, lambda r, c: r - c)
    return all(len({line(row, column) for row, column in queens}) == 8 for line in lines)


def answer():
    for added in itertools.combinations(others, 5):
        if is_peaceful(given + list(added)):
            queens = set(given + list(added))
            return "\n".join("".join(".Q"[(row, column) in queens] for column in range(8)) for row in range(8))
    return "No Answer"


print(answer())
