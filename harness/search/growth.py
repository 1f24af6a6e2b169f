"""Measure how run time grows with size: make inputs of one kind at growing sizes, and fit an exponent to the times."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count, islice, permutations
from math import exp, log
from random import Random
from statistics import linear_regression

from harness.generate.recipe import Recipe
from harness.search import generator_calls
from harness.search.generator_calls import between, capped, largest_like
from harness.search.model import Candidate, Source
from harness.search.policy import CALLS
from harness.search.slowest_policy import SLOWEST
from harness.shapes import Shape, ShapeError, draw_large, write
from harness.shapes.killers import NAMES, killer_inputs
from harness.shapes.kinds.counts import most_blocks
from harness.shapes.limits import Span, spans, with_limits
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

    steps: executed basic blocks, 0 if they are not meaningful. stopped: the run would have taken longer than cpu_s.
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


def small_of(shape: Shape, kind: int) -> Candidate | None:
    """Draw a small input of a kind; None if the draw fails. kind: a seed that decides, say, that trees are paths."""
    return large_of(shape, kind, SLOWEST.small_size)


def large_of(shape: Shape, kind: int, size: int) -> Candidate | None:
    """Draw an input of a kind, of about the given size; None if the draw fails."""
    return _candidate(partial(_drawn, shape, kind), f"random input {kind}", size)


def _candidate(at_size: Callable[[int], bytes | None], words: str, size: int) -> Candidate | None:
    data = at_size(size)
    return None if data is None else Candidate(source=Source.RANDOM, description=words, data=data, at_size=at_size)


def larger_inputs(candidate: Candidate, recipe: Recipe | None) -> Iterator[Candidate]:
    """Yield inputs of the same kind, growing up to the largest of the recipe or of that kind."""
    call = candidate.invocation
    if call is not None and recipe is not None:
        full = largest_like(call, [case.invocation for case in recipe.cases if case.invocation is not None])
        for step in range(1, SLOWEST.steps + 1):
            yield generator_calls.candidate_of(between(call, full, step / SLOWEST.steps))
    elif candidate.at_size is not None:
        drawn = filter(None, map(candidate.at_size, SLOWEST.sizes))
        yield from (replace(candidate, data=data) for data in growing(drawn))


def large_inputs(shape: Shape | None, source: Random) -> Iterator[Candidate]:
    """Yield large inputs of the shape, of all kinds and sizes, while there are any; every third is of a corner."""
    corners, in_vain = [] if shape is None else list(corners_of(shape)), 0
    for turn in count():
        if shape is None or in_vain == SLOWEST.draws_in_vain:
            return
        size, kind = SLOWEST.sizes[source.getrandbits(12) % len(SLOWEST.sizes)], source.getrandbits(30)
        round_, place = divmod(turn, SLOWEST.draws_a_corner)
        is_corner = bool(corners) and place == 1
        draw_one = corners[round_ % len(corners)] if is_corner else partial(_drawn, shape)
        large = _candidate(partial(draw_one, kind), f"random input {kind}", size)
        if not is_corner:
            in_vain = 0 if large is not None else in_vain + 1
        if large is not None:
            yield large


def in_turn(
    draws: Iterator[Candidate], cases: Iterator[Candidate | None], cases_a_draw: Callable[[], int]
) -> Iterator[Candidate | None]:
    """Yield a draw, then so many cases, again and again until both are at their end; None ends a turn of cases."""
    while True:
        drawn, taken = list(islice(draws, 1)), 0
        yield from drawn
        for case in islice(cases, cases_a_draw()):
            taken += 1
            yield case
            if case is None:
                break
        if not drawn and not taken:
            return


def corners_of(shape: Shape) -> Iterator[Callable[[int, int], bytes | None]]:
    """Yield functions that draw an input (kind, size): all counts at their highest, or one of them and another lowest.

    They return None if a draw fails. Programs may be slow on many nodes without edges.
    """
    counts = _outer_counts(shape)
    limited = [span for span in counts if span.high is not None]
    for high, low in permutations(counts, 2):
        if high in limited:
            yield partial(_in_corner, shape, limited, ())  # more often than others: most programs are slow there
            yield partial(_in_corner, shape, (high,), (low,))


def _outer_counts(shape: Shape) -> list[Span]:
    """Return the counts outside of repeated blocks that can vary."""
    return [
        span
        for span in spans(shape)
        if span.counts and span.outer and span.low is not None and not span.is_literal
    ]


def balanced(shape: Shape, size: int) -> Shape:
    """Return the shape with all its counts as high as the size allows, if several have a number as their limit.

    A draw mostly gives one of them nearly all of the size.
    """
    counts = [span for span in _outer_counts(shape) if span.high is not None]
    return _within(shape, counts, size) if len(counts) > 1 else shape


def _in_corner(
    shape: Shape, highest: Sequence[Span], lowest: Sequence[Span], kind: int, size: int
) -> bytes | None:
    """Draw an input with these counts as high as the size allows, and others at their lowest; None if that fails."""
    for span in lowest:
        shape = with_limits(shape, span.place, high=span.low)
    return _drawn(_within(shape, highest, size), kind, size)


def _within(shape: Shape, highest: Sequence[Span], size: int) -> Shape:
    """Return the shape with these counts as high as the size allows."""
    most = size
    while (corner := _with_highest(shape, highest, most)).block.least_size({}) > size and most > 1:
        most //= 2
    return corner


def _with_highest(shape: Shape, counts: Sequence[Span], most: int) -> Shape:
    """Return the shape with these counts at their highest values up to `most`."""
    for span in counts:
        drawn = min(most, most_blocks(shape.block.items, span.name))
        value = max(span.low or 0, min(drawn, span.high or 0))
        shape = with_limits(shape, span.place, low=value, high=value)
    return shape


def growing(inputs: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the inputs that are longer than all before them, until several in a row are not."""
    length, in_vain = 0, 0
    for data in inputs:
        in_vain = 0 if len(data) > SLOWEST.least_growth * length else in_vain + 1
        if in_vain == 0:
            length = len(data)
            yield data
        elif in_vain == SLOWEST.in_vain:
            return


