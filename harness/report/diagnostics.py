"""Diagnostics: faults with file and line, for editors, `--format short` and GitHub Actions.

GitHub gets annotations on standard output, as many as it shows.
"""

import enum
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from harness.report import crashes, words
from harness.report.escape import one_line, printable
from harness.report.grades import failure_line, summary
from harness.results.model import Outcome, Report, SubmissionResult
from harness.results.verdict import Verdict
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
    text: str
    severity: Severity = Severity.ERROR
    title: str = ""
    line: int | None = None
    column: int | None = None


def short_line(diagnostic: Diagnostic) -> str:
    """Return `file:line:col: error: text`, one printable line: what `--format short` prints."""
    location = f"{one_line(diagnostic.path, _TEXT)}:{diagnostic.line or 1}:{diagnostic.column or 1}"
    return f"{location}: {diagnostic.severity}: {one_line(diagnostic.text, _TEXT)}"


def of_judging(report: Report, origins: Mapping[str, Path]) -> Iterator[Diagnostic]:
    """Yield the faults of the submissions whose outcome is not as asked. origins: paths on disk, by path."""
    for submission in report.submissions:
        yield from _of_submission(report, submission, origins.get(submission.path))


def _of_submission(report: Report, submission: SubmissionResult, origin: Path | None) -> Iterator[Diagnostic]:
    """Yield the faults of a submission.

    Error: unexpected result or could not be judged. Warning: not accepted, and nothing was expected.
    """
    nothing_asked = report.asked is None and submission.expected is None
    if submission.outcome is not Outcome.AS_ASKED:
        severity = Severity.ERROR
    elif nothing_asked and submission.verdict is not Verdict.ACCEPTED:
        severity = Severity.WARNING
    else:
        return
    origin = origin or Path(submission.path)
    what = "could not be judged here" if submission.unavailable else submission.verdict.words
    is_compiler = submission.verdict is Verdict.COMPILE_ERROR
    faults = of_compiler(submission.message, origin) if is_compiler else [_of_failure(report, submission, origin)]
    yield from (replace(fault, severity=severity, title=f"{report.problem}: {what}") for fault in faults)


def _of_failure(report: Report, submission: SubmissionResult, origin: Path) -> Diagnostic:
    """Return the fault of a submission at the line that its first failure names."""
    case = submission.first_failure()
    location = crashes.location_in(case.message) if case is not None else None
    return Diagnostic(
        path=_file(origin, location[0] if location else ""),
        line=location[1] if location else None,
        text=failure_line(report, submission) or words.remark(submission) or submission.verdict.words.lower(),
    )


def of_compiler(message: str, origin: Path) -> Iterator[Diagnostic]:
    """Yield the errors of a compiler's message about the program at `origin`."""
    errors = [*_COMPILER.finditer(message), *_PYTHON.finditer(message)]
    for error in errors:
        column = error.groupdict().get("column")
        yield Diagnostic(
            path=_file(origin, error["file"]),
            line=int(error["line"]),
            column=int(column) if column else None,
            text=error["text"],
        )
    if not errors:
        text = message.strip() or "does not compile"
        yield Diagnostic(path=_file(origin, ""), text=text)


def _file(origin: Path, name: str) -> str:
    """Return the file that a message names: the submission itself, or a file in its folder."""
    return str(origin / name) if name and origin.is_dir() else str(origin)


def annotations(reports: Sequence[Report], origins: Mapping[tuple[str, str], Path]) -> list[str]:
    """Return workflow commands: one for each failing submission, the worst first, and a summary notice.

    origins: the path on disk by problem and submission, where it is known.
    """
    first = [
        (_badness(submission), diagnostic)
        for report in reports
        for submission in report.submissions
        for diagnostic in islice(
            _of_submission(report, submission, origins.get((report.problem, submission.path))), 1
        )
    ]
    first.sort(key=lambda item: item[0])
    return workflow_commands([diagnostic for _, diagnostic in first], summary(reports))


def workflow_commands(diagnostics: Sequence[Diagnostic], notice: str) -> list[str]:
    """Return the commands that annotate files, capped at what GitHub shows of each kind, and the notice."""
    lines = [line for severity in (Severity.ERROR, Severity.WARNING) for line in _capped(severity, diagnostics)]
    return [*lines, f"::notice title=harness::{_data(notice)}"]


def _badness(submission: SubmissionResult) -> tuple[bool, float, float]:
    """Return a sort key, worst submission first: could not be judged, few points, few cases accepted."""
    passed = submission.passed() / max(len(submission.cases), 1)
    return (submission.outcome is not Outcome.COULD_NOT_JUDGE, submission.score or 0.0, passed)


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
