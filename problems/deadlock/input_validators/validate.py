"""Input validator of `deadlock`: T positions, each `R C` and R rows of C cells in the usual Sokoban signs.

The outer rows and columns are wall; one keeper; as many goals as boxes. Whether a position is dead is not checked here.
"""

from judgelib import Reader, run_input_validator

MAX_POSITIONS = int("{{max_positions}}")
MIN_SIDE = int("{{min_side}}")
MAX_SIDE = int("{{max_side}}")
MAX_BOXES = int("{{max_boxes}}")
MAX_FLOOR = int("{{max_floor}}")


def check(case: Reader) -> None:
    """Every byte of the input, in order."""
    positions = case.integer("T", 1, MAX_POSITIONS)
    case.newline()
    for _ in range(positions):
        check_position(case)
    case.end()


def check_position(case: Reader) -> None:
    """One board."""
    rows = case.integer("R", MIN_SIDE, MAX_SIDE)
    case.space()
    columns = case.integer("C", MIN_SIDE, MAX_SIDE)
    case.newline()
    cells = b"".join(read_row(case, row, rows, columns) for row in range(1, rows + 1))
    keepers, goals, boxes = (
        sum(map(cells.count, signs)) for signs in ((b"@", b"+"), (b".", b"*", b"+"), (b"$", b"*"))
    )
    if keepers != 1:
        case.fail("expected exactly one keeper on the board above, found %d" % keepers)
    if not 1 <= boxes <= MAX_BOXES:
        case.fail("expected 1 to %d boxes on the board above, found %d" % (MAX_BOXES, boxes))
    if goals != boxes:
        case.fail("expected as many goals as boxes on the board above, found %d and %d" % (goals, boxes))
    floor = len(cells) - cells.count(b"#")
    if floor > MAX_FLOOR:
        case.fail("expected at most %d cells that are not wall, found %d" % (MAX_FLOOR, floor))


def read_row(case: Reader, row: int, rows: int, columns: int) -> bytes:
    """One row; the first and the last are all wall, the others begin and end with wall."""
    cells = case.line_of("row %d" % row, columns, b"#" if row in (1, rows) else b"#-.$*@+")
    if cells[:1] + cells[-1:] != b"##":
        case.fail("expected wall at both ends of row %d, found another cell" % row, back=1)
    return cells


if __name__ == "__main__":
    run_input_validator(check)
