"""GitHub Actions: annotations on standard output and a step summary, within the sizes that GitHub takes.

Whatever else is printed in the meantime cannot be taken for a command: `pause` and `resume` stand around it.
"""

from collections.abc import Iterator, Sequence

from harness.report import words
from harness.report.escape import printable
from harness.report.grades import case_line, summary
from harness.report.markdown import markdown
from harness.results.model import Outcome, Report, SubmissionResult
from harness.results.verdict import Verdict

SUMMARY_BYTES = 1000 * 1024  # GitHub takes 1 MiB a step
ANNOTATIONS = 9  # and ten of a kind a step; the tenth says how many more there are
_MESSAGE = 2000
_ERROR, _WARNING = "error", "warning"


def step_summary(reports: Sequence[Report]) -> str:
    """What goes to $GITHUB_STEP_SUMMARY."""
    return markdown(reports, SUMMARY_BYTES)


def pause(token: str) -> str:
    """From here on nothing is a workflow command, until `resume` with the same secret token."""
    return f"::stop-commands::{token}"


def resume(token: str) -> str:
    """Commands count again."""
    return f"::{token}::"


def annotations(reports: Sequence[Report]) -> list[str]:
    """Workflow commands: one for each submission that fails, the worst first, and a notice about the whole.

    An error where it is not as asked or could not be judged; a warning where nothing is asked and it is not accepted.
    """
    failing = [
        (report, submission)
        for report in reports
        for submission in report.submissions
        if _level(report, submission)
    ]
    failing.sort(key=lambda item: _badness(item[1]))
    lines = [line for level in (_ERROR, _WARNING) for line in _capped(level, failing)]
    return [*lines, f"::notice title=harness::{_data(summary(reports))}"]


def _level(report: Report, submission: SubmissionResult) -> str:
    """The kind of annotation that a submission gets; "" for none."""
    if submission.outcome is not Outcome.AS_ASKED:
        return _ERROR
    nothing_asked = report.asked is None and submission.expected is None
    return _WARNING if nothing_asked and submission.verdict is not Verdict.ACCEPTED else ""


def _badness(submission: SubmissionResult) -> tuple[bool, float, float]:
    """A key that sorts the worst submission to the front: could not be judged, few points, few cases accepted."""
    accepted = sum(case.verdict is Verdict.ACCEPTED for case in submission.cases)
    return (
        submission.outcome is not Outcome.COULD_NOT_JUDGE,
        submission.score or 0.0,
        accepted / max(len(submission.cases), 1),
    )


def _capped(level: str, failing: Sequence[tuple[Report, SubmissionResult]]) -> Iterator[str]:
    told = [(report, submission) for report, submission in failing if _level(report, submission) == level]
    for report, submission in told[:ANNOTATIONS]:
        yield _annotation(level, report, submission)
    if len(told) > ANNOTATIONS:
        yield f"::{level}::{_data(f'and {len(told) - ANNOTATIONS} more; the summary has them all')}"


def _annotation(level: str, report: Report, submission: SubmissionResult) -> str:
    trouble = words.first_trouble(submission)
    text = case_line(report, trouble) if trouble is not None else submission.message
    if submission.expected is not None and submission.expected.unmet:
        text = words.unmet(submission.expected.unmet[0])
    what = "could not be judged here" if submission.unavailable else submission.verdict.words
    title = _property(f"{report.problem}: {what}")
    return f"::{level} file={_property(submission.path)},title={title}::{_data(text or words.remark(submission))}"


def _data(text: str) -> str:
    shown = printable(text, _MESSAGE)
    return shown.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
