"""Derive the verdict that the facts of a run alone decide; docs/verdicts.md has the table."""

from harness.results.verdict import Reason, Verdict
from harness.sandbox.facts import KillReason, Limits, RunResult
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """A verdict with its reason. `message` is the judge's own text; `score` is the validator's, if it gave one."""

    verdict: Verdict
    reason: Reason | None = None
    message: str = ""
    score: float | None = None
    score_multiplier: float | None = None


_KILLED = {
    KillReason.CPU: (Verdict.TIME_LIMIT_EXCEEDED, Reason.CPU_TIME),
    KillReason.WALL: (Verdict.TIME_LIMIT_EXCEEDED, Reason.WALL_TIME),
    KillReason.IDLE: (Verdict.TIME_LIMIT_EXCEEDED, Reason.IDLE),
    KillReason.MEMORY: (Verdict.MEMORY_LIMIT_EXCEEDED, Reason.MEMORY),
    KillReason.OUTPUT: (Verdict.OUTPUT_LIMIT_EXCEEDED, Reason.OUTPUT),
    KillReason.REQUEST: (Verdict.SKIPPED, Reason.INTERRUPTED),
}


def classify_run(run: RunResult, limits: Limits) -> Judgement | None:
    """Return the verdict that the facts of a run decide; None: the output validator must decide.

    The reason for which the judge stopped the program comes first, then how the program ended.

    A program over its CPU limit is too slow, even if it was stopped for its memory: which of the
    two the sandbox noticed first is random.

    `limits.cpu_s` is the problem's time limit; the run may have been allowed a little more, to measure it.
    """
    if run.killed_for in (None, KillReason.MEMORY) and run.cpu_s > limits.cpu_s:
        return Judgement(verdict=Verdict.TIME_LIMIT_EXCEEDED, reason=Reason.CPU_TIME)
    if run.killed_for is not None:
        verdict, reason = _KILLED[run.killed_for]
        return Judgement(verdict=verdict, reason=reason)
    if run.memory_bytes >= max(limits.memory_bytes, run.memory_floor_bytes + 1):
        return Judgement(verdict=Verdict.MEMORY_LIMIT_EXCEEDED, reason=Reason.MEMORY)
    if run.signal is not None:
        return Judgement(verdict=Verdict.RUN_TIME_ERROR, reason=Reason.SIGNAL)
    if run.exit_code != 0:
        return Judgement(verdict=Verdict.RUN_TIME_ERROR, reason=Reason.EXIT_CODE)
    return None
