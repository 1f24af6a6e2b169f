"""Shapes: an input format as data. Parse, print, enumerate, draw, reduce and infer; knows no problem.

docs/shapes.md holds the grammar. Hypothesis strategies are in harness.shapes.testing, which alone needs Hypothesis.
"""

from harness.shapes.draft import infer, on_one_line, readings
from harness.shapes.grammar import read_shape
from harness.shapes.kinds import Record, Shape
from harness.shapes.reader import InputError, ShapeError
from harness.shapes.shrinking import (
    Shrunk,
    candidates,
    others,
    shrink,
    shrink_ahead,
    simplest_of_its_size,
    traded,
)
from harness.shapes.values import (
    broken_rule,
    draw,
    draw_each,
    draw_large,
    enumerate_values,
    fits,
    is_simpler,
    parse,
    parsed,
    rank,
    size,
    tidy,
    write,
)

__all__ = [
    "InputError",
    "Record",
    "Shape",
    "ShapeError",
    "Shrunk",
    "broken_rule",
    "candidates",
    "draw",
    "draw_each",
    "draw_large",
    "enumerate_values",
    "fits",
    "infer",
    "is_simpler",
    "on_one_line",
    "others",
    "parse",
    "parsed",
    "rank",
    "read_shape",
    "readings",
    "shrink",
    "shrink_ahead",
    "simplest_of_its_size",
    "size",
    "tidy",
    "traded",
    "write",
]
