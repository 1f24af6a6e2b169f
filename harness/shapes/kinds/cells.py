"""The cells of a grid within its border, and how often each marked letter may occur in them."""

from collections.abc import Iterator, Sequence

from harness.values import dataclass


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

    def inner(self, rows: tuple[bytes, ...]) -> bytes:
        """The free cells, row by row."""
        return b"".join(row[1:-1] for row in rows[1:-1]) if self.border else b"".join(rows)

    def framed(self, cells: bytes) -> tuple[bytes, ...]:
        """The grid with these free cells."""
        width = self.width
        rows = tuple(cells[row * width : (row + 1) * width] for row in range(self.height))
        if not self.border:
            return rows
        edge = self.border * self.columns
        ends = self.border * min(2, self.columns)
        middle = tuple(ends[:1] + row + ends[1:] for row in rows)
        return (edge, *middle, edge)[: self.rows]


@dataclass(frozen=True, kw_only=True)
class MarkSum:
    """low ≤ Σ signs[i] · tally[i] ≤ high."""

    signs: tuple[int, ...]
    low: int
    high: int

    def interval(self, tally: Sequence[int], most: int) -> tuple[int, int]:
        """What the next number may be, if each of those after it is at most `most`."""
        place = len(tally)
        sign = self.signs[place]
        if sign == 0:
            return 0, most
        partial = sum(sign * number for sign, number in zip(self.signs, tally, strict=False))
        later = self.signs[place + 1 :]
        low = self.low - partial - most * later.count(1)
        high = self.high - partial + most * later.count(-1)
        return (low, high) if sign > 0 else (-high, -low)


@dataclass(frozen=True, kw_only=True)
class Tallies:
    """The tallies of a grid's marks, one number a letter, for so many cells."""

    sums: tuple[MarkSum, ...]
    letters: int
    cells: int

    def choices(self, tally: Sequence[int]) -> range:
        """What the number after those in `tally` may be; later ones may still turn out impossible."""
        spans = [each.interval(tally, self.cells) for each in self.sums]
        low, high = max((0, *(low for low, _ in spans))), min((self.cells, *(high for _, high in spans)))
        return range(low, high + 1)

    def nearest(self, tally: tuple[int, ...], number: int) -> int | None:
        """The number nearest to `number` (a lower one first) that some tally goes on with; None if none does."""
        span = self.choices(tally)
        lower, higher = range(min(number, span.stop - 1), span.start - 1, -1), range(number + 1, span.stop)
        found = (each for each in (*lower, *higher) if next(self.all((*tally, each)), None) is not None)
        return next(found, None)

    def all(self, tally: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
        """All tallies that begin so, the fewest first."""
        if len(tally) == self.letters:
            yield tally
            return
        for number in self.choices(tally):
            yield from self.all((*tally, number))
