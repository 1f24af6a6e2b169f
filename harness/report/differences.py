"""Show where an output differs from the answer.

Rows for any view, a table for terminals, and a hint where they differ only a little.
"""

import re
from collections.abc import Sequence
from itertools import takewhile

from rich.console import Group
from rich.table import Table
from rich.text import Text

from harness.report.escape import printable
from harness.results.model import KeptLine, LinePair, OutputDifference
from harness.values import dataclass

_ROWS = 30  # cap, because a result file may claim more rows
_TABLE_ROWS = 12


@dataclass(frozen=True, kw_only=True)
class DifferenceRow:
    """A printable row of both texts. number: line and, in a long line, column; None: no such line."""

    number: str
    expected: str | None
    printed: str | None
    same: bool
    is_first: bool


def rows(difference: OutputDifference) -> list[DifferenceRow]:
    """Return the kept rows, for any view."""
    return [
        DifferenceRow(
            number=_number(pair),
            expected=_text(pair.expected),
            printed=_text(pair.printed),
            same=pair.same,
            is_first=pair.number == difference.first,
        )
        for pair in difference.rows[:_ROWS]
    ]


def totals(difference: OutputDifference) -> str:
    """Return the lengths of both texts if they are cut; else ""."""
    last = difference.rows[-1].number if difference.rows else 0
    shown_from = difference.rows[0].number if difference.rows else 1
    most = max(difference.expected_lines, difference.printed_lines)
    if shown_from == 1 and last >= most:
        return ""
    expected, printed = (
        f"{count:,} line{'' if count == 1 else 's'}"
        for count in (difference.expected_lines, difference.printed_lines)
    )
    return f"expected in all: {expected}; printed: {printed}"


def _number(pair: LinePair) -> str:
    start = max((line.start for line in (pair.expected, pair.printed) if line is not None), default=0)
    return f"{pair.number}:{start + 1}" if start else str(pair.number)


def _text(line: KeptLine | None) -> str | None:
    """Return a line, with an ellipsis where it is cut."""
    if line is None:
        return None
    return f"{'…' if line.start else ''}{printable(line.text)}{'…' if line.cut else ''}"


def difference_table(difference: OutputDifference) -> Group:
    """Return the rows around the first different row, which is marked."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for column in ("", "line", "expected", "yours"):
        table.add_column(column, overflow="fold", justify="right" if column == "line" else "left")
    for row in rows(difference)[:_TABLE_ROWS]:
        table.add_row(
            Text(">" if row.is_first else "", style="bold red"),
            Text(row.number, style="dim"),
            _side(row.expected, row.printed, style="green", marked=not row.same),
            _side(row.printed, row.expected, style="bold red", marked=not row.same),
        )
    lengths = totals(difference)
    return Group(table, Text(lengths, style="dim")) if lengths else Group(table)


def _side(line: str | None, other: str | None, *, style: str, marked: bool) -> Text:
    """Return a line, styled from the first token that the other side lacks."""
    if line is None:
        return Text("(no line)", style="dim")
    if not marked or line == other:  # equal as far as shown
        return Text(line)
    pairs = zip(line, other or "", strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    start = line.rfind(" ", 0, same) + 1
    return Text(line[:start]) + Text(line[start:], style=style)


_NUMBER = re.compile(r"[-+]?[0-9]{1,30}(?:\.[0-9]{0,30})?(?:[eE][-+]?[0-9]{1,3})?")
_POINT = re.compile(r"[.eE]")
_TOLERANCE = 1e-6


def hint(expected: str, printed: str, arguments: Sequence[str] = ()) -> str:
    """Return in what little an output differs from the answer, and which option may allow it; "": in more.

    arguments: how they were compared: of the default output validator.
    """
    wanted, given = expected.split(), printed.split()
    if len(wanted) != len(given) or wanted == given:
        return ""
    differing = [pair for pair in zip(wanted, given, strict=True) if pair[0] != pair[1]]
    are_numbers = all(_are_near(*pair) and _POINT.search("".join(pair)) for pair in differing)
    if are_numbers and not any("tolerance" in word for word in arguments):
        return "all numbers agree to 1e-6: --float-tolerance 1e-6 compares them as numbers"
    is_exact = "case_sensitive" in arguments and "space_change_sensitive" not in arguments
    right, mine = (text.encode(errors="replace").lower().split() for text in (expected, printed))
    if is_exact and right == mine:
        return "only upper and lower case differ: --ignore-case takes them as equal"
    same = sorted(wanted) == sorted(given)
    return "the same words in another order: if several answers are right, give --checker" if same else ""


def _are_near(expected: str, printed: str) -> bool:
    if not _NUMBER.fullmatch(expected) or not _NUMBER.fullmatch(printed):
        return False
    wanted, given = float(expected), float(printed)
    return abs(wanted - given) <= _TOLERANCE * max(1.0, abs(wanted)) < float("inf")
