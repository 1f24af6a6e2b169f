"""Finds the completions from the last column to the first: where there are several, another than most programs."""

import sys


def complete(choices, columns=()):
    """The columns of the queens from the last row upwards."""
    depth = len(columns)
    if depth == 8:
        return columns
    for column in choices[depth]:
        if all(column != other and abs(column - other) != depth - below for below, other in enumerate(columns)):
            found = complete(choices, columns + (column,))
            if found:
                return found
    return None


def choices_of(row):
    """The columns that a row may have its one queen in, from the right."""
    given = [column for column in range(8) if row[column] == "Q"]
    if len(given) > 1:
        return []
    return given or range(7, -1, -1)


def answer(text):
    """What to print for this input."""
    found = complete([choices_of(row) for row in reversed(text.split())])
    if found is None:
        return "No Answer"
    return "\n".join("." * column + "Q" + "." * (7 - column) for column in reversed(found))


if __name__ == "__main__":
    print(answer(sys.stdin.read()))
