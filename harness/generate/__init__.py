"""Test data from recipes."""

from harness.generate.data import DataReport, build_data, needs_building
from harness.generate.lock import LOCK, Drift
from harness.generate.programs import generator_program
from harness.generate.recipe import Invocation, Recipe, read_recipe

__all__ = [
    "LOCK",
    "DataReport",
    "Drift",
    "Invocation",
    "Recipe",
    "build_data",
    "generator_program",
    "needs_building",
    "read_recipe",
]
