"""Shapes: an input format as data. Parse, print, enumerate, draw, reduce and infer; knows no problem.

docs/shapes.md holds the grammar. Hypothesis strategies are in harness.shapes.strategies, which alone needs Hypothesis.
"""

from harness.shapes.drawing import draw
from harness.shapes.elsewhere import others
from harness.shapes.enumeration import enumerate_values
from harness.shapes.errors import InputError, ShapeError
from harness.shapes.faults import fits
from harness.shapes.grammar import read_shape
from harness.shapes.inference import infer, on_one_line
from harness.shapes.measure import is_simpler, rank, size
from harness.shapes.model import Record, Shape
from harness.shapes.reading import parse
from harness.shapes.shrinking import Shrunk, candidates, shrink, shrink_ahead, simplest_of_its_size
from harness.shapes.writing import write

__all__ = [
    "InputError",
    "Record",
    "Shape",
    "ShapeError",
    "Shrunk",
    "candidates",
    "draw",
    "enumerate_values",
    "fits",
    "infer",
    "is_simpler",
    "on_one_line",
    "others",
    "parse",
    "rank",
    "read_shape",
    "shrink",
    "shrink_ahead",
    "simplest_of_its_size",
    "size",
    "write",
]
