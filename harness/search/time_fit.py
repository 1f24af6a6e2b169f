"""Fit an exponent to the run times of inputs of one kind at growing sizes."""

import re
from collections.abc import Sequence
from math import exp, log
from statistics import linear_regression

from harness.search.policy import SLOWEST
from harness.values import dataclass

_WORD = re.compile(rb"\S+")
_NUMBER = re.compile(rb"[+-]?[\d.]{1,18}")


def size_of(data: bytes) -> int:
    """Return the size of an input: the count of numbers plus the letters of all other words.

    Bytes would grow with the digits, too.
    """
    return sum(1 if _NUMBER.fullmatch(word) else len(word) for word in _WORD.findall(data))


@dataclass(frozen=True, kw_only=True)
class Point:
    """A measured run: the size and the bytes of its input, CPU seconds of the program and of the reference.

    steps: executed basic blocks, 0 if they are not meaningful. stopped, reference_stopped: the run would have taken
    longer.
    """

    size: int
    cpu_s: float
    bytes: int = 0
    reference_s: float | None = None
    steps: int = 0
    stopped: bool = False
    reference_stopped: bool = False


@dataclass(frozen=True, kw_only=True)
class Fit:
    """cpu = factor × size^exponent, by least squares on logarithms."""

    exponent: float
    factor: float

    def at(self, size: float) -> float:
        """Return the fitted seconds at a size."""
        return self.factor * exp(self.exponent * log(size))


def fitted(points: Sequence[Point]) -> Fit | None:
    """Fit the growth towards the largest sizes: of steps if counted, else of CPU seconds minus the start-up time.

    Return None with fewer than two sizes of complete runs that took long enough to be meaningful.
    """
    ended = sorted(
        (point for point in points if point.size > 0 and not point.stopped), key=lambda point: point.size
    )
    if not ended:
        return None
    # The start-up time is that of the smallest input, if that is far smaller than the largest.
    fixed_s = ended[0].cpu_s if ended[-1].size >= SLOWEST.start_factor * ended[0].size else 0.0
    seconds = _upper([(point.size, point.cpu_s - fixed_s) for point in ended], SLOWEST.least_fitted_s)
    counted = _upper([(point.size, point.steps) for point in ended if point.steps], 0)
    usable = (
        counted
        if len(counted) >= SLOWEST.enough_counted and counted[-1][0] * SLOWEST.fitted_factor >= ended[-1].size
        else seconds
    )
    if len({size for size, _ in usable}) < 2:
        return None
    sizes, costs = zip(*usable, strict=True)
    exponent = linear_regression(list(map(log, sizes)), list(map(log, costs))).slope
    timed = seconds or [(point.size, max(point.cpu_s, SLOWEST.least_fitted_s)) for point in ended[-1:]]
    factor = exp(sum(log(cost) - exponent * log(size) for size, cost in timed) / len(timed))
    return Fit(exponent=exponent, factor=factor)


def _upper(points: Sequence[tuple[int, float]], least: float) -> list[tuple[int, float]]:
    """Return the points (size, cost) of large sizes that cost at least `least`. points: by size."""
    costly = [(size, cost) for size, cost in points if cost > 0 and cost >= least]
    return [(size, cost) for size, cost in costly if size * SLOWEST.fitted_factor >= costly[-1][0]]
