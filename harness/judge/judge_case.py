"""Judges one submission on one case of a package."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path, PurePath
from typing import Protocol, TypeVar

from harness.build.executable import Built, Executable
from harness.check.classify import Judgement
from harness.check.default_validator import parse_arguments
from harness.check.difference_window import MOST_BYTES, output_difference
from harness.check.output_check import output_check_for
from harness.errors import JudgeError
from harness.files import untrusted
from harness.host.host import Host
from harness.judge.run_case import CaseOutcome, CaseSetting, CaseTask, judge_error, run_passes, submission_limits
from harness.judge.submission_result import Entry
from harness.judge.submitted_answers import Answers
from harness.package import Case, Group, Package
from harness.results.model import CaseResult, OutputDifference
from harness.results.verdict import Reason, Verdict
from harness.rules import group_tree
from harness.rules.score import accepted_case_score, static_case_name
from harness.sandbox.facts import Sandbox
from harness.values import dataclass

MESSAGE_CHARACTERS = 3000
STDERR_CHARACTERS = 16_000
_STDERR_WINDOW = 32_768  # bytes read at each end, before long paths are shortened
OUTPUT_BYTES = 4000


@dataclass(frozen=True, kw_only=True)
class CaseJudge(CaseSetting):
    """Judges any case of a package, called by any worker."""

    def judge(self, sandbox: Sandbox, submission: Executable | Answers, group: Group, case: Case) -> CaseResult:
        """Run a submission on one case and judge it. A failure of a judge program becomes the verdict JE."""
        with self.host.work_folder(sandbox) as work:
            task = CaseTask(setting=self, sandbox=sandbox, group=group, case=case, work=work)
            try:
                outcome = _outcome(task, submission)
                if outcome.run is not None and outcome.run.ended_from_outside:
                    outcome = _outcome(task, submission)  # only a repeated failure is the program's own fault
            except JudgeError as error:
                outcome = CaseOutcome(run=None, judgement=judge_error(error))
            outcome = replace(outcome, judgement=_with_points(task, outcome.judgement))
            return _case_result(task, outcome)


def _outcome(task: CaseTask, submission: Executable | Answers) -> CaseOutcome:
    if isinstance(submission, Answers):
        return _judge_answer(task, submission)
    if task.case.name == static_case_name(task.group):
        return CaseOutcome(
            run=None, judgement=task.check.judge_files(task.sandbox, task.group, submission, task.work)
        )
    return run_passes(task, submission)


def _judge_answer(task: CaseTask, answers: Answers) -> CaseOutcome:
    """Judge the submitted answer to the case."""
    most_bytes = task.setting.limits.output_bytes
    answer = answers.answer(task.case, most_bytes)
    if answer is None:
        message = f"no answer was handed in: expected {answers.names_tried(task.case)}"
        judgement = Judgement(verdict=Verdict.WRONG_ANSWER, reason=Reason.VALIDATOR, message=message)
    elif len(answer) > most_bytes:
        judgement = Judgement(verdict=Verdict.OUTPUT_LIMIT_EXCEEDED, reason=Reason.OUTPUT)
    else:
        with task.check.open(task.sandbox, task.case, task.work) as check:
            judgement = check.judge_bytes(answer)
    return CaseOutcome(run=None, judgement=judgement)


def _with_points(task: CaseTask, judgement: Judgement) -> Judgement:
    """Return the judgement with its points; if the validator's score breaks the rules, a judge error that names it."""
    if not task.setting.scoring and task.group.grading is not None:
        return judgement
    if task.group.grading is not None:
        points = group_tree.graded_case_score(task.group.grading, judgement.verdict, judgement.score)
        return replace(judgement, score=points)
    if judgement.verdict is not Verdict.ACCEPTED or task.group.name == "sample":
        return judgement if judgement.score is None else replace(judgement, score=None)
    static = task.case.name == static_case_name(task.group)
    try:
        score = accepted_case_score(
            task.group, score=judgement.score, multiplier=judgement.score_multiplier, static=static
        )
    except JudgeError as error:
        return judge_error(JudgeError(f"{_validator_name(task, static=static)}: {error}"))
    return judgement if score == judgement.score else replace(judgement, score=score)


def _validator_name(task: CaseTask, *, static: bool) -> PurePath | str:
    validators = (task.check.static,) if static else task.check.validators
    validator = next((validator for validator in validators if validator is not None), None)
    return validator.program.shown if validator is not None else task.case.name


