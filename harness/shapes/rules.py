"""A shape with one rule less, or with one rule more.

Samples are too few to show rules: `k: 1..10` of a head `n k` is `1..n` more often than not. One rule more: an integer
goes no further than an earlier one, or not below it; an array is in order; a graph has no loops.
"""

from collections.abc import Iterator
from dataclasses import replace

from harness.shapes.kinds import Shape

# In this order: a graph hangs together, rises, is acyclic, simple, loopless; an array is in order or distinct, else
# one of the two.
FLAGS = ("connected", "rising", "acyclic", "simple", "loopless", "ordered", "strict", "in order")


def looser(shape: Shape, flag: str) -> Shape | None:
    """Return the shape whose graphs (trees apart) and arrays lack the rule `flag`; None if none has it."""
    block = shape.block.relaxed(flag)
    return None if block == shape.block else replace(shape, block=block)


def loosest(shape: Shape) -> Shape:
    """Return the shape without any limit, letter or rule that samples can only suggest: what follows what is left."""
    return replace(shape, block=shape.block.loosest())


def tighter(shape: Shape) -> Iterator[Shape]:
    """Yield the shape with each of the rules that it could have besides."""
    for block in shape.block.tightened(()):
        yield replace(shape, block=block)
