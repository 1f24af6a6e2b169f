"""Search for inputs that break a program, and make them small; see docs/stress.md."""

from harness.search.candidates import (
    Candidate,
    CandidateFailure,
    CandidateOutcome,
    Clock,
    Doubt,
    Outside,
    Progress,
    SearchResult,
    Source,
    TriedCandidate,
)
from harness.search.hunt import Hunt
from harness.search.target import SearchTarget, target_of

__all__ = [
    "Candidate",
    "CandidateFailure",
    "CandidateOutcome",
    "Clock",
    "Doubt",
    "Hunt",
    "Outside",
    "Progress",
    "SearchResult",
    "SearchTarget",
    "Source",
    "TriedCandidate",
    "target_of",
]
