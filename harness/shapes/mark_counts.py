"""How often each marked letter of a grid may occur: the vectors of numbers that all counts allow."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.shapes.expressions import Env
from harness.shapes.model import Grid


@dataclass(frozen=True, kw_only=True)
class _Sum:
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

    sums: tuple[_Sum, ...]
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


def tallies_of(grid: Grid, cells: int, env: Env) -> Tallies:
    """What the counts of a grid allow for its marks, if `cells` cells can hold them."""
    marks = grid.marks
    sums = [
        _Sum(
            signs=tuple((letter in count.letters) - (letter in count.same) for letter in marks),
            low=count.low.value(env),
            high=count.high.value(env),
        )
        for count in grid.counts
    ]
    least = 0 if grid.fillers else cells
    sums.append(_Sum(signs=(1,) * len(marks), low=least, high=cells))
    return Tallies(sums=tuple(sums), letters=len(marks), cells=cells)
