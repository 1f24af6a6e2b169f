"""The protocol of the shrinker's passes: a pass yields a candidate, receives whether it was taken, and goes on.

A pass that is iterated in a `for` loop receives no answers: then all its candidates are made from its first value.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import TypeAlias, TypeVar

T = TypeVar("T")
S = TypeVar("S")

# Yields candidates; `send(True)`: the last candidate was taken; returns the final value.
Steps: TypeAlias = Generator[T, bool | None, T]


def in_chunks(value: T, length: Callable[[T], int], cut: Callable[[T, int, int], T], parts: int = 0) -> Steps[T]:
    """Try `cut(value, start, size)` for chunks of the indexes: first all, then halves, then quarters, ….

    parts: the least chunk is one part of this many; 0: a single index.
    """
    size = length(value)
    least = max(1, size // parts if parts else 1)
    while size >= least:
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
    """Move a number towards `least`, from above or below: a step is doubled when it is taken, else halved.

    make: returns the value with another number. Any distance takes few tries, even if some numbers between pass.
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


def at_places(places: Sequence[S], value: T, change: Callable[[T, Sequence[S]], T], parts: int = 0) -> Steps[T]:
    """Try `change(value, some)` for chunks of these places. parts: see `in_chunks`."""

    def cut(now: T, start: int, count: int) -> T:
        return change(now, places[start : start + count])

    return in_chunks(value, lambda _: len(places), cut, parts)


def first_taken(value: T, candidates: Iterable[T]) -> Steps[T]:
    """Try the candidates in order, up to the first that is taken."""
    for candidate in candidates:
        if (yield candidate):
            return candidate
    return value


def lifted(steps: Steps[T], whole: S, rebuild: Callable[[T], S]) -> Steps[S]:
    """Turn the steps of a part into steps of a whole. rebuild: returns the whole with another part."""
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
