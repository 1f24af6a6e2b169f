"""How an input fails, and what counts as failing in the same way."""

from harness.results.verdict import Reason, Verdict
from harness.search.candidates import CandidateFailure


def late(reason: Reason, cpu_s: float) -> CandidateFailure:
    return CandidateFailure(verdict=Verdict.TIME_LIMIT_EXCEEDED, reason=reason, signal=9, cpu_s=cpu_s)


def test_a_busy_program_is_too_slow_whichever_clock_stops_it() -> None:
    """On a busy machine the wall clock comes first; a find was not made smaller for that."""
    assert late(Reason.WALL_TIME, 1.99).kind == late(Reason.CPU_TIME, 2.0).kind


def test_a_program_that_sleeps_or_waits_fails_in_another_way() -> None:
    kinds = {late(Reason.CPU_TIME, 2.0).kind, late(Reason.WALL_TIME, 0.002).kind, late(Reason.IDLE, 0.002).kind}
    assert len(kinds) == 3