def killers_of(shape: Shape, size: int, seed_of: Callable[[Shape, int], int]) -> Iterator[Candidate]:
    """Yield each known killer that fits the shape. seed_of: returns a seed for draws of a shape and a size."""
    seed = seed_of(balanced(shape, size), size)
    for name, data in balanced_killers(shape, size, seed=seed):
        at_size = partial(_killer, shape, name, seed)
        yield Candidate(source=Source.LARGE, description=name, data=data, at_size=at_size)


def balanced_killers(
    shape: Shape, size: int, *, names: Sequence[str] = NAMES, seed: int = 0
) -> Iterator[tuple[str, bytes]]:
    """Yield the killers (name, input) of the shape with all counts high; of any draw of the shape if none fits there.

    size, seed: see harness.shapes.killers.killer_inputs.
    """
    wide = balanced(shape, size)
    fit_there = False
    for fitting in killer_inputs(wide, size, names=names, seed=seed):
        fit_there = True
        yield fitting
    if not fit_there and wide is not shape:
        yield from killer_inputs(shape, size, names=names, seed=seed)


def _killer(shape: Shape, name: str, seed: int, size: int) -> bytes | None:
    """Return a killer of about the given size; None if it does not fit there."""
    return next((data for _, data in balanced_killers(shape, size, names=[name], seed=seed)), None)


def smaller_inputs(candidate: Candidate) -> Iterator[Candidate]:
    """Yield inputs of the same kind, each smaller than the one before, but not all smaller than the candidate."""
    call = candidate.invocation
    if call is not None:
        yield from (
            generator_calls.candidate_of(capped(call, CALLS.small_side >> step))
            for step in range(1, SLOWEST.smaller)
        )
    elif candidate.at_size is not None:
        drawn = (candidate.at_size(SLOWEST.small_size >> step) for step in range(SLOWEST.smaller))
        yield from (replace(candidate, data=data) for data in drawn if data is not None)


def _drawn(shape: Shape, kind: int, size: int) -> bytes | None:
    """Return an input of a kind of about the given size; None if the draw fails."""
    try:
        return write(shape, draw_large(shape, kind, size, kind=kind))
    except ShapeError:
        return None


def is_smaller(length: int, candidate: Candidate) -> bool:
    """Return whether a candidate is shorter than `length` bytes; True if it is still to be made."""
    return candidate.data is None or len(candidate.data) < length
