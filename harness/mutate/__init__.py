"""Mutation testing of a package's data; docs/mutation.md."""

from harness.mutate.building import can_mutate
from harness.mutate.model import Fate, Finding, MutationError, MutationReport, SolutionFindings
from harness.mutate.mutation import Mutation
from harness.mutate.mutation_yaml import NOTES, Notes, read_notes

__all__ = [
    "NOTES",
    "Fate",
    "Finding",
    "Mutation",
    "MutationError",
    "MutationReport",
    "Notes",
    "SolutionFindings",
    "can_mutate",
    "read_notes",
]
