"""A shape with one more rule.

An integer goes no further than an earlier one, or not below it; an array is in order, a graph has no loops. Samples are
too few to show such rules: `k: 1..10` of a head `n k` is `1..n` more often than not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from harness.shapes.expressions import Expression, Name, Number, Operation
from harness.shapes.model import Array, Block, Choice, Edges, Integer, Item, Shape, Times

_ORDERS = ("distinct", "sorted", "rising")
_FLAGS = ("loopless", "simple", "acyclic", "rising", "connected")


def tighter(shape: Shape) -> Iterator[Shape]:
    """The shape with each of the rules that it could have besides."""
    for block in _blocks(shape.block, ()):
        yield replace(shape, block=block)


def _blocks(block: Block, outer: Sequence[str]) -> Iterator[Block]:
    scope = list(outer)
    for number, line in enumerate(block.lines):
        for place, item in enumerate(line):
            for other in _items(item, scope):
                changed = (*line[:place], other, *line[place + 1 :])
                yield Block(lines=(*block.lines[:number], changed, *block.lines[number + 1 :]))
            if isinstance(item, Integer) and item.name and not (item.hidden or item.decimals):
                scope.append(item.name)


def _items(item: Item, scope: Sequence[str]) -> Iterator[Item]:
    match item:
        case Integer():
            yield from _integers(item, scope)
        case Array(item=Integer() as inner):
            yield from (replace(item, item=other) for other in _integers(inner, scope))
            if not item.order:
                yield from (replace(item, order=order) for order in _ORDERS)
        case Edges(tree=False):
            wanted: list[dict[str, Any]] = [{flag: True} for flag in _FLAGS if not getattr(item, flag)]
            yield from (replace(item, **flag) for flag in wanted)
        case Times():
            yield from (replace(item, block=block) for block in _blocks(item.block, scope))
        case Choice():
            for place, block in enumerate(item.blocks):
                for other in _blocks(block, scope):
                    yield replace(item, blocks=(*item.blocks[:place], other, *item.blocks[place + 1 :]))
        case _:
            return


def _integers(item: Integer, scope: Sequence[str]) -> Iterator[Integer]:
    if item.decimals or item.hidden or item.low == item.high:
        return
    for name in reversed(scope):
        if isinstance(item.high, Number):
            yield replace(item, high=Name(name=name))
            yield replace(item, high=_beside(name, "-"))
        if isinstance(item.low, Number):
            yield replace(item, low=Name(name=name))
            yield replace(item, low=_beside(name, "+"))


def _beside(name: str, sign: str) -> Expression:
    return Operation(sign=sign, left=Name(name=name), right=Number(amount=1))
