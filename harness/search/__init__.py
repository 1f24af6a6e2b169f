"""Search for inputs that break a program, and make them small; see docs/stress.md."""

from harness.search.hunt import Found, Hunt, Progress
from harness.search.target import Target, target_of
from harness.search.trial import Candidate, Failure, Outcome, Source, Trial

__all__ = [
    "Candidate",
    "Failure",
    "Found",
    "Hunt",
    "Outcome",
    "Progress",
    "Source",
    "Target",
    "Trial",
    "target_of",
]
