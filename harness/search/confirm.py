"""Confirm a failing input: by a plain judged run, and by checking the reference on samples."""

import time
from collections.abc import Sequence
from dataclasses import replace

from harness.build.executable import Executable
from harness.errors import UsageError
from harness.host.host import Host
from harness.judge.judging import Judging
from harness.judge.submission_result import Entry
from harness.package import Case, Group
from harness.package.files import File
from harness.package.model import CaseSettings
from harness.results.model import CaseResult
from harness.results.verdict import Verdict
from harness.sandbox.facts import Sandbox
from harness.search.candidates import Doubt, TriedCandidate
from harness.search.evaluate import Evaluator, sample_trial
from harness.search.policy import HUNT
from harness.values import dataclass

_NAME = "this input"  # of the only case; the input need be no sample
_STOPPED = (
    Verdict.RUN_TIME_ERROR,
    Verdict.TIME_LIMIT_EXCEEDED,
    Verdict.MEMORY_LIMIT_EXCEEDED,
    Verdict.OUTPUT_LIMIT_EXCEEDED,
)


@dataclass(frozen=True, kw_only=True)
class Confirming:
    """Judges single inputs as `harness judge` does: each run is a process of its own."""

    host: Host
    evaluator: Evaluator

    def confirmed(self, best: TriedCandidate, first: TriedCandidate) -> tuple[TriedCandidate, CaseResult]:
        """Judge the smallest input, then if need be the first; return a failing one with its result.

        Prefer an input that fails in the same way as in the search, then one that exceeds a limit or crashes: that
        failure replaces the search's. Return `best` if neither does, in doubt if its run is right.
        """
        judged = [self._judged(best)]
        if not _agree(*judged[0]) and first.data != best.data:
            judged.append(self._judged(first))
        corrected = [(_as_judged(trial, result), result) for trial, result in judged]
        return next((run for run in (*judged, *corrected) if _agree(*run)), _unsteady(*judged[0]))

    def build(self, trial: TriedCandidate) -> None:
        """Build the programs that judge an input, so that confirming it takes no time for that."""
        judging = self.judging(trial)
        judging.build([self.entry])
        _ = judging.case_judge  # builds the validators

    def judging(self, trial: TriedCandidate) -> Judging:
        """Return a judging of the package with this input as the only case."""
        package = self.evaluator.target.package
        answer = trial.failure.answer if trial.failure is not None else None
        case = Case(
            name=_NAME,
            input=File(origin=package.root / _NAME, content=trial.data),
            answer=File(origin=package.root / _NAME, content=answer or b""),
            settings=trial.settings or CaseSettings(),
        )
        limits = replace(package.limits, time_limit_s=self.evaluator.limits.cpu_s)
        alone = replace(
            package, sample=Group(name="sample", cases=(case,)), secret=Group(name="secret"), limits=limits
        )
        return Judging(package=alone, host=self.host)

    @property
    def entry(self) -> Entry:
        """Return the submission as an untrusted entry."""
        return Entry(program=self.evaluator.target.submission)

    def _judged(self, trial: TriedCandidate) -> tuple[TriedCandidate, CaseResult]:
        """Return the trial with the right answer, and the result of a plain run, as by `harness judge`."""
        trial = self._with_answer(trial)
        judging, entry = self.judging(trial), self.entry
        [built] = judging.build([entry])
        left_s = self.evaluator.programs.deadline_s - time.monotonic()
        if left_s < HUNT.confirming_times * self.evaluator.limits.cpu_s and isinstance(built, Executable):
            return trial, self._judged_once(judging, built)  # a run near the time limit is not repeated
        [result] = judging.run([entry])
        if not result.cases:
            raise UsageError(f"{result.path}: {result.verdict.words}\n{result.message}")
        return trial, result.cases[0]

    def _judged_once(self, judging: Judging, built: Executable) -> CaseResult:
        group = judging.package.sample
        [case] = group.cases
        case_judge = judging.case_judge  # building needs a sandbox, of which there may be only one
        return self.host.pool.alone(
            lambda sandbox, executable: case_judge.judge(sandbox, executable, group, case), built
        )

    def _with_answer(self, trial: TriedCandidate) -> TriedCandidate:
        """Return the trial with the reference's answer, which a crashed candidate does not have yet."""
        failure, settings = trial.failure, trial.settings
        if failure is None or failure.answer is not None or settings is None:
            return trial
        [reply] = self.host.pool.alone(self.evaluator.reference.replies, [self.evaluator.call_of(trial)])
        return replace(trial, failure=replace(failure, answer=reply.output))


def _agree(trial: TriedCandidate, result: CaseResult) -> bool:
    """Return whether the plain run has the verdict of the search."""
    return trial.fails_with(result.verdict)


def _unsteady(trial: TriedCandidate, result: CaseResult) -> tuple[TriedCandidate, CaseResult]:
    """Return the trial in doubt if the plain run does not fail at all; an earlier doubt is kept."""
    if result.verdict is not Verdict.ACCEPTED:
        return trial, result
    doubt = Doubt(reason=f"a plain run gave {result.verdict}", is_unsteady=True)
    return replace(trial, doubt=trial.doubt or doubt), result


def _as_judged(trial: TriedCandidate, result: CaseResult) -> TriedCandidate:
    """Return the trial with the failure of the plain run, if that run crashed or exceeded a limit."""
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


def doubt_of_reference(evaluator: Evaluator, sandbox: Sandbox, cases: Sequence[Case], deadline_s: float) -> str:
    """Run the reference on small cases; describe the first that it gets wrong, "" if there is none.

    Only for a reference from outside of the package.
    """
    reference = evaluator.target.reference
    if reference is None or evaluator.target.played or reference in evaluator.target.package.submissions:
        return ""  # a search does not verify the package
    compared = [case for case in cases if case.answer is not None and case.input.size() <= HUNT.most_sample_bytes]
    for case in compared[: HUNT.most_samples]:
        if time.monotonic() > deadline_s or case.answer is None:
            break
        trial = sample_trial(case)
        [reply] = evaluator.reference.replies(sandbox, [evaluator.call_of(trial)], full_time=True)
        if reply.output is None:
            return f"{reference.path} fails on {case.name}: {reply.ending}"
        verdict = evaluator.verdict(sandbox, trial, reply.output, case.answer.read())
        if verdict is Verdict.WRONG_ANSWER:
            answer = "its answer file is empty" if not case.answer.read().strip() else "is it right?"
            return f"{reference.path} does not answer {case.name} as its answer file does: {answer}"
    return ""
