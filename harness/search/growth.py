"""How run time grows with size: the exponent fitted to measured points."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

from harness.search.policy import SLOWEST

_WORD = re.compile(rb"\S+")
_NUMBER = re.compile(rb"[+-]?[\d.]{1,18}")


def size_of(data: bytes) -> int:
    """How many numbers an input has, and letters in other words: bytes would grow with the digits, too."""
    return sum(1 if _NUMBER.fullmatch(word) else len(word) for word in _WORD.findall(data))


@dataclass(frozen=True, kw_only=True)
class Point:
    """One measured run: the size and the bytes of its input, CPU seconds of the program and of the reference.

    steps: basic blocks, 0 where they do not tell. stopped: it would have taken longer than cpu_s.
    """

    size: int
    cpu_s: float
    bytes: int = 0
    reference_s: float | None = None
    steps: int = 0
    stopped: bool = False


@dataclass(frozen=True, kw_only=True)
class Fit:
    """cpu = factor × size^exponent, by least squares on logarithms."""

    exponent: float
    factor: float

    def at(self, size: float) -> float:
        """The fitted seconds at a size."""
        return self.factor * exp(self.exponent * log(size))


def fitted(points: Sequence[Point], *, least_s: float = SLOWEST.least_fitted_s) -> Fit | None:
    """The growth towards the largest sizes, of steps where they were counted, else of seconds without those of a start.

    None with fewer than two sizes of points that took long enough to mean something, to their end.
    """
    ended = sorted((one for one in points if one.size > 0 and not one.stopped), key=lambda one: one.size)
    if not ended:
        return None
    seconds = _upper([(one.size, one.cpu_s - fixed) for fixed in [_fixed_s(ended)] for one in ended], least_s)
    counted = _upper([(one.size, one.steps) for one in ended if one.steps], 0)
    telling = (
        counted
        if len(counted) >= SLOWEST.enough_counted and counted[-1][0] * SLOWEST.fitted_factor >= ended[-1].size
        else seconds
    )
    if len({size for size, _ in telling}) < 2:
        return None
    exponent = _slope(telling)
    shown = seconds or [(one.size, max(one.cpu_s, SLOWEST.least_fitted_s)) for one in ended[-1:]]
    factor = exp(sum(log(cost) - exponent * log(size) for size, cost in shown) / len(shown))
    return Fit(exponent=exponent, factor=factor)


def _fixed_s(ended: Sequence[Point]) -> float:
    """What a start costs: all that the smallest took, where that is far smaller than the largest."""
    return ended[0].cpu_s if ended[-1].size >= SLOWEST.start_factor * ended[0].size else 0.0


def _upper(known: Sequence[tuple[int, float]], least: float) -> list[tuple[int, float]]:
    telling = [(size, cost) for size, cost in known if cost > 0 and cost >= least]
    return [(size, cost) for size, cost in telling if size * SLOWEST.fitted_factor >= telling[-1][0]]


def _slope(known: Sequence[tuple[int, float]]) -> float:
    """Of the logarithms."""
    places = [(log(size), log(cost)) for size, cost in known]
    middle_x = sum(x for x, _ in places) / len(places)
    middle_y = sum(y for _, y in places) / len(places)
    spread = sum((x - middle_x) ** 2 for x, _ in places)
    return sum((x - middle_x) * (y - middle_y) for x, y in places) / spread
