"""What a shape says of graphs, taken back step by step.

That they hang together; that edges rise, then that no way comes back to where it began; that no edge comes twice, then
that none is a loop.
"""

from dataclasses import replace
from typing import Any

from harness.shapes.model import Block, Choice, Edges, Item, Shape, Times

FLAGS = ("connected", "rising", "acyclic", "simple", "loopless")
_WEAKER = {"rising": "acyclic", "simple": "loopless"}  # what may still be meant by it


def looser(shape: Shape, flag: str) -> Shape | None:
    """The shape whose graphs (trees apart) need not be so; None where none must be."""
    block = _without(shape.block, flag)
    return None if block == shape.block else replace(shape, block=block)


def _without(block: Block, flag: str) -> Block:
    return Block(lines=tuple(tuple(_loosened(item, flag) for item in line) for line in block.lines))


def _loosened(item: Item, flag: str) -> Item:
    match item:
        case Edges(tree=False) if getattr(item, flag):
            taken_back: dict[str, Any] = {flag: False, **({_WEAKER[flag]: True} if flag in _WEAKER else {})}
            return replace(item, **taken_back)
        case Times():
            return replace(item, block=_without(item.block, flag))
        case Choice():
            return replace(item, blocks=tuple(_without(block, flag) for block in item.blocks))
        case _:
            return item
