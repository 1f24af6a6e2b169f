"""The kinds of items that a shape is made of: one file a kind, and the blocks that hold them.

Integer → int                 Word, String, Fields → bytes
Array → tuple of parts        Permutation, Parents → tuple of int
Grid → tuple of rows, bytes   Edges → tuple of (u, v) or (u, v, weight)
Times → tuple of Records      Choice → Record, whose `form` is the index of its block
"""

from harness.shapes.kinds.array import Array, Scalar
from harness.shapes.kinds.block import Block, Part, Record, Shape
from harness.shapes.kinds.choice import Choice
from harness.shapes.kinds.edges import Edges
from harness.shapes.kinds.grid import Count, Grid
from harness.shapes.kinds.integer import Integer
from harness.shapes.kinds.kind import Item
from harness.shapes.kinds.order import ORDERS
from harness.shapes.kinds.parents import Parents
from harness.shapes.kinds.permutation import Permutation
from harness.shapes.kinds.times import Times
from harness.shapes.kinds.words import Field, Fields, Letters, String, Word

__all__ = [
    "ORDERS",
    "Array",
    "Block",
    "Choice",
    "Count",
    "Edges",
    "Field",
    "Fields",
    "Grid",
    "Integer",
    "Item",
    "Letters",
    "Parents",
    "Part",
    "Permutation",
    "Record",
    "Scalar",
    "Shape",
    "String",
    "Times",
    "Word",
]
