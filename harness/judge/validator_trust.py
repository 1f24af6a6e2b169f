"""Whether the judge programs can be trusted to say anything: a validator that never works stops the judging."""

from collections.abc import Callable
from dataclasses import field

from harness.results.model import CaseResult
from harness.results.verdict import Verdict
from harness.values import dataclass

NOT_JUDGED = "not judged: the judging stopped, for all that a validator was asked was a judge error"
_ENOUGH = 3
_SAID = (Verdict.ACCEPTED, Verdict.WRONG_ANSWER)


@dataclass(kw_only=True)
class Trust:
    """Lost when, in judging order, the first cases that reach a validator are judge errors, of three submissions.

    Of fewer where there are no three; one alone may have been written to make the validator fail. By the order and not
    by the clock, so that the same judging stops at the same place every time. given: never lost (--all). A validator
    that has worked once is not given up: what it fails on is its own submission's.
    """

    given: bool = False
    lost: bool = False


@dataclass(kw_only=True)
class Hearing:
    """Hears results as workers have them, and makes of them what they say of trust, in judging order.

    submissions: of how many the tasks are. counted: how many tasks, from the first on, it took to decide about trust.
    """

    trust: Trust
    submissions: int
    counted: int = 0
    _early: dict[int, tuple[CaseResult | None, Callable[[], bool], str]] = field(default_factory=dict)
    _failed: set[str] = field(default_factory=set)

    def hear(self, place: int, result: CaseResult | None, counts: Callable[[], bool], submission: str) -> None:
        """What came of the task at a place of the order; None: it was not run.

        counts: whether the result counts, asked once everything before it has been heard.
        """
        if not self._decided:
            self._early[place] = result, counts, submission
        while not self._decided and self.counted in self._early:
            result, counts, submission = self._early.pop(self.counted)
            self.counted += 1
            if result is not None and counts():
                self.trust.given = result.verdict in _SAID
                if result.verdict is Verdict.JUDGE_ERROR:
                    self._failed.add(submission)
                self.trust.lost = len(self._failed) >= min(_ENOUGH, self.submissions)

    @property
    def _decided(self) -> bool:
        return self.trust.given or self.trust.lost
