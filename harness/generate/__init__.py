"""Test data from recipes."""

from harness.generate.data import DataReport, build_data, needs_building
from harness.generate.lock import LOCK, Drift

__all__ = ["LOCK", "DataReport", "Drift", "build_data", "needs_building"]
