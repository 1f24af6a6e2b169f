"""BUG: prints the mirror image of the completion."""

import sys


def complete(choices, columns=()):
    """The columns of the queens in all rows, when those of the first rows are `columns`; None if there are none."""
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
    """The columns that a row may have its one queen in."""
    given = [column for column in range(8) if row[column] == "Q"]
    if len(given) > 1:
        return []
    return given or range(8)


def answer(text):
    """What to print for this input."""
    found = complete([choices_of(row) for row in text.split()])
    if found is None:
        return "No Answer"
    return "\n".join("." * (7 - column) + "Q" + "." * column for column in found)


if __name__ == "__main__":
    print(answer(sys.stdin.read()))
