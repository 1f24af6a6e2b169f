"""Cut a report to what contestants may see at a feedback level.

The level is applied to the values before formatting, so no format can reveal more than another.
docs/grading.md has the table.
"""

from collections.abc import Sequence
from dataclasses import replace

from harness.package import Case, Package
from harness.package.files import File
from harness.package.model import is_sample_name
from harness.results.model import (
    CaseResult,
    CaseText,
    Demand,
    Expected,
    Feedback,
    GroupResult,
    Report,
    SubmissionResult,
    Unmet,
)
from harness.results.verdict import Reason, Verdict

SAMPLE = "sample"
SHOWN_BYTES = 4000
_ORDER = (Feedback.VERDICT, Feedback.SAMPLES, Feedback.SHRUNK, Feedback.FULL)


def limited(report: Report, level: Feedback) -> Report:
    """Return the report at `level`, or at its own level if that shows less."""
    level = min(level, report.feedback or Feedback.FULL, key=_ORDER.index)
    shown = tuple(text for text in report.shown if may_show(text.name, level))
    games = tuple(game for game in report.games if may_show(game.case, level))
    images = tuple(image for image in report.images if may_show(image.case, level))
    submissions = tuple(limited_submission(submission, level) for submission in report.submissions)
    counterexamples = report.counterexamples if level in (Feedback.SHRUNK, Feedback.FULL) else ()
    return replace(
        report,
        feedback=level,
        shown=shown,
        games=games,
        images=images,
        counterexamples=counterexamples,
        submissions=submissions,
    )


def limited_submission(submission: SubmissionResult, level: Feedback) -> SubmissionResult:
    """Return a submission at `level`."""
    if level is Feedback.FULL:
        return submission
    names = _public_names(submission.cases)
    cases = tuple(
        _limited_case(case, names[case.name], figures=figures)
        for case, figures in zip(submission.cases, _with_figures(submission), strict=True)
    )
    return replace(
        submission,
        message=submission.message if submission.verdict is not Verdict.JUDGE_ERROR else "",
        cases=cases if level is not Feedback.VERDICT else (),
        groups=submission.groups if level is not Feedback.VERDICT else _scored_groups(submission.groups),
        expected=_limited_expected(submission.expected, names),
    )


def _with_figures(submission: SubmissionResult) -> list[bool]:
    """Return for each case whether time and memory are shown: of samples, the slowest and the largest case.

    More could leak secret data.
    """
    most = [submission.slowest(), submission.largest()]
    return [is_sample_name(case.name) or any(case is top for top in most) for case in submission.cases]


def _limited_case(case: CaseResult, name: str, *, figures: bool) -> CaseResult:
    """Return the case for contestants: a secret case without exit code and message, which could leak its input."""
    if is_sample_name(case.name):
        return case
    return CaseResult(
        name=name,
        group=case.group,
        verdict=case.verdict,
        score=case.score,
        reason=None if case.reason in (Reason.EXIT_CODE, Reason.SIGNAL) else case.reason,
        cpu_s=case.cpu_s if figures else None,
        wall_s=case.wall_s if figures else None,
        memory_bytes=case.memory_bytes if figures else None,
        cpu_runs_s=case.cpu_runs_s if figures else (),
        repeats=case.repeats,
    )


def _scored_groups(groups: Sequence[GroupResult]) -> tuple[GroupResult, ...]:
    return tuple(group for group in groups if group.score is not None)


def _public_names(cases: Sequence[CaseResult]) -> dict[str, str]:
    """Return the shown name by case: for secret cases their group and a number, since their names describe them."""
    names: dict[str, str] = {}
    counts: dict[str, int] = {}
    for case in cases:
        counts[case.group] = counts.get(case.group, 0) + 1
        names[case.name] = case.name if is_sample_name(case.name) else f"{case.group}/{counts[case.group]}"
    return names


def _limited_expected(expected: Expected | None, names: dict[str, str]) -> Expected | None:
    """Return the expectations without the names of secret cases."""
    if expected is None:
        return None
    return replace(expected, unmet=tuple(_limited_unmet(item, names) for item in expected.unmet))


def _limited_unmet(item: Unmet, names: dict[str, str]) -> Unmet:
    """Return the expectation without names of secret cases and texts of the judge; a field not named here is cut."""
    return Unmet(
        rule=item.rule,
        scope=item.scope if not item.scope or item.scope.startswith(SAMPLE) else "secret",
        demand=item.demand,
        wanted=item.wanted if item.demand is not Demand.MESSAGE else "a certain message",
        found=item.found.partition(" on ")[0],  # files of earlier versions name the case there
        case=names.get(item.case, "a secret case") if item.case else "",
    )


def may_show(name: str, level: Feedback) -> bool:
    """Return whether a case's input, answer and messages may be shown at `level`."""
    return level is Feedback.FULL or (level is not Feedback.VERDICT and is_sample_name(name))


def shown_cases(
    package: Package, submissions: Sequence[SubmissionResult], level: Feedback
) -> tuple[CaseText, ...]:
    """Return the start of the samples and of all failed secret cases, as far as the level allows."""
    failed = {case.name for submission in submissions for case in submission.cases if case.failed}
    return tuple(
        _text_of(case)
        for case in package.judged_cases()
        if may_show(case.name, level) and (is_sample_name(case.name) or case.name in failed)
    )


def _text_of(case: Case) -> CaseText:
    text, input_bytes = _beginning(case.input)
    answer, answer_bytes = _beginning(case.answer) if case.answer is not None else ("", 0)
    return CaseText(name=case.name, input=text, answer=answer, input_bytes=input_bytes, answer_bytes=answer_bytes)


def _beginning(file: File) -> tuple[str, int]:
    """Return the beginning of a file as text, and the file's size in bytes."""
    return file.read(SHOWN_BYTES).decode(errors="replace"), file.size()
