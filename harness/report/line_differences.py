"""What a submission printed beside what was expected, row by row; and grids in inputs, cell by cell."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.report.escape import printable
from harness.results.model import KeptLine, LinePair, OutputDifference

_ROWS = 30  # of a result file that says to hold more
_GRID_SIDE = 40
_LEAST_SIDE = 3


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of the two texts side by side, printable. number: line and, in a long line, column; None: no such line."""

    number: str
    expected: str | None
    printed: str | None
    same: bool
    is_first: bool


def rows(difference: OutputDifference) -> list[Row]:
    """The rows that were kept, for any view."""
    return [
        Row(
            number=_number(pair),
            expected=_text(pair.expected),
            printed=_text(pair.printed),
            same=pair.same,
            is_first=pair.number == difference.first,
        )
        for pair in difference.rows[:_ROWS]
    ]


def totals(difference: OutputDifference) -> str:
    """How long both texts are, where not all of them is shown; else ""."""
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
    """A line, with an ellipsis where some of it is left out."""
    if line is None:
        return None
    return f"{'…' if line.start else ''}{printable(line.text)}{'…' if line.cut else ''}"


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One cell of a grid. kind: 0 for a wall (#), 1 for free (. or -), then one for each other sign."""

    x: int
    y: int
    sign: str
    kind: int


@dataclass(frozen=True, kw_only=True)
class Grid:
    """A rectangle of signs."""

    width: int
    height: int
    cells: tuple[Cell, ...]


def grids(text: str, most: int = 4) -> list[Grid]:
    """The first grids in a text: blocks of lines of one length, of few different signs, among them walls or dots."""
    found = [_grid(block) for block in _blocks(text.splitlines()) if _is_grid(block)]
    return found[:most]


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    block: list[str] = []
    for line in lines:
        if block and len(line) != len(block[0]):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _is_grid(block: Sequence[str]) -> bool:
    height, width = len(block), len(block[0])
    signs = set("".join(block))
    fits = _LEAST_SIDE <= height <= _GRID_SIDE and _LEAST_SIDE <= width <= _GRID_SIDE
    return fits and not signs & set(" \t") and len(signs) <= 10 and bool(signs & set(".#-*"))


def _grid(block: Sequence[str]) -> Grid:
    others = {sign: kind for kind, sign in enumerate(sorted(set("".join(block)) - set("#.-")), start=2)}
    kinds = {"#": 0, ".": 1, "-": 1, **others}
    cells = tuple(
        Cell(x=x, y=y, sign=printable(sign), kind=kinds[sign])
        for y, line in enumerate(block)
        for x, sign in enumerate(line)
    )
    return Grid(width=len(block[0]), height=len(block), cells=cells)
