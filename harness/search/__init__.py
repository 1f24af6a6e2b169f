"""Search for inputs that break a program, and make them small; see docs/stress.md."""

from harness.search.confirm import Dispute
from harness.search.hunt import Found, Hunt
from harness.search.model import Candidate, Clock, Failure, Outcome, Progress, Source, Trial
from harness.search.target import Target, target_of

__all__ = [
    "Candidate",
    "Clock",
    "Dispute",
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
