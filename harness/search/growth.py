"""How run time grows with size: inputs of one kind at growing sizes, and the exponent fitted to measured points."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import exp, log

from harness.generate.recipe import Recipe
from harness.search import generator_calls
from harness.search.generator_calls import between, largest_like, scaled
from harness.search.model import Candidate, Source
from harness.search.policy import CALLS, SLOWEST
from harness.shapes import Shape, ShapeError, draw_large, write
from harness.values import dataclass

_WORD = re.compile(rb"\S+")
_NUMBER = re.compile(rb"[+-]?[\d.]{1,18}")


def size_of(data: bytes) -> int:
    """Return the size of an input: numbers, plus letters of other words. (Bytes would grow with the digits, too.)"""
    return sum(1 if _NUMBER.fullmatch(word) else len(word) for word in _WORD.findall(data))


@dataclass(frozen=True, kw_only=True)
class Point:
    """A measured run: the size and the bytes of its input, CPU seconds of the program and of the reference.

    steps: basic blocks, 0 if they are not meaningful. stopped: it would have taken longer than cpu_s.
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
        """Return the fitted seconds at a size."""
        return self.factor * exp(self.exponent * log(size))


def fitted(points: Sequence[Point], *, least_s: float = SLOWEST.least_fitted_s) -> Fit | None:
    """Fit the growth towards the largest sizes: of steps if counted, else of CPU seconds minus the start-up time.

    Return None with fewer than two sizes of complete runs that took long enough to be meaningful.
    """
    ended = sorted(
        (point for point in points if point.size > 0 and not point.stopped), key=lambda point: point.size
    )
    if not ended:
        return None
    seconds = _upper(
        [(point.size, point.cpu_s - fixed) for fixed in [_fixed_s(ended)] for point in ended], least_s
    )
    counted = _upper([(point.size, point.steps) for point in ended if point.steps], 0)
    telling = (
        counted
        if len(counted) >= SLOWEST.enough_counted and counted[-1][0] * SLOWEST.fitted_factor >= ended[-1].size
        else seconds
    )
    if len({size for size, _ in telling}) < 2:
        return None
    exponent = _slope(telling)
    shown = seconds or [(point.size, max(point.cpu_s, SLOWEST.least_fitted_s)) for point in ended[-1:]]
    factor = exp(sum(log(cost) - exponent * log(size) for size, cost in shown) / len(shown))
    return Fit(exponent=exponent, factor=factor)


def _fixed_s(ended: Sequence[Point]) -> float:
    """Return the start-up time, in seconds: the smallest run's, if its size is far below the largest."""
    return ended[0].cpu_s if ended[-1].size >= SLOWEST.start_factor * ended[0].size else 0.0


def _upper(known: Sequence[tuple[int, float]], least: float) -> list[tuple[int, float]]:
    telling = [(size, cost) for size, cost in known if cost > 0 and cost >= least]
    return [(size, cost) for size, cost in telling if size * SLOWEST.fitted_factor >= telling[-1][0]]


def _slope(known: Sequence[tuple[int, float]]) -> float:
    """Return the slope of the least-squares line through the logarithms."""
    places = [(log(size), log(cost)) for size, cost in known]
    middle_x = sum(x for x, _ in places) / len(places)
    middle_y = sum(y for _, y in places) / len(places)
    spread = sum((x - middle_x) ** 2 for x, _ in places)
    return sum((x - middle_x) * (y - middle_y) for x, y in places) / spread


def drawn_of(shape: Shape, kind: int) -> Candidate | None:
    """Draw a small input of a kind; None if the shape has none."""
    return large_of(shape, kind, SLOWEST.small_size)


def large_of(shape: Shape, kind: int, size: int) -> Candidate | None:
    """Draw an input of a kind, of about the given size; None if the shape has none."""
    data = _drawn(shape, kind, size)
    if data is None:
        return None
    return Candidate(source=Source.RANDOM, words=f"random input {kind}", data=data, state=kind)


def enlarged(candidate: Candidate, recipe: Recipe | None, shape: Shape | None) -> Iterator[Candidate]:
    """Yield growing inputs of the same kind, up to the largest of the recipe or the shape."""
    call = candidate.invocation
    if call is not None and recipe is not None:
        full = largest_like(call, [case.invocation for case in recipe.cases if case.invocation is not None])
        for step in range(1, SLOWEST.steps + 1):
            yield generator_calls.candidate_of(between(call, full, step / SLOWEST.steps))
    elif shape is not None and candidate.state is not None:
        length, in_vain = 0, 0
        for size in SLOWEST.sizes:
            data = _drawn(shape, candidate.state, size)
            if data is None or in_vain == SLOWEST.in_vain:
                return
            in_vain += 1
            if len(data) > SLOWEST.least_growth * length:
                length, in_vain = len(data), 0
                yield replace(candidate, data=data)


def dwindled(candidate: Candidate, shape: Shape | None) -> Iterator[Candidate]:
    """Yield shrinking inputs of the same kind."""
    call = candidate.invocation
    if call is not None:
        yield from (
            generator_calls.candidate_of(scaled(call, CALLS.small_side >> step))
            for step in range(1, SLOWEST.smaller)
        )
    elif shape is not None and candidate.state is not None:
        drawn = (_drawn(shape, candidate.state, SLOWEST.small_size >> step) for step in range(1, SLOWEST.smaller))
        yield from (replace(candidate, data=data) for data in drawn if data is not None)


def _drawn(shape: Shape, kind: int, size: int) -> bytes | None:
    """Return an input of a kind of about the given size; None if the shape has none."""
    try:
        return write(shape, draw_large(shape, kind, size, kind=kind))
    except ShapeError:
        return None
