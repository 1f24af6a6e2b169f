"""Run smaller inputs than a failing one, and keep the best that fails in the same way."""

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace

from harness.host.run_many import OutOfTimeError
from harness.results.verdict import Verdict
from harness.sandbox.facts import Sandbox
from harness.search.candidates import Candidate, TriedCandidate
from harness.search.evaluate import Evaluator
from harness.search.policy import REDUCE
from harness.values import dataclass


@dataclass(kw_only=True)
class BestInput:
    """The best failing input so far: `best` always fails in the same way as the first one.

    deadline_s: by time.monotonic(). tell: called with each new `best`. executions: number of tried candidates.
    """

    evaluator: Evaluator
    sandbox: Sandbox
    best: TriedCandidate
    evaluate: Callable[..., list[TriedCandidate]]  # the signature of Evaluator.evaluate
    deadline_s: float
    tell: Callable[[TriedCandidate], None] = lambda _: None
    executions: int = 0
    _cap_s: float | None = None  # the time limit of candidates; None: the problem's
    _trail: list[TriedCandidate] = field(default_factory=list)  # all inputs that were `best`, in order

    def _first_cap_s(self) -> float:
        """Return a first time limit, in seconds, that is short: an endless loop exceeds any limit at every size."""
        failure = self.best.failure
        is_late = failure is not None and failure.verdict is Verdict.TIME_LIMIT_EXCEEDED
        took_s = 0.0 if failure is None or is_late else failure.cpu_s
        return min(self.evaluator.limits.cpu_s, max(REDUCE.least_cap_s, REDUCE.cap_factor * took_s))

    def _smallest_at_full_limit(self, end_s: float) -> TriedCandidate:
        """Return the smallest input of the trail that fails under the problem's own limit, by bisection."""
        fails, passes = 0, len(self._trail) - 1
        while passes - fails > 1 and time.monotonic() < end_s:
            middle = (fails + passes) // 2
            if self._fails_at_full_limit(self._trail[middle]):
                fails = middle
            else:
                passes = middle
        return self._trail[fails]

    @property
    def _left_s(self) -> float:
        """Return the seconds until the deadline."""
        return max(0.0, self.deadline_s - time.monotonic())

    @contextlib.contextmanager
    def _within(self, seconds: float) -> Iterator[None]:
        """Give a block at most this many seconds; when they are over, it ends without an error."""
        end_s = self.deadline_s
        self.deadline_s = min(end_s, time.monotonic() + seconds)
        try:
            with contextlib.suppress(OutOfTimeError):
                yield
        finally:
            self.deadline_s = end_s

    def _failing(self, candidates: Sequence[Candidate], width: int) -> list[bool]:
        """Return which candidates fail in the same way; those after the first failing batch are not tried.

        width: most candidates in a batch.
        """
        flags: list[bool] = []
        while len(flags) < len(candidates) and True not in flags:
            if time.monotonic() > self.deadline_s:
                raise OutOfTimeError
            chunk = candidates[len(flags) : len(flags) + min(width, self._at_once())]
            self.executions += len(chunk)
            with self.evaluator.programs.until(self.deadline_s):
                trials = self._try(chunk, cpu_s=self._cap_s)
            flags += map(self._fails_alike, trials)
            first = next(filter(self._fails_alike, trials), None)
            if first is not None:
                self.best = first
                self._trail.append(first)
                self.tell(first)
        return flags + [False] * (len(candidates) - len(flags))

    def _at_once(self) -> int:
        """Return how many inputs to run per batch: runs after the first failing input are wasted."""
        took_s = self.best.failure.cpu_s if self.best.failure is not None else 0.0
        return max(1, int(REDUCE.wasted_s / max(took_s, 1e-4)))

    def _fails_alike(self, trial: TriedCandidate) -> bool:
        first, now = self.best.failure, trial.failure
        is_alike = first is not None and now is not None and now.kind == first.kind
        return is_alike and trial.outcome is self.best.outcome

    def _fails_at_full_limit(self, trial: TriedCandidate) -> bool:
        """Return whether an input fails in the same way with the problem's own time limit; False: no time is left."""
        if trial.failure is not None and trial.failure.verdict is Verdict.WRONG_ANSWER:
            return True  # its output was there within a lower limit
        self.executions += 1
        try:
            return self._fails_alike(self._try([replace(trial.candidate, data=trial.data)])[0])
        except OutOfTimeError:
            return False

    def _try(self, candidates: Sequence[Candidate], *, cpu_s: float | None = None) -> list[TriedCandidate]:
        return self.evaluate(self.sandbox, candidates, cpu_s=cpu_s, again=True)
