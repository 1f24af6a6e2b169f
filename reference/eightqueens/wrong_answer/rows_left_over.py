"""BUG: gives the rows that are left over the columns that are left over, and never asks whether it is five of each.

Two given queens in one row are too many rows for the columns, two in one column are found by their column. Where one queen
does both, she is forgotten.
"""

import itertools
import sys


def is_peaceful(columns):
    """Whether these queens, row by row, attack each other nowhere."""
    lines = (lambda row: columns[row], lambda row: columns[row] - row, lambda row: columns[row] + row)
    return all(len({line(row) for row in range(8)}) == 8 for line in lines)


def answer(text):
    """What to print for this input."""
    given = {row: line.rindex("Q") for row, line in enumerate(text.split()) if "Q" in line}
    taken = {column for line in text.split() for column in range(8) if line[column] == "Q"}
    rows = [row for row in range(8) if row not in given]
    for left_over in itertools.permutations(sorted(set(range(8)) - taken), len(rows)):
        columns = given | dict(zip(rows, left_over))
        if is_peaceful(columns):
            return "\n".join("." * columns[row] + "Q" + "." * (7 - columns[row]) for row in range(8))
    return "No Answer"


if __name__ == "__main__":
    print(answer(sys.stdin.read()))
