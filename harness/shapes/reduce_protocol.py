"""The protocol of reducers: a pass yields candidates, is told of each whether it was taken, and goes on from there.

A pass that is merely iterated is told nothing, so it is a stream of candidates for the value that it was given.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from harness.shapes.expressions import Env
from harness.shapes.model import Array, Block, Choice, Integer, Item, Part, Record, Times, bound

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


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a record or a part lies: indexes from the root, through parts, tuples and records."""

    path: tuple[int, ...]
    env: Env

    def get(self, root: Part) -> Part:
        """What lies here."""
        for index in self.path:
            root = (root.parts if isinstance(root, Record) else root)[index]
        return root

    def put(self, root: Part, new: Part) -> Part:
        """The root with something else here."""
        return _replaced(root, self.path, new)


def put_all(root: Part, changes: Sequence[tuple[tuple[int, ...], Part]]) -> Part:
    """The root with something else at each of these paths, of which none leads through another."""
    if changes and not changes[0][0]:
        return changes[0][1]
    inner: dict[int, list[tuple[tuple[int, ...], Part]]] = {}
    for path, new in changes:
        inner.setdefault(path[0], []).append((path[1:], new))
    parts = list(root.parts if isinstance(root, Record) else root)
    for index, some in inner.items():
        parts[index] = put_all(parts[index], some)
    return replace(root, parts=tuple(parts)) if isinstance(root, Record) else tuple(parts)


def _replaced(root: Part, path: tuple[int, ...], new: Part) -> Part:
    if not path:
        return new
    if isinstance(root, Record):
        return root.with_part(path[0], _replaced(root.parts[path[0]], path[1:], new))
    inner = _replaced(root[path[0]], path[1:], new)
    return (*root[: path[0]], inner, *root[path[0] + 1 :])


def records_in(
    block: Block, record: Record, outer: Env, path: tuple[int, ...] = ()
) -> Iterator[tuple[Block, Place]]:
    """This record and all within it, the outermost first; a place's env is what is known outside the record."""
    yield block, Place(path=path, env=outer)
    env = bound(block, record, outer)
    for index, (item, part) in enumerate(zip(block.items, record.parts, strict=True)):
        if isinstance(item, Times):
            for number, inner in enumerate(part):
                yield from records_in(item.block, inner, item.inner(env, number + 1), (*path, index, number))
        elif isinstance(item, Choice):
            yield from records_in(item.blocks[part.form], part, env, (*path, index))


def parts_in(block: Block, root: Record) -> Iterator[tuple[Item, Place]]:
    """Every part of every record, but repeated blocks; of arrays the array, then each word in it."""
    for inner, place in records_in(block, root, {}):
        record = place.get(root)
        env = bound(inner, record, place.env)
        for index, (item, part) in enumerate(zip(inner.items, record.parts, strict=True)):
            here = Place(path=(*place.path, index), env=env)
            if not isinstance(item, Times | Choice):
                yield item, here
            if isinstance(item, Array) and not isinstance(item.item, Integer):
                yield from ((item.item, Place(path=(*here.path, at), env=env)) for at in range(len(part)))
