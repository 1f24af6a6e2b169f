"""Make inputs of a kind at the sizes that are wanted: small ones, large ones, corners of the shape, killers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, count, islice, permutations
from random import Random

from harness.generate.recipe import Recipe
from harness.search import generator_calls
from harness.search.candidates import Candidate, Source
from harness.search.generator_calls import between, capped, largest_like
from harness.search.policy import CALLS, SLOWEST
from harness.shapes import Shape, ShapeError, draw_large, write
from harness.shapes.killers import NAMES
from harness.shapes.kinds.counts import most_blocks
from harness.shapes.limits import Span, spans, with_limits
from harness.shapes.place_killers import killer_inputs, without_misfits


def small_of(shape: Shape, kind: int) -> Candidate | None:
    """Draw a small input of a kind; None if the draw fails. kind: a seed of choices such as: trees are paths."""
    return _candidate(partial(_drawn, shape), kind, SLOWEST.small_size)


def _candidate(drawn: Callable[[int, int], bytes | None], kind: int, size: int) -> Candidate | None:
    data, words = drawn(kind, size), f"random input {kind}"
    if data is None:
        return None
    return Candidate(source=Source.RANDOM, description=words, data=data, at_size=partial(drawn, kind))


def larger_inputs(candidate: Candidate, recipe: Recipe | None) -> Iterator[Candidate]:
    """Yield larger and larger inputs of the candidate's kind, up to the largest of the recipe or of that kind."""
    call = candidate.invocation
    if call is not None and recipe is not None:
        full = largest_like(call, [case.invocation for case in recipe.cases if case.invocation is not None])
        for step in range(1, SLOWEST.steps + 1):
            yield generator_calls.candidate_of(between(call, full, step / SLOWEST.steps))
    elif candidate.at_size is not None:
        drawn = filter(None, map(candidate.at_size, SLOWEST.sizes))
        yield from (replace(candidate, data=data) for data in growing(drawn))


def large_inputs(shape: Shape | None, source: Random) -> Iterator[Candidate]:
    """Yield large inputs of the shape, of random kinds and sizes, some of corners, until draws mostly fail."""
    corners, failed = [] if shape is None else list(corners_of(shape)), 0
    for turn in count():
        if shape is None or failed == SLOWEST.most_failed_draws:
            return
        size, kind = SLOWEST.sizes[source.getrandbits(12) % len(SLOWEST.sizes)], source.getrandbits(30)
        round_, index = divmod(turn, SLOWEST.draws_a_corner)
        is_corner = bool(corners) and index == 1
        draw_one = corners[round_ % len(corners)] if is_corner else partial(_drawn, shape)
        large = _candidate(draw_one, kind, size)
        if not is_corner:
            failed = 0 if large is not None else failed + 1
        if large is not None:
            yield large


def in_turn(
    draws: Iterator[Candidate], cases: Iterator[Candidate | None], cases_a_draw: Callable[[], int]
) -> Iterator[Candidate | None]:
    """Yield a draw, then `cases_a_draw()` cases or cases up to the first None; again, until both are at their end."""
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
    """Yield functions (kind, size) that draw an input of a corner, or return None if the draw fails.

    A corner has all counts at their highest, or one count at its highest and another one at its lowest: programs may
    be slow on many nodes without edges.
    """
    counts, limited = _outer_counts(shape), _limited_counts(shape)
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


def _limited_counts(shape: Shape) -> list[Span]:
    return [span for span in _outer_counts(shape) if span.high is not None]


def balanced(shape: Shape, size: int) -> Shape:
    """Return the shape with all its counts as high as the size allows, if several have a number as their limit.

    Without that, a draw mostly gives one of them nearly all of the size.
    """
    counts = _limited_counts(shape)
    return _within(shape, counts, size) if len(counts) > 1 else shape


def _in_corner(
    shape: Shape, highest: Sequence[Span], lowest: Sequence[Span], kind: int, size: int
) -> bytes | None:
    """Draw an input with some counts as high as the size allows, and others at their lowest; None if that fails."""
    for span in lowest:
        shape = with_limits(shape, span.index, high=span.low)
    return _drawn(_within(shape, highest, size), kind, size)


def _within(shape: Shape, highest: Sequence[Span], size: int) -> Shape:
    """Return the shape with these counts as high as the size allows."""
    most = size
    while (corner := _with_highest(shape, highest, most)).block.least_cells({}) > size and most > 1:
        most //= 2
    return corner


def _with_highest(shape: Shape, counts: Sequence[Span], most: int) -> Shape:
    """Return the shape with these counts at their highest values up to `most`."""
    for span in counts:
        drawn = min(most, most_blocks(shape.block.items, span.name))
        value = max(span.low or 0, min(drawn, span.high or 0))
        shape = with_limits(shape, span.index, low=value, high=value)
    return shape


def growing(inputs: Iterable[bytes]) -> Iterator[bytes]:
    """Yield each input that is clearly longer than all before it; end after several in a row that are not."""
    length, stalls = 0, 0
    for data in inputs:
        stalls = 0 if len(data) > SLOWEST.least_growth * length else stalls + 1
        if stalls == 0:
            length = len(data)
            yield data
        elif stalls == SLOWEST.most_stalls:
            return


def killers(shape: Shape, sizes: Sequence[int]) -> Iterator[Candidate]:
    """Yield the known killers that fit the shape, at each of these sizes."""
    for size in sizes:
        for name, data in _killers_at(shape, NAMES, size):
            at_size = partial(_killer, shape, name)
            yield Candidate(source=Source.LARGE, description=name, data=data, at_size=at_size)


def of_words(shape: Shape, words: int) -> int:
    """Return the size at which a large input has about this many words: rows of several words count once."""
    tried = min(words, SLOWEST.small_size)
    data = _drawn(_within(shape, _limited_counts(shape), tried), 0, tried)
    return words * tried // max(tried, len(data.split())) if data else words


def _killers_at(shape: Shape, names: Sequence[str], size: int) -> Iterator[tuple[str, bytes]]:
    """Yield the killers that fit the shape with all counts high; those that fit the shape itself if none does."""
    wide, names = balanced(shape, size), without_misfits(shape, names)
    for tried in [wide, shape] if wide is not shape else [shape]:
        fitting = killer_inputs(tried, size, names=names)
        if (first := next(fitting, None)) is not None:
            yield from chain([first], fitting)
            return


def _killer(shape: Shape, name: str, size: int) -> bytes | None:
    """Return a killer of about the given size; None if it does not fit there."""
    return next((data for _, data in _killers_at(shape, [name], size)), None)


def smaller_inputs(candidate: Candidate) -> Iterator[Candidate]:
    """Yield inputs of the candidate's kind, each smaller than the one before; the first may be larger than it."""
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
    """Draw an input of a kind (see `small_of`), of about the given size; None if the draw fails."""
    try:
        return write(shape, draw_large(shape, kind, size, kind=kind))
    except ShapeError:
        return None


def is_smaller(length: float, candidate: Candidate) -> bool:
    """Return whether a candidate is shorter than `length` bytes; True if it is still to be made."""
    return candidate.data is None or len(candidate.data) < length
