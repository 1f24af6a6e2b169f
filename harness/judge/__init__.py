"""Judging: submissions of a package, to results."""

from harness.judge.gallery import Gallery, draw_input, images_in
from harness.judge.judging import Entry, Judging, Observer
from harness.judge.memory import Memory, NoMemory
from harness.judge.untimed import Inferred, infer_time_limit

__all__ = [
    "Entry",
    "Gallery",
    "Inferred",
    "Judging",
    "Memory",
    "NoMemory",
    "Observer",
    "draw_input",
    "images_in",
    "infer_time_limit",
]
