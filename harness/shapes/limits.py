"""The limits of a shape that are plain numbers, one after the other: to read them, to change one, to force it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from harness.shapes.expressions import Expression, Number
from harness.shapes.model import Array, Block, Choice, Edges, Integer, Item, Shape, String, Times, counting_names

Leaf = Integer | String


@dataclass(frozen=True, kw_only=True)
class Span:
    """An integer, or the length of a string, by its place among all of a shape. None: no plain number.

    ceiling: the highest that it can be, also where its limit is another integer. counts: whether it says how many
    things there are.
    """

    place: int
    low: int | None
    high: int | None
    ceiling: int | None
    counts: bool


def spans(shape: Shape) -> list[Span]:
    """All integers and strings of a shape, in order."""
    counting = counting_names(shape.block)
    found: list[Span] = []
    highest: dict[str, int] = {}

    def note(leaf: Leaf) -> Leaf:
        counts = isinstance(leaf, String) or leaf.name in counting
        ceiling = leaf.high.value(highest) if leaf.high.names <= highest.keys() else None
        low, high = _plain(leaf.low), _plain(leaf.high)
        found.append(Span(place=len(found), low=low, high=high, ceiling=ceiling, counts=counts))
        if leaf.name and ceiling is not None:
            highest[leaf.name] = ceiling
        return leaf

    _mapped(shape.block, note)
    return found


def with_limits(shape: Shape, place: int, *, low: int | None = None, high: int | None = None) -> Shape:
    """The shape with other limits of one integer or string; None: as it was."""
    numbers = iter(range(place + 1))

    def change(leaf: Leaf) -> Leaf:
        if next(numbers, None) != place:
            return leaf
        new_low = leaf.low if low is None else Number(amount=low)
        new_high = leaf.high if high is None else Number(amount=high)
        return replace(leaf, low=new_low, high=new_high)

    return replace(shape, block=_mapped(shape.block, change))


def _plain(expression: Expression) -> int | None:
    return expression.amount if isinstance(expression, Number) else None


def _mapped(block: Block, change: Callable[[Leaf], Leaf]) -> Block:
    return Block(lines=tuple(tuple(_changed(item, change) for item in line) for line in block.lines))


def _changed(item: Item, change: Callable[[Leaf], Leaf]) -> Item:
    match item:
        case Integer() | String():
            return change(item)
        case Array() if isinstance(item.item, Integer | String):
            return replace(item, item=change(item.item))
        case Edges() if item.weight is not None:
            weight = change(item.weight)
            return replace(item, weight=weight if isinstance(weight, Integer) else item.weight)
        case Times():
            return replace(item, block=_mapped(item.block, change))
        case Choice():
            return replace(item, blocks=tuple(_mapped(block, change) for block in item.blocks))
        case _:
            return item
