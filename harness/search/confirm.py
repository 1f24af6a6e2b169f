"""What a search found, run once more as `harness judge` would: only that decides."""

from dataclasses import dataclass, replace

from harness.errors import UsageError
from harness.host.host import Host
from harness.judge import Entry, Judging
from harness.package import Case, Group
from harness.package.files import File
from harness.package.model import CaseSettings
from harness.results.model import CaseResult
from harness.results.verdict import Verdict
from harness.search.evaluate import Bench
from harness.search.model import Trial
from harness.search.target import Target

_NAME = "found"
_STOPPED = (
    Verdict.RUN_TIME_ERROR,
    Verdict.TIME_LIMIT_EXCEEDED,
    Verdict.MEMORY_LIMIT_EXCEEDED,
    Verdict.OUTPUT_LIMIT_EXCEEDED,
)


@dataclass(frozen=True, kw_only=True)
class Confirming:
    """Plain judged runs of a target on single inputs."""

    target: Target
    host: Host
    bench: Bench

    def confirmed(self, best: Trial, first: Trial) -> tuple[Trial, CaseResult]:
        """The smallest of the two that fails so in a plain run, or that fails there in another way; else `best`."""
        judged = [self._judged(best)]
        if not _agree(*judged[0]):
            judged.append(self._judged(first))
        others = [(_as_judged(trial, result), result) for trial, result in judged]
        return next((one for one in (*judged, *others) if _agree(*one)), judged[0])

    def judging(self, trial: Trial) -> Judging:
        """A judging with this input as the only case."""
        package = self.target.package
        answer = trial.failure.answer if trial.failure is not None else None
        case = Case(
            name=f"sample/{_NAME}",
            input=File(origin=package.root / _NAME, content=trial.data),
            answer=File(origin=package.root / _NAME, content=answer or b""),
            settings=trial.settings or CaseSettings(),
        )
        limits = replace(package.limits, time_limit_s=self.bench.limits.cpu_s)
        alone = replace(
            package, sample=Group(name="sample", cases=(case,)), secret=Group(name="secret"), limits=limits
        )
        return Judging(package=alone, host=self.host)

    @property
    def entry(self) -> Entry:
        """The submission, as a stranger's."""
        return Entry(program=self.target.submission)

    def _judged(self, trial: Trial) -> tuple[Trial, CaseResult]:
        """The trial with what is right, and the verdict of a plain run, as `harness judge` gives it."""
        trial = self._with_answer(trial)
        [result] = self.judging(trial).run([self.entry])
        if not result.cases:
            raise UsageError(f"{result.path}: {result.verdict.words}\n{result.message}")
        return trial, result.cases[0]

    def _with_answer(self, trial: Trial) -> Trial:
        """The trial with what is right, where a crash had made the question needless."""
        failure, settings = trial.failure, trial.settings
        if failure is None or failure.answer is not None or settings is None:
            return trial
        [answer] = self.host.pool.alone(self.bench.answers_to, [trial])
        return replace(trial, failure=replace(failure, answer=answer))


def _agree(trial: Trial, result: CaseResult) -> bool:
    return trial.failure is not None and result.verdict is trial.failure.verdict


def _as_judged(trial: Trial, result: CaseResult) -> Trial:
    """The trial with how the plain run ended: what runs into one limit may run into another one, or crash there."""
    if trial.failure is None or result.verdict not in _STOPPED:
        return trial
    failure = replace(
        trial.failure,
        verdict=result.verdict,
        reason=result.reason,
        signal=result.signal,
        exit_code=result.exit_code,
        message=result.message,
    )
    return replace(trial, failure=failure)
