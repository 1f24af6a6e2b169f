"""Whether a submission is what was asked: of this grading, or else by its package. And the exit code that follows."""

from collections.abc import Iterable
from dataclasses import replace

from harness.results.model import Asked, Outcome, Report, SubmissionResult
from harness.results.verdict import Verdict

ALL_AS_ASKED, NOT_AS_ASKED, COULD_NOT_JUDGE = 0, 1, 2
_TOLERANCE = 1e-9


def with_outcome(submission: SubmissionResult, asked: Asked | None) -> SubmissionResult:
    """The submission with its outcome filled in."""
    return replace(submission, outcome=_outcome(submission, asked))


def asking(report: Report, asked: Asked) -> Report:
    """The report of the same results, had the grading asked for `asked`."""
    submissions = tuple(with_outcome(one, asked) for one in report.submissions)
    return replace(report, asked=asked, submissions=submissions)


def _outcome(submission: SubmissionResult, asked: Asked | None) -> Outcome:
    if submission.unavailable or submission.verdict in (Verdict.JUDGE_ERROR, Verdict.SKIPPED):
        return Outcome.COULD_NOT_JUDGE
    met = submission.stable and (_met(submission, asked) if asked is not None else _as_declared(submission))
    return Outcome.AS_ASKED if met else Outcome.NOT_AS_ASKED


def _met(submission: SubmissionResult, asked: Asked) -> bool:
    if asked.require and submission.verdict not in asked.require:
        return False
    return asked.min_score is None or (submission.score or 0.0) >= asked.min_score - _TOLERANCE


def _as_declared(submission: SubmissionResult) -> bool:
    """A stranger of whom nothing is asked is graded, whatever it gets."""
    if submission.expected is None:
        return True
    return submission.expected.met


def exit_code(reports: Iterable[Report]) -> int:
    """0 all as asked, 1 a submission is not, 2 something could not be judged. A shard may be empty."""
    found = tuple(reports)
    outcomes = {one.outcome for report in found for one in report.submissions}
    empty = any(not report.submissions and report.shard is None for report in found)
    if Outcome.COULD_NOT_JUDGE in outcomes or empty or not found:
        return COULD_NOT_JUDGE
    return NOT_AS_ASKED if Outcome.NOT_AS_ASKED in outcomes else ALL_AS_ASKED
