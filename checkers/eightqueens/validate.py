"""Output validator of `eightqueens`: any completed board that keeps the three queens, or `No Answer`.

Case matters; white space between the rows, or between `No` and `Answer`, may be of any kind and length.
"""

from judgelib import JudgeAnswer, JudgeError, TeamOutput, quoted, run_output_validator

SIZE = int("{{size}}")


def check(case: JudgeAnswer, answer: JudgeAnswer, output: TeamOutput) -> None:
    """The jury's answer tells only whether there is a completion; it must itself be right."""
    given = queens_of([case.word("row %d of the input" % row, SIZE, SIZE, b".Q") for row in range(1, SIZE + 1)])
    possible = read_reply(answer, given)
    if not read_reply(output, given):
        if possible:
            output.fail("`No Answer`, but the jury has a completion")
    elif not possible:
        raise JudgeError("the team has a completion where the jury has none")


def read_reply(reply, given) -> bool:
    """Read `No Answer` (False) or a right completion (True); anything else is the fault of the stream."""
    first = reply.token("row 1 or `No Answer`")
    if first == b"No":
        reply.choice("the second word of `No Answer`", (b"Answer",))
        reply.end()
        return False
    rows = [first] + [reply.token("row %d" % row) for row in range(2, SIZE + 1)]
    reply.end()
    for number, row in enumerate(rows, 1):
        if len(row) != SIZE or row.translate(None, b".Q"):
            reply.fail("row %d: expected %d characters of '.Q', found %s" % (number, SIZE, quoted(row)))
    check_completion(reply, queens_of(rows), given)
    return True


def queens_of(rows):
    """The squares of the queens as (row, column), from 0."""
    return [
        (number, column) for number, row in enumerate(rows) for column in range(SIZE) if row[column] == ord("Q")
    ]


def check_completion(reply, queens, given) -> None:
    """All the queens, none attacked, the given ones among them."""
    if len(queens) != SIZE:
        reply.fail("expected %d queens, found %d" % (SIZE, len(queens)))
    for lost in sorted(set(given) - set(queens)):
        reply.fail("the queen in row %d, column %d is gone" % (lost[0] + 1, lost[1] + 1))
    for name, line_of in LINES:
        if len({line_of(row, column) for row, column in queens}) != SIZE:
            reply.fail("two queens share a %s" % name)


LINES = (
    ("row", lambda row, column: row),
    ("column", lambda row, column: column),
    ("falling diagonal", lambda row, column: column - row),
    ("rising diagonal", lambda row, column: column + row),
)


if __name__ == "__main__":
    run_output_validator(check)
