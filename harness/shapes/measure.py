"""Ranks of values, the enumeration of sequences by size, and cuts of values along an integer."""

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import TypeVar

from harness.shapes.expressions import Env, Expression, Name, count_of
from harness.values import dataclass

T = TypeVar("T")

# Size; then distance of letters and words from the first; then distance of marks from the upper left.
Rank = tuple[int, int, int]


def origin(low: int, high: int) -> int:
    """Return the simplest integer of a range: the nearest to 0."""
    return max(low, min(0, high))


def total(ranks: Sequence[Rank]) -> Rank:
    """Return the sum of ranks, place by place."""
    return reduce(
        lambda left, right: (left[0] + right[0], left[1] + right[1], left[2] + right[2]), ranks, (0, 0, 0)
    )


def sequences(values: Callable[[int, int], Iterator[T]], times: int, size: int) -> Iterator[tuple[T, ...]]:
    """Yield all sequences of `times` values, whose sizes plus 1 each sum to `size`.

    values: yields the values of a size, given that size and how many values of the sequence are left, this included.
    """
    if times == 0:
        if size == 0:
            yield ()
        return
    for own in range(size - times + 1) if times > 1 else (size - 1,):
        for first in values(own, times) if own >= 0 else ():
            yield from ((first, *others) for others in sequences(values, times - 1, size - 1 - own))


@dataclass(frozen=True, kw_only=True)
class Cut:
    """A cut of `count` indexes of the axis, from `start`. before, after: the known integers before and after it."""

    axis: str
    start: int
    count: int
    before: Env
    after: Env

    def span(self, expression: Expression) -> tuple[int, int]:
        """Return the dropped indexes of items counted by `expression`, as start and end; empty if independent."""
        old, new = count_of(expression, self.before), count_of(expression, self.after)
        if self.axis not in expression.names or new >= old:
            return 0, 0
        whole = max(1, self.before[self.axis])
        start = self.start if expression == Name(name=self.axis) else self.start * old // whole
        start = max(0, min(start, new))
        return start, start + old - new