def _case_result(task: CaseTask, outcome: CaseOutcome) -> CaseResult:
    run, judgement = outcome.run, outcome.judgement
    message = judgement.message
    if judgement.verdict is Verdict.RUN_TIME_ERROR and outcome.ran is not None:
        stderr = _stderr_excerpt(task.files.stderr, outcome.ran, MESSAGE_CHARACTERS)
        message = " ".join(filter(None, (message, stderr)))
    is_wrong = judgement.verdict is Verdict.WRONG_ANSWER and run is not None and not task.check.interactive
    return CaseResult(
        name=task.case.name,
        group=task.group.name,
        verdict=judgement.verdict,
        score=judgement.score,
        reason=judgement.reason,
        cpu_s=run.cpu_s if run else None,
        wall_s=run.wall_s if run else None,
        asleep_s=run.asleep_s if run else None,
        starved_s=run.starved_s if run else None,
        memory_bytes=run.memory_bytes if run else None,
        exit_code=run.exit_code if run else None,
        signal=run.signal if run else None,
        message=message,
        output=untrusted.first_text(task.files.stdout, OUTPUT_BYTES) if is_wrong else "",
        difference=_difference(task) if is_wrong else None,
        stderr=_sample_stderr(task, outcome),
    )


def _difference(task: CaseTask) -> OutputDifference | None:
    """Return where the output first differs from the answer; None with several passes, as the answer is the first's."""
    stdout = task.files.stdout
    if task.check.rules.multi_pass or task.case.answer is None or stdout.stat().st_size > MOST_BYTES:
        return None
    # The package's own validator may have any rules: then the difference is exact.
    own = task.check.validators
    comparison = parse_arguments(("case_sensitive",) if own else task.case.settings.output_validator_args)
    return output_difference(stdout.read_bytes(), task.case.answer.read(), comparison)


def _sample_stderr(task: CaseTask, outcome: CaseOutcome) -> str:
    """Return what the last pass wrote to standard error; on samples only, as it could reveal a secret input."""
    if task.group.name != "sample" or outcome.ran is None or task.files.stderr.stat().st_size == 0:
        return ""
    return _stderr_excerpt(task.files.stderr, outcome.ran, STDERR_CHARACTERS)


def _stderr_excerpt(path: Path, ran: Executable, most: int) -> str:
    """Return what a program wrote to standard error: all, or its start and end, about `most` characters.

    Its files are named as in the package, because the folder of the run differs in every judging.
    """
    with path.open("rb") as file:
        first = file.read(_STDERR_WINDOW)
        left = path.stat().st_size - _STDERR_WINDOW
        file.seek(max(left, _STDERR_WINDOW))
        last = file.read(_STDERR_WINDOW)
    text = ran.as_in_package((first + last).decode(errors="replace")).strip()
    if left <= _STDERR_WINDOW and len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half].strip()}\n[…]\n{text[-half:].strip()}"


Item = TypeVar("Item")
Result = TypeVar("Result")
JudgeCase = Callable[[Executable | Answers, Group, Case], CaseResult]


class CaseRunner(Protocol):
    """Builds entries and runs cases, on this machine or on others."""

    def build(self, entries: Sequence[Entry]) -> list[Built]:
        """Build the entries in parallel; return the outcomes in their order. Existing builds are reused."""

    def run(
        self, work: Callable[[JudgeCase, Item], Result], items: Sequence[Item], *, alone: bool = False
    ) -> Iterator[tuple[Item, Result]]:
        """Call `work` with a function that judges a case, and an item; yield items with their outcomes as they finish.

        Items run in parallel, or with `alone` one at a time while nothing else runs.
        """


@dataclass(frozen=True, kw_only=True)
class LocalRunner:
    """Builds entries and runs cases on this machine."""

    package: Package
    host: Host

    @cached_property
    def case_judge(self) -> CaseJudge:
        """The judge of each case. Its validators are built at first use; raises JudgeError if that fails."""
        return CaseJudge(
            host=self.host,
            limits=submission_limits(self.package),
            check=output_check_for(self.package, self.host),
            scoring=self.package.scoring,
            files_writable=self.package.allow_file_writing,
        )

    def build(self, entries: Sequence[Entry]) -> list[Built]:
        """See CaseRunner."""
        unbuilt = [entry.program for entry in entries if entry.built is None]
        outcomes = iter(self.host.build_submissions(self.package, unbuilt))
        return [entry.built if entry.built is not None else next(outcomes) for entry in entries]

    def run(
        self, work: Callable[[JudgeCase, Item], Result], items: Sequence[Item], *, alone: bool = False
    ) -> Iterator[tuple[Item, Result]]:
        """See CaseRunner."""
        case_judge = self.case_judge

        def with_sandbox(sandbox: Sandbox, item: Item) -> Result:
            return work(partial(case_judge.judge, sandbox), item)

        if alone:
            return ((item, self.host.pool.alone(with_sandbox, item)) for item in items)
        return self.host.pool.each(with_sandbox, items)
