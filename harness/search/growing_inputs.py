"""Inputs of one kind at growing sizes: calls of a generator with larger numbers, or draws of a shape."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from harness.generate import Recipe
from harness.search import generator_calls
from harness.search.call_numbers import between, largest_like, scaled
from harness.search.model import Candidate, Source
from harness.search.policy import CALLS, SLOWEST
from harness.shapes import Shape, ShapeError, draw, write


def drawn_of(shape: Shape, kind: int) -> Candidate | None:
    """A small input of a kind; None where the shape has none."""
    data = _drawn(shape, kind, SLOWEST.small_size)
    if data is None:
        return None
    return Candidate(source=Source.RANDOM, words=f"random input {kind}", data=data, state=kind)


def enlarged(candidate: Candidate, recipe: Recipe | None, shape: Shape | None) -> Iterator[Candidate]:
    """The same kind of input, larger and larger, up to the largest that the recipe or the shape knows."""
    call = candidate.invocation
    if call is not None and recipe is not None:
        full = largest_like(call, [one.invocation for one in recipe.cases if one.invocation is not None])
        for step in range(1, SLOWEST.steps + 1):
            yield generator_calls.candidate_of(between(call, full, step / SLOWEST.steps))
    elif shape is not None and candidate.state is not None:
        length = 0
        for size in SLOWEST.sizes:
            data = _drawn(shape, candidate.state, size)
            if data is None:
                return
            if len(data) > SLOWEST.least_growth * length:
                length = len(data)
                yield replace(candidate, data=data)


def dwindled(candidate: Candidate, shape: Shape | None) -> Iterator[Candidate]:
    """The same kind of input, smaller and smaller."""
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
    """The first of a few draws that is about as large as asked for, or the largest of them."""
    found = b""
    for number in range(SLOWEST.draws):
        try:
            value = draw(shape, Random(kind + size + number), size, full=True, kinds=Random(kind))
        except ShapeError:
            return None
        found = max(found, write(shape, value), key=len)
        if len(found) * SLOWEST.filled > size:
            break
    return found
