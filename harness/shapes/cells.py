"""The cells of a grid within its border as one row of bytes, and back."""

from dataclasses import dataclass

from harness.shapes.expressions import Env, count_of
from harness.shapes.model import Grid, Rows


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The size of a grid and of what is free within its border."""

    rows: int
    columns: int
    border: bytes

    @property
    def height(self) -> int:
        """Rows within the border."""
        return max(0, self.rows - 2) if self.border else self.rows

    @property
    def width(self) -> int:
        """Columns within the border."""
        return max(0, self.columns - 2) if self.border else self.columns

    @property
    def cells(self) -> int:
        """Cells within the border."""
        return self.height * self.width

    def inner(self, rows: Rows) -> bytes:
        """The free cells, row by row."""
        return b"".join(row[1:-1] for row in rows[1:-1]) if self.border else b"".join(rows)

    def framed(self, cells: bytes) -> Rows:
        """The grid with these free cells."""
        width = self.width
        rows = tuple(cells[row * width : (row + 1) * width] for row in range(self.height))
        if not self.border:
            return rows
        edge = self.border * self.columns
        ends = self.border * min(2, self.columns)
        middle = tuple(ends[:1] + row + ends[1:] for row in rows)
        return (edge, *middle, edge)[: self.rows]


def frame_of(grid: Grid, env: Env) -> Frame:
    """The frame of a grid whose sizes are known."""
    return Frame(rows=count_of(grid.rows, env), columns=count_of(grid.columns, env), border=grid.border)


def frame_around(grid: Grid, rows: Rows) -> Frame:
    """The frame of a grid that is there."""
    return Frame(rows=len(rows), columns=len(rows[0]) if rows else 0, border=grid.border)
