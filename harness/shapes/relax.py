"""What a shape says of graphs and of arrays in order, taken back step by step.

That they hang together; that edges rise, then that no way comes back to where it began; that no edge comes twice, then
that none is a loop. Of arrays that they are in order or without a number twice; else that one of the two is so.
"""

from dataclasses import replace
from typing import Any

from harness.shapes.model import Array, Block, Choice, Edges, Item, Shape, Times

FLAGS = ("connected", "rising", "acyclic", "simple", "loopless", "ordered", "strict", "in order")
_ORDERS = {
    "ordered": {"sorted": "", "rising": "", "distinct": ""},
    "strict": {"rising": "sorted"},
    "in order": {"rising": "distinct"},
}
_WEAKER = {"rising": "acyclic", "simple": "loopless"}  # what may still be meant by it


def looser(shape: Shape, flag: str) -> Shape | None:
    """The shape whose graphs (trees apart) and arrays need not be so; None where none must be."""
    block = _without(shape.block, flag)
    return None if block == shape.block else replace(shape, block=block)


def _without(block: Block, flag: str) -> Block:
    return Block(lines=tuple(tuple(_loosened(item, flag) for item in line) for line in block.lines))


def _loosened(item: Item, flag: str) -> Item:
    match item:
        case Edges(tree=False) if getattr(item, flag, False):
            taken_back: dict[str, Any] = {flag: False, **({_WEAKER[flag]: True} if flag in _WEAKER else {})}
            return replace(item, **taken_back)
        case Array() if item.order in _ORDERS.get(flag, {}):
            return replace(item, order=_ORDERS[flag][item.order])
        case Times():
            return replace(item, block=_without(item.block, flag))
        case Choice():
            return replace(item, blocks=tuple(_without(block, flag) for block in item.blocks))
        case _:
            return item
