"""Input validator of `sokoban`: `M N`, then M rows of N cells, exactly one of them the goal.

An argument lowers the bound on both sides for the test group.
"""

import sys

from judgelib import Reader, run_input_validator

MAX_SIDE = int("{{max_side}}")


def check(case: Reader) -> None:
    """Every byte of the input, in order."""
    bound = min([MAX_SIDE] + [int(argument) for argument in sys.argv[1:]])
    rows = case.integer("M", 1, bound)
    case.space()
    columns = case.integer("N", 1, bound)
    case.newline()
    goals = sum(count_goals(case, row, columns) for row in range(1, rows + 1))
    case.end()
    if goals != 1:
        case.fail("expected exactly one goal 'X' in the grid, found %d" % goals)


def count_goals(case: Reader, row: int, columns: int) -> int:
    """Read one row; how many goals it has."""
    return case.line_of("row %d" % row, columns, b".#X").count(b"X")


if __name__ == "__main__":
    run_input_validator(check)
