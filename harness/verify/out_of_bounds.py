"""Inputs that are right in every respect but one: an integer lies just beyond its bound."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from harness.shapes import InputError, Shape, ShapeError, draw, parse, write
from harness.shapes.expressions import Number
from harness.shapes.kinds import Block, Integer, Item, Times
from harness.values import dataclass
from harness.verify.coverage import fixed_integers, units

SIZE = 60
MOST_BYTES = 4 << 20


@dataclass(frozen=True, kw_only=True)
class Beyond:
    """An input in which the integer `name` is `value`, where `bound` is the last that the shape allows."""

    name: str
    value: int
    bound: int
    content: bytes


def beyond(shape: Shape) -> Iterator[Beyond]:
    """For each integer with fixed bounds: one input just below its minimum, one just above its maximum."""
    for path, item in fixed_integers(shape.block):
        low, high = item.bounds({})
        for value, bound in ((low - 1, low), (high + 1, high)):
            content = _drawn(shape, path, value)
            if content is not None:
                yield Beyond(
                    name=(item.name or "a number") + units(item), value=value, bound=bound, content=content
                )


def _drawn(shape: Shape, path: tuple[int, ...], value: int) -> bytes | None:
    """An input with that integer pinned; None where there is none, or where it is of the shape after all."""
    pinned = replace(shape, block=_pinned(shape.block, path, value))
    try:
        content = write(pinned, draw(pinned, Random(1), SIZE))  # noqa: S311 - reproducible, no secret
    except (ShapeError, ValueError):
        return None  # a grid of no rows, say, cannot hold its marks
    if len(content) > MOST_BYTES:
        return None
    try:
        parse(shape, content)
    except InputError:
        return content
    return None


def _pinned(block: Block, path: tuple[int, ...], value: int) -> Block:
    first, *rest = path
    items = list(block.items)
    item = items[first]
    if rest and isinstance(item, Times):
        # One block is enough, and it must be there.
        items[first] = replace(item, block=_pinned(item.block, tuple(rest), value))
    elif isinstance(item, Integer):
        items[first] = replace(item, low=Number(amount=value), high=Number(amount=value))
    return Block(lines=_as_lines(block, items))


def _as_lines(block: Block, items: list[Item]) -> tuple[tuple[Item, ...], ...]:
    lines, place = [], 0
    for line in block.lines:
        lines.append(tuple(items[place : place + len(line)]))
        place += len(line)
    return tuple(lines)
