"""Judging: submissions of a package, to results."""

from harness.judge.judging import Entry, Judging, Observer
from harness.judge.memory import Memory, NoMemory

__all__ = ["Entry", "Judging", "Memory", "NoMemory", "Observer"]
