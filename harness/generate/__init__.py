"""Test data from recipes."""

from harness.generate.data import DataReport, build_data, needs_building
from harness.generate.overlay import (
    BuiltPackage,
    bring_up_to_date,
    built_overlay,
    generate_data,
    load_built,
    load_with_overlay,
)
from harness.generate.programs import generator_program
from harness.generate.recipe import Invocation, Recipe, read_recipe
from harness.generate.record import Drift, mends

__all__ = [
    "BuiltPackage",
    "DataReport",
    "Drift",
    "Invocation",
    "Recipe",
    "bring_up_to_date",
    "build_data",
    "built_overlay",
    "generate_data",
    "generator_program",
    "load_built",
    "load_with_overlay",
    "mends",
    "needs_building",
    "read_recipe",
]
