"""BUG: takes it for granted that there is a completion."""

import sys


def complete(choices, columns=()):
    row = len(columns)
    if row == 8:
        return columns
    for column in choices[row]:
        if all(column != other and abs(column - other) != row - above for above, other in enumerate(columns)):
            found = complete(choices, columns + (column,))
            if found:
                return found
    return None


def choices_of(row):
    given = [column for column in range(8) if row[column] == "Q"]
    if len(given) > 1:
        return []
    return given or range(8)


for column in complete([choices_of(row) for row in sys.stdin.read().split()]):
    print("." * column + "Q" + "." * (7 - column))
