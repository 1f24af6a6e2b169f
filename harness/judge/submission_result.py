"""A submission under judging, and the result that follows from its cases."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from harness.build import Built, CompileFailure, Executable, Unavailable
from harness.errors import JudgeError
from harness.judge.graders import Graders
from harness.judge.plan import Plan
from harness.judge.submitted_answers import Answers
from harness.judge.validator_trust import NOT_JUDGED
from harness.package import Case, Group, Package, Program, Rule
from harness.results.model import CaseResult, GroupResult, SubmissionResult
from harness.results.verdict import Verdict
from harness.rules.expectations import hold_against
from harness.rules.group_tree import tree_total
from harness.rules.score import first_failure, group_results
from harness.values import dataclass

Submission = Built | Answers


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A submission to judge. rules: what the package demands of it; None if it is not one of the package's own.

    known: results of an earlier judging by case name; these cases are not run again. built: the outcome of an earlier
    build.
    """

    program: Program
    rules: tuple[Rule, ...] | None = None
    known: Mapping[str, CaseResult] = field(default_factory=dict)
    built: Built | None = None


@dataclass(kw_only=True)
class SubmissionState:
    """A submission that is being judged."""

    entry: Entry
    built: Submission
    plan: Plan
    results: dict[str, CaseResult] = field(default_factory=dict)
    failed: bool = False  # until something fails, every case is wanted

    @property
    def path(self) -> str:
        """The path of the submission."""
        return self.entry.program.path

    def missing(self) -> list[tuple[Group, Case]]:
        """Return the cases that must still be judged."""
        return self.plan.final(self.results)[1] if isinstance(self.built, Executable | Answers) else []


def submission_result(package: Package, state: SubmissionState, graders: Graders | None) -> SubmissionResult:
    """Return the result of a submission that was judged, or that could not be built."""
    match state.built:
        case Executable() | Answers():
            return _judged(package, state, graders)
        case CompileFailure(diagnostics=diagnostics):
            return _unjudged(package, state, graders, Verdict.COMPILE_ERROR, diagnostics)
        case Unavailable(message=message):
            return replace(
                _unjudged(package, state, graders, Verdict.SKIPPED, message), unavailable=True, expected=None
            )


def _unjudged(
    package: Package, state: SubmissionState, graders: Graders | None, verdict: Verdict, message: str
) -> SubmissionResult:
    rules, graded = state.entry.rules, graders is not None
    held = None if rules is None else hold_against(rules, (), (), None, verdict, graded=graded)
    return SubmissionResult(
        path=state.path,
        language=None,
        verdict=verdict,
        message=message,
        score=0.0 if package.scoring else None,
        expected=held,
    )


def _judged(package: Package, state: SubmissionState, graders: Graders | None) -> SubmissionResult:
    cases, missing = state.plan.final(state.results)
    executable = state.built if isinstance(state.built, Executable) else None
    result = SubmissionResult(
        path=state.path,
        language=executable.language.code if executable is not None else None,
        verdict=Verdict.SKIPPED,
        message=executable.warnings if executable is not None else "",
        cases=tuple(cases),
    )
    if missing:
        return replace(result, message=NOT_JUDGED)
    try:
        verdict, score, groups = _total(package, cases, graders)
    except JudgeError as error:
        return replace(result, verdict=Verdict.JUDGE_ERROR, message=str(error))
    rules, graded = state.entry.rules, graders is not None
    held = None if rules is None else hold_against(rules, cases, groups, score, verdict, graded=graded)
    return replace(result, verdict=verdict, score=score, groups=groups, expected=held)


def _total(
    package: Package, cases: Sequence[CaseResult], graders: Graders | None
) -> tuple[Verdict, float | None, tuple[GroupResult, ...]]:
    """Return verdict, score and groups. Raises JudgeError for points that break the package's own rules."""
    by_name = {case.name: case for case in cases}
    if graders is not None:
        judged = {name: case for name, case in by_name.items() if case.judged}
        return tree_total(package, judged, graders)
    groups = (*group_results(package.sample, by_name), *group_results(package.secret, by_name))
    score = next((group.score for group in groups if group.name == "secret"), None)
    return first_failure(cases), score, groups
