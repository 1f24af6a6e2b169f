"""What a submission printed beside what was expected, line by line; and grids in inputs, cell by cell."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from harness.report.escape import printable

LINES = 30
_BEFORE = 3
_LINE = 300
_GRID_SIDE = 40
_LEAST_SIDE = 3


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of both; None where one of them has ended."""

    number: int
    expected: str | None
    printed: str | None

    @property
    def same(self) -> bool:
        """Whether the tokens of both are the same."""
        return (self.expected or "").split() == (self.printed or "").split() and self.printed is not None


def rows(expected: str, printed: str) -> list[Row]:
    """The lines around the first that differs."""
    pairs = zip_longest(_lines(expected), _lines(printed))
    every = [Row(number=number, expected=one, printed=two) for number, (one, two) in enumerate(pairs, start=1)]
    first = next((row.number for row in every if not row.same), 1)
    start = max(first - 1 - _BEFORE, 0)
    return every[start : start + LINES]


def _lines(text: str) -> list[str]:
    return [printable(line, _LINE) for line in text.splitlines()]


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
