"""The protocol of reducers: a pass yields candidates, is told of each whether it was taken, and goes on from there.

A pass that is merely iterated is told nothing, so it is a stream of candidates for the value that it was given.
"""

from collections.abc import Callable, Generator
from typing import TypeAlias, TypeVar

T = TypeVar("T")
S = TypeVar("S")

# Yields candidates; `send(True)`: the last one was taken; returns the value that is left.
Steps: TypeAlias = Generator[T, bool | None, T]


def in_chunks(
    value: T, length: Callable[[T], int], cut: Callable[[T, int, int], T], largest: int, least: int = 1
) -> Steps[T]:
    """Try `cut(value, start, size)` for chunks of `largest` places, then of half as many, and so on down to `least`."""
    size = largest
    while size >= max(1, least):
        start = 0
        while start < length(value):
            candidate = cut(value, start, min(size, length(value) - start))
            before = length(value)
            if (yield candidate):
                value = candidate
            if length(value) == before:
                start += size
        size //= 2
    return value


def lowered(value: T, number: int, least: int, make: Callable[[T, int], T]) -> Steps[T]:
    """Lower a number towards `least` (which may lie above it): steps halve where one fails, and double where not.

    Few tries for any distance, also where not all numbers between fail.
    """
    sign = 1 if number > least else -1
    step = abs(number - least)
    while step > 0:
        candidate = make(value, number - sign * step)
        if (yield candidate):
            value, number = candidate, number - sign * step
            step = min(2 * step, abs(number - least))
        else:
            step //= 2
    return value


def lifted(steps: Steps[T], whole: S, rebuild: Callable[[T], S]) -> Steps[S]:
    """The steps of a part as steps of the whole, which `rebuild` makes of the part."""
    answer: bool | None = None
    try:
        part = next(steps)
        while True:
            candidate = rebuild(part)
            answer = yield candidate
            whole = candidate if answer else whole
            part = steps.send(answer)
    except StopIteration:
        return whole
