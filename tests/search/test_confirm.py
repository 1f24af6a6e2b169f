"""A find is what a plain judged run shows: as in the search, or another way to be stopped."""

from typing import Any

import pytest

from harness.results.model import CaseResult
from harness.results.verdict import Reason, Verdict
from harness.search.confirm import Confirming
from harness.search.model import Candidate, CandidateFailure, CandidateOutcome, Source, TriedCandidate

TLE, MLE, AC = Verdict.TIME_LIMIT_EXCEEDED, Verdict.MEMORY_LIMIT_EXCEEDED, Verdict.ACCEPTED


def trial(data: bytes) -> TriedCandidate:
    failure = CandidateFailure(verdict=TLE, reason=Reason.CPU_TIME, answer=b"1\n")
    candidate = Candidate(source=Source.RANDOM, words="an input", data=data)
    return TriedCandidate(candidate=candidate, outcome=CandidateOutcome.FAILED, data=data, failure=failure)


@pytest.mark.parametrize(
    ("small", "large", "data", "verdict", "shown"),
    [
        (TLE, AC, b"1\n", TLE, TLE),
        (AC, TLE, b"22\n", TLE, TLE),
        (MLE, TLE, b"22\n", TLE, TLE),  # as the search saw it, rather than small
        (MLE, AC, b"1\n", MLE, MLE),
        (AC, MLE, b"22\n", MLE, MLE),
        (AC, AC, b"1\n", TLE, AC),  # not confirmed
    ],
)
def test_the_verdict_of_the_plain_run_is_the_verdict_of_the_find(
    monkeypatch: pytest.MonkeyPatch, small: Verdict, large: Verdict, data: bytes, verdict: Verdict, shown: Verdict
) -> None:
    verdicts = {b"1\n": small, b"22\n": large}

    def judged(_: Confirming, one: TriedCandidate) -> tuple[TriedCandidate, CaseResult]:
        return one, CaseResult(name="sample/found", group="sample", verdict=verdicts[one.data])

    monkeypatch.setattr(Confirming, "_judged", judged)
    nothing: Any = None
    found, result = Confirming(target=nothing, host=nothing, bench=nothing).confirmed(
        trial(b"1\n"), trial(b"22\n")
    )
    assert found.data == data
    assert found.failure is not None and found.failure.verdict is verdict
    assert result.verdict is shown
