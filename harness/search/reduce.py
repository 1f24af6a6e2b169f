"""Makes a failing input small: the generator's parameters first, then the structure; it must fail in the same way."""

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from harness.generate import Invocation
from harness.sandbox import Sandbox
from harness.search.bench import Bench
from harness.search.families import candidate_of
from harness.search.parameters import smaller_call
from harness.search.trial import Candidate, Outcome, Trial
from harness.shapes import InputError, Shape, parse, shrink_ahead, write
from harness.verdict import Verdict

_LEAST_CAP_S = 0.2
_CAP_FACTOR = 10
_SHRINK_BUDGET = 20_000
_EXHAUSTIVE = 3000
_BATCH_BYTES = 1 << 20


class OutOfTime(Exception):  # noqa: N818 (an end, not a fault)
    """The time for making an input smaller is over; the best so far stands."""


@dataclass(kw_only=True)
class Reduction:
    """One failing trial on its way down. `best` is always a trial that failed as the first one did."""

    bench: Bench
    sandbox: Sandbox
    best: Trial
    deadline_s: float
    shape: Shape | None
    tell: Callable[[Trial], None] = lambda _: None
    executions: int = 0
    proven: bool = False
    _cap_s: float | None = None

    def run(self) -> Trial:
        """The smallest trial found before the deadline."""
        first = self.best
        for cap_s in self._caps_s():
            self._cap_s = cap_s
            self.best = first
            with contextlib.suppress(OutOfTime):
                self._reduce()
            if cap_s is None or self._holds(self.best):
                return self.best
        return first

    def _caps_s(self) -> list[float | None]:
        """Time limits under which to look: short ones, since an endless loop is one at every size."""
        failure = self.best.failure
        if failure is None or failure.verdict is not Verdict.TIME_LIMIT_EXCEEDED:
            cpu_s = failure.cpu_s if failure is not None else 0.0
            return [min(self.bench.limits.cpu_s, max(_LEAST_CAP_S, _CAP_FACTOR * cpu_s))]
        return [min(self.bench.limits.cpu_s, _LEAST_CAP_S), None]

    def _reduce(self) -> None:
        if self.best.candidate.invocation is not None:
            smaller_call(self.best.candidate.invocation, self._calls_failing)
        if self.shape is not None:
            self._shrink(self.shape)

    def _shrink(self, shape: Shape) -> None:
        try:
            value = parse(shape, self.best.data)
        except InputError:
            return
        shrunk = shrink_ahead(
            shape,
            value,
            lambda asked: self._data_failing([write(shape, one) for one in asked]),
            _SHRINK_BUDGET,
            exhaustive=_EXHAUSTIVE,
        )
        self.proven = shrunk.is_proven

    def _calls_failing(self, calls: Sequence[Invocation]) -> list[bool]:
        return self._failing([candidate_of(call) for call in calls], 1)

    def _data_failing(self, inputs: Sequence[bytes]) -> list[bool]:
        known = self.best.candidate
        candidates = [replace(known, data=data, invocation=None, answer=None) for data in inputs]
        return self._failing(candidates, max(1, _BATCH_BYTES // (len(inputs[0]) + 1)))

    def _failing(self, candidates: Sequence[Candidate], width: int) -> list[bool]:
        """Which of them fail in the same way; nothing is asked about those after the first."""
        answers: list[bool] = []
        while len(answers) < len(candidates) and True not in answers:
            if time.monotonic() > self.deadline_s:
                raise OutOfTime
            chunk = candidates[len(answers) : len(answers) + width]
            self.executions += len(chunk)
            trials = self.bench.look(self.sandbox, chunk, cpu_s=self._cap_s, again=True)
            answers += map(self._same, trials)
            first = next(filter(self._same, trials), None)
            if first is not None:
                self.best = first
                self.tell(first)
        return answers + [False] * (len(candidates) - len(answers))

    def _same(self, trial: Trial) -> bool:
        first, now = self.best.failure, trial.failure
        return trial.outcome is Outcome.FAILED and first is not None and now is not None and now.kind == first.kind

    def _holds(self, trial: Trial) -> bool:
        """Whether it fails so under the problem's own limit too."""
        self.executions += 1
        again = replace(trial.candidate, data=trial.data)
        return self._same(self.bench.look(self.sandbox, [again], again=True)[0])
