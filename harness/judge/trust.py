"""Whether the judge programs can be trusted to say anything: a validator that never works stops the judging."""

from collections.abc import Iterable
from dataclasses import dataclass

from harness.results import CaseResult
from harness.verdict import Verdict

NOT_JUDGED = "not judged: the judging stopped, for the first thing that a validator was asked was a judge error"
_SAID = (Verdict.ACCEPTED, Verdict.WRONG_ANSWER)


@dataclass(kw_only=True)
class Trust:
    """Lost when, in judging order, the first case that reaches a validator is a judge error.

    By the order and not by the clock, so that the same judging stops at the same place every time. given: never
    lost (--all). A validator that has worked once is not given up: what it fails on is its own submission's.
    """

    given: bool = False
    lost: bool = False
    counted: int = 0  # once it is lost: how many results count, the judge error included

    def look(self, results: Iterable[CaseResult | None]) -> None:
        """The results so far, in judging order; None: not there yet."""
        if self.given or self.lost:
            return
        for count, result in enumerate(results, start=1):
            if result is None or result.verdict in _SAID:
                self.given = result is not None
                return
            if result.verdict is Verdict.JUDGE_ERROR:
                self.lost, self.counted = True, count
                return
