"""Shapes: an input format as data. Parse, print, enumerate, draw, reduce and infer; knows no problem.

docs/shapes.md holds the grammar. Hypothesis strategies are in harness.shapes.testing, which alone needs Hypothesis.
"""

from harness.shapes.draft import infer, on_one_line, readings
from harness.shapes.grammar import read_shape
from harness.shapes.kinds import Record, Shape
from harness.shapes.reader import InputError, ShapeError
from harness.shapes.shrinking import shrink
from harness.shapes.values import (
    draw,
    draw_each,
    draw_large,
    enumerate_values,
    fits,
    parse,
    parsed,
    parsed_tidy,
    size,
    tidy,
    tidy_for,
    write,
)

__all__ = [
    "InputError",
    "Record",
    "Shape",
    "ShapeError",
    "draw",
    "draw_each",
    "draw_large",
    "enumerate_values",
    "fits",
    "infer",
    "on_one_line",
    "parse",
    "parsed",
    "parsed_tidy",
    "read_shape",
    "readings",
    "shrink",
    "size",
    "tidy",
    "tidy_for",
    "write",
]
