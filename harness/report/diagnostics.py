"""Diagnostics: faults with file and line, for editors, `--format short` and GitHub Actions.

GitHub gets annotations on standard output and a step summary, within its size limits. Other output cannot act as a
command, because `pause` and `resume` enclose it.
"""

import enum
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from harness.report import crashes, words
from harness.report.escape import one_line, printable
from harness.report.grades import failure_line, summary
from harness.report.markdown import markdown
from harness.results.model import Outcome, Report, SubmissionResult
from harness.results.verdict import Verdict
from harness.rules.outcomes import as_expected
from harness.values import dataclass

_TEXT = 500
_COMPILER = re.compile(
    r"^(?P<file>[^\s:()][^:\n()]*):(?P<line>\d{1,9}):(?:(?P<column>\d{1,9}):)? (?:fatal )?error: (?P<text>.*)",
    re.MULTILINE,
)
# The error of a file that does not parse; its caret counts from the text, not from the margin.
_PYTHON = re.compile(
    r'^ *File "(?P<file>[^"\n]*)", line (?P<line>\d{1,9})\n(?: {4}.*\n)*(?P<text>\w+Error: .*)', re.MULTILINE
)
SUMMARY_BYTES = 1000 * 1024  # GitHub accepts 1 MiB per step
ANNOTATIONS = 9  # GitHub accepts ten of a kind per step; the tenth counts the rest
_MESSAGE = 2000


class Severity(enum.StrEnum):
    """The severity, in the words of compilers."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, kw_only=True)
class Diagnostic:
    """A fault. path: of the file as a person opens it. line, column: from 1, None if unknown.

    title: a few words.
    """

    path: str
    severity: Severity
    text: str
    title: str = ""
    line: int | None = None
    column: int | None = None


def short_line(diagnostic: Diagnostic) -> str:
    """Return `file:line:col: error: text`, one printable line: what `--format short` prints."""
    location = f"{one_line(diagnostic.path, _TEXT)}:{diagnostic.line or 1}:{diagnostic.column or 1}"
    return f"{location}: {diagnostic.severity}: {one_line(diagnostic.text, _TEXT)}"


def of_judging(report: Report, origins: Mapping[str, Path]) -> Iterator[Diagnostic]:
    """Yield the faults of the submissions that are not as expected.

    origins: each submission's path on disk, by its path in the report.
    """
    for submission in report.submissions:
        if as_expected(submission) and not submission.unavailable:
            continue
        origin = origins.get(submission.path, Path(submission.path))
        title = f"{report.problem}: {submission.verdict.words}"
        if submission.verdict is Verdict.COMPILE_ERROR:
            yield from _of_compiler(submission, origin, title)
            continue
        yield _of_failure(report, submission, origin, title)


def _of_failure(report: Report, submission: SubmissionResult, origin: Path, title: str) -> Diagnostic:
    """Return the fault of a submission at the line that its first failure names."""
    case = submission.first_failure()
    location = crashes.location_in(case.message) if case is not None else None
    return Diagnostic(
        path=_file(origin, location[0] if location else ""),
        line=location[1] if location else None,
        severity=Severity.ERROR,
        text=failure_line(report, submission) or words.remark(submission) or submission.verdict.words.lower(),
        title=title,
    )


def _of_compiler(submission: SubmissionResult, origin: Path, title: str) -> Iterator[Diagnostic]:
    errors = [*_COMPILER.finditer(submission.message), *_PYTHON.finditer(submission.message)]
    for error in errors:
        column = error.groupdict().get("column")
        yield Diagnostic(
            path=_file(origin, error["file"]),
            line=int(error["line"]),
            column=int(column) if column else None,
            severity=Severity.ERROR,
            text=error["text"],
            title=title,
        )
    if not errors:
        text = submission.message.strip() or "does not compile"
        yield Diagnostic(path=_file(origin, ""), severity=Severity.ERROR, text=text, title=title)


def _file(origin: Path, name: str) -> str:
    """Return the file that a message names: the submission itself, or a file in its folder."""
    return str(origin / name) if name and origin.is_dir() else str(origin)


def step_summary(reports: Sequence[Report]) -> str:
    """Return the text for $GITHUB_STEP_SUMMARY."""
    return markdown(reports, SUMMARY_BYTES)


def pause(token: str) -> str:
    """Return the command that disables workflow commands until `resume` with the same secret token."""
    return f"::stop-commands::{token}"


def resume(token: str) -> str:
    """Return the command that enables workflow commands again."""
    return f"::{token}::"


def annotations(reports: Sequence[Report], origins: Mapping[tuple[str, str], Path]) -> list[str]:
    """Return workflow commands: one for each failing submission, the worst first, and a summary notice.

    Error: unexpected result or could not be judged. Warning: not accepted, and nothing was expected. origins: the path
    on disk by problem and submission, where it is known.
    """
    failing = [
        (report, submission)
        for report in reports
        for submission in report.submissions
        if _severity(report, submission)
    ]
    failing.sort(key=lambda item: _badness(item[1]))
    diagnostics = [
        _diagnostic(report, submission, origins.get((report.problem, submission.path), Path(submission.path)))
        for report, submission in failing
    ]
    return workflow_commands(diagnostics, summary(reports))


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


def _diagnostic(report: Report, submission: SubmissionResult, origin: Path) -> Diagnostic:
    what = "could not be judged here" if submission.unavailable else submission.verdict.words
    title = f"{report.problem}: {what}"
    if submission.verdict is Verdict.COMPILE_ERROR:
        first = next(_of_compiler(submission, origin, title))
    else:
        first = _of_failure(report, submission, origin, title)
    return replace(first, severity=_severity(report, submission) or Severity.NOTE)


def _capped(severity: Severity, diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    chosen = [diagnostic for diagnostic in diagnostics if diagnostic.severity is severity]
    yield from map(_command, chosen[:ANNOTATIONS])
    if len(chosen) > ANNOTATIONS:
        yield f"::{severity}::{_data(f'and {len(chosen) - ANNOTATIONS} more; the summary has them all')}"


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
