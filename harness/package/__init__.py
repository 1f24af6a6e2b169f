"""Problem packages as frozen values (model.py). `load.load` reads a folder, `find.find_package` finds it."""

from harness.package.model import Aggregation, Case, Group, GroupCase, Package, Person, ProblemType, Program, Rule

__all__ = ["Aggregation", "Case", "Group", "GroupCase", "Package", "Person", "ProblemType", "Program", "Rule"]
