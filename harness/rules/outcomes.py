"""Decide whether submissions are as expected or as required, and the exit code."""

from collections.abc import Iterable
from dataclasses import replace

from harness.results.model import Asked, Outcome, Report, SubmissionResult
from harness.results.verdict import Verdict
from harness.rules.score import nearest

ALL_AS_EXPECTED, NOT_AS_EXPECTED, COULD_NOT_JUDGE = 0, 1, 2


def as_expected(submission: SubmissionResult) -> bool:
    """Return whether a submission meets its package's expectations; without any it must be accepted."""
    if submission.expected is not None:
        return submission.expected.met
    return submission.verdict is Verdict.ACCEPTED


def judging_exit_code(report: Report, *, skip_missing: bool = False) -> int:
    """Return 0 if all submissions are as expected, 1 if any is not, 2 if any could not be judged.

    skip_missing: ignore submissions in languages that this machine lacks, unless there are no others.
    """
    if any(submission.verdict is Verdict.JUDGE_ERROR for submission in report.submissions):
        return COULD_NOT_JUDGE
    judged = [submission for submission in report.submissions if not submission.unavailable]
    if not judged or (len(judged) < len(report.submissions) and not skip_missing):
        return COULD_NOT_JUDGE
    return ALL_AS_EXPECTED if all(map(as_expected, judged)) else NOT_AS_EXPECTED


def checking_exit_code(*, holds: bool, decided: bool) -> int:
    """Return 0 if what was checked holds, 1 if it does not, 2 if that could not be decided."""
    if not holds:
        return NOT_AS_EXPECTED
    return ALL_AS_EXPECTED if decided else COULD_NOT_JUDGE


def grading_exit_code(reports: Iterable[Report]) -> int:
    """Return 0 if all are as required, 1 if any is not, 2 if any could not be judged. A shard may be empty."""
    reports = tuple(reports)
    outcomes = {submission.outcome for report in reports for submission in report.submissions}
    empty = any(not report.submissions and report.shard is None for report in reports)
    if Outcome.COULD_NOT_JUDGE in outcomes or empty or not reports:
        return COULD_NOT_JUDGE
    return NOT_AS_EXPECTED if Outcome.NOT_AS_ASKED in outcomes else ALL_AS_EXPECTED


def with_outcome(submission: SubmissionResult, asked: Asked | None) -> SubmissionResult:
    """Return the submission with its outcome filled in."""
    return replace(submission, outcome=_outcome(submission, asked))


def under_requirement(report: Report, asked: Asked) -> Report:
    """Return the report of the same results under the requirement `asked`; no points are required if none are given."""
    asked = asked if report.scored else replace(asked, min_score=None)
    submissions = tuple(with_outcome(submission, asked) for submission in report.submissions)
    return replace(report, asked=asked, submissions=submissions)


def _outcome(submission: SubmissionResult, asked: Asked | None) -> Outcome:
    if submission.unavailable or submission.verdict in (Verdict.JUDGE_ERROR, Verdict.SKIPPED):
        return Outcome.COULD_NOT_JUDGE
    met = _met(submission, asked) if asked is not None else submission.expected is None or submission.expected.met
    return Outcome.AS_ASKED if met and submission.stable else Outcome.NOT_AS_ASKED


def _met(submission: SubmissionResult, asked: Asked) -> bool:
    if asked.require and submission.verdict not in asked.require:
        return False
    least = asked.min_score
    return least is None or nearest(submission.score or 0.0, least) >= least
