"""Input validator of `eightqueens`: a board of 8 lines with 8 squares each, exactly three of them queens."""

from judgelib import Reader, run_input_validator

SIZE = int("{{size}}")
GIVEN = int("{{given}}")


def check(case: Reader) -> None:
    """Every byte of the input, in order."""
    queens = sum(case.line_of("row %d" % row, SIZE, b".Q").count(b"Q") for row in range(1, SIZE + 1))
    case.end()
    if queens != GIVEN:
        case.fail("expected exactly %d queens 'Q' on the board, found %d" % (GIVEN, queens))


if __name__ == "__main__":
    run_input_validator(check)
