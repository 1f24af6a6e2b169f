"""Find the grids in an input, for pages that draw them."""

from collections.abc import Iterator, Sequence

from harness.report.escape import printable
from harness.values import dataclass

_GRID_SIDE = 40
_GRIDS = 4
_LEAST_SIDE = 3


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A cell of a grid. kind: 0 for a wall (#), 1 for free (. or -), from 2 for each other character."""

    x: int
    y: int
    sign: str
    kind: int


@dataclass(frozen=True, kw_only=True)
class InputGrid:
    """A rectangle of characters in an input."""

    width: int
    height: int
    cells: tuple[Cell, ...]


def grids(text: str) -> list[InputGrid]:
    """Return a text's first grids: blocks of equally long lines of few characters, with walls or dots."""
    return [_grid(block) for block in _blocks(text.splitlines()) if _is_grid(block)][:_GRIDS]


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


def _grid(block: Sequence[str]) -> InputGrid:
    others = {sign: kind for kind, sign in enumerate(sorted(set("".join(block)) - set("#.-")), start=2)}
    kinds = {"#": 0, ".": 1, "-": 1, **others}
    cells = tuple(
        Cell(x=x, y=y, sign=printable(sign), kind=kinds[sign])
        for y, line in enumerate(block)
        for x, sign in enumerate(line)
    )
    return InputGrid(width=len(block[0]), height=len(block), cells=cells)
