"""Judging: submissions of a package, to results."""

from harness.judge.judging import Judging, Memory, NoMemory, Observer
from harness.judge.prepare import Inferred, infer_time_limit
from harness.judge.submission_result import Entry
from harness.judge.visualizers import Gallery, draw_input, images_in

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
