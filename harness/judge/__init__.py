"""Judging: submissions of a package, to results."""

from harness.judge.judging import Entry, Judging, Observer
from harness.judge.memory import Memory, NoMemory
from harness.judge.untimed import Inferred, infer_time_limit

__all__ = ["Entry", "Inferred", "Judging", "Memory", "NoMemory", "Observer", "infer_time_limit"]
