"""Search for inputs that break a program, and make them small; see docs/stress.md."""

from harness.search.confirm import Dispute
from harness.search.hunt import Hunt, SearchResult
from harness.search.model import (
    Candidate,
    CandidateFailure,
    CandidateOutcome,
    Clock,
    Progress,
    Source,
    TriedCandidate,
)
from harness.search.target import SearchTarget, target_of

__all__ = [
    "Candidate",
    "CandidateFailure",
    "CandidateOutcome",
    "Clock",
    "Dispute",
    "Hunt",
    "Progress",
    "SearchResult",
    "SearchTarget",
    "Source",
    "TriedCandidate",
    "target_of",
]
