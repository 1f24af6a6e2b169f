"""GitHub Actions: annotations on standard output and a step summary, within GitHub's size limits.

Other output cannot act as a command, because `pause` and `resume` enclose it.
"""

from collections.abc import Iterator, Sequence

from harness.report import words
from harness.report.diagnostics import Diagnostic, Severity
from harness.report.escape import printable
from harness.report.grades import failure_line, summary
from harness.report.markdown import markdown
from harness.results.model import Outcome, Report, SubmissionResult
from harness.results.verdict import Verdict

SUMMARY_BYTES = 1000 * 1024  # GitHub accepts 1 MiB per step
ANNOTATIONS = 9  # GitHub accepts ten of a kind per step; the tenth counts the rest
_MESSAGE = 2000


def step_summary(reports: Sequence[Report]) -> str:
    """Return the text for $GITHUB_STEP_SUMMARY."""
    return markdown(reports, SUMMARY_BYTES)


def pause(token: str) -> str:
    """Return the command that disables workflow commands until `resume` with the same secret token."""
    return f"::stop-commands::{token}"


def resume(token: str) -> str:
    """Return the command that enables workflow commands again."""
    return f"::{token}::"


def annotations(reports: Sequence[Report]) -> list[str]:
    """Return workflow commands: one for each failing submission, the worst first, and a summary notice.

    Error: unexpected result or could not be judged. Warning: not accepted, and nothing was expected.
    """
    failing = [
        (report, submission)
        for report in reports
        for submission in report.submissions
        if _severity(report, submission)
    ]
    failing.sort(key=lambda item: _badness(item[1]))
    return workflow_commands([_diagnostic(*item) for item in failing], summary(reports))


def workflow_commands(diagnostics: Sequence[Diagnostic], notice: str) -> list[str]:
    """Return the commands that annotate files, capped at what GitHub shows of each kind, and the notice."""
    lines = [line for severity in (Severity.ERROR, Severity.WARNING) for line in _capped(severity, diagnostics)]
    return [*lines, f"::notice title=harness::{_data(notice)}"]


def _severity(report: Report, submission: SubmissionResult) -> Severity | None:
    """Return the kind of annotation for a submission, or None."""
    if submission.outcome is not Outcome.AS_ASKED:
        return Severity.ERROR
    nothing_asked = report.asked is None and submission.expected is None
    return Severity.WARNING if nothing_asked and submission.verdict is not Verdict.ACCEPTED else None


def _badness(submission: SubmissionResult) -> tuple[bool, float, float]:
    """Return a sort key, worst submission first: could not be judged, few points, few cases accepted."""
    passed = submission.passed() / max(len(submission.cases), 1)
    return (submission.outcome is not Outcome.COULD_NOT_JUDGE, submission.score or 0.0, passed)


def _diagnostic(report: Report, submission: SubmissionResult) -> Diagnostic:
    what = "could not be judged here" if submission.unavailable else submission.verdict.words
    return Diagnostic(
        path=submission.path,
        severity=_severity(report, submission) or Severity.NOTE,
        text=failure_line(report, submission) or words.remark(submission),
        title=f"{report.problem}: {what}",
    )


def _capped(severity: Severity, diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    these = [diagnostic for diagnostic in diagnostics if diagnostic.severity is severity]
    yield from map(_command, these[:ANNOTATIONS])
    if len(these) > ANNOTATIONS:
        yield f"::{severity}::{_data(f'and {len(these) - ANNOTATIONS} more; the summary has them all')}"


def _command(diagnostic: Diagnostic) -> str:
    values = {
        "file": diagnostic.path,
        "line": str(diagnostic.line or ""),
        "col": str(diagnostic.column or ""),
        "title": diagnostic.title,
    }
    properties = ",".join(f"{name}={_property(value)}" for name, value in values.items() if value)
    return f"::{diagnostic.severity} {properties}::{_data(diagnostic.text)}"


def _data(text: str) -> str:
    shown = printable(text, _MESSAGE)
    return shown.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
