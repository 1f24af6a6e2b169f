"""Problem packages: `load` reads a folder and returns a frozen `Package` (model.py)."""

from harness.package.archive import opened, slug_of
from harness.package.find import find_package, packages_around, packages_in
from harness.package.load import is_foreign, load, load_to_read
from harness.package.model import Aggregation, Case, Group, Package, Person, ProblemType, Program, Rule

__all__ = [
    "Aggregation",
    "Case",
    "Group",
    "Package",
    "Person",
    "ProblemType",
    "Program",
    "Rule",
    "find_package",
    "is_foreign",
    "load",
    "load_to_read",
    "opened",
    "packages_around",
    "packages_in",
    "slug_of",
]
