"""What the tests of a search share: targets without a package, candidates, and how they fail."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.package import Case, Package, Program
from harness.package.ad_hoc import package_of_cases
from harness.package.files import File
from harness.package.model import ProblemLimits
from harness.results.verdict import Verdict
from harness.search.candidates import Candidate, CandidateFailure, CandidateOutcome, Source, TriedCandidate
from harness.search.target import SearchTarget
from harness.shapes import Shape, read_shape

WRONG = CandidateFailure(verdict=Verdict.WRONG_ANSWER, reason=None)


def case(name: str, data: bytes) -> Case:
    return Case(name=name, input=File(origin=Path(name), content=data), answer=None)


def package(*, samples: Sequence[bytes] = (), time_limit_s: float | None = None) -> Package:
    cases = [case(f"sample/{number}", data) for number, data in enumerate(samples, start=1)]
    limits = ProblemLimits(time_limit_s=time_limit_s)
    return package_of_cases(name="p", root=Path("p"), cases=cases, limits=limits)


def program(name: str = "my.py", source: str = "") -> Program:
    return Program(path=name, files={name: File(origin=Path(name), content=source.encode())})


def target(shape: Shape | str | None = None, *, samples: Sequence[bytes] = (), **values: Any) -> SearchTarget:
    """A target of a shape and samples alone, but for these values."""
    known = {
        "package": package(samples=samples),
        "submission": program(),
        "reference": None,
        "shape": read_shape(shape) if isinstance(shape, str) else shape,
        "recipe": None,
    }
    return SearchTarget(**{**known, **values})


def candidate(data: bytes, source: Source = Source.RANDOM, description: str = "") -> Candidate:
    return Candidate(source=source, description=description, data=data)


def tried(data: bytes, failure: CandidateFailure | None = None, source: Source = Source.RANDOM) -> TriedCandidate:
    """A trial that failed so, or passed."""
    outcome = CandidateOutcome.PASSED if failure is None else CandidateOutcome.FAILED
    return TriedCandidate(candidate=candidate(data, source), outcome=outcome, data=data, failure=failure)
