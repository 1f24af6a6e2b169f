"""Diagnostics: faults with file and line, for editors, CI and `--format short`."""

import enum
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from harness.report import crashes
from harness.report.escape import one_line
from harness.report.grades import failure_line
from harness.results.model import Report, SubmissionResult
from harness.results.verdict import Verdict
from harness.rules.outcomes import as_expected
from harness.values import dataclass

_TEXT = 500
_COMPILER = re.compile(
    r"^(?P<file>[^\s:()][^:\n()]*):(?P<line>\d{1,9}):(?:(?P<column>\d{1,9}):)? (?:fatal )?error: (?P<text>.*)",
    re.MULTILINE,
)


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
    place = f"{one_line(diagnostic.path, _TEXT)}:{diagnostic.line or 1}:{diagnostic.column or 1}"
    return f"{place}: {diagnostic.severity}: {one_line(diagnostic.text, _TEXT)}"


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
        case = submission.first_failure()
        place = crashes.place(case.message) if case is not None else None
        yield Diagnostic(
            path=_file(origin, place[0] if place else ""),
            line=place[1] if place else None,
            severity=Severity.ERROR,
            text=failure_line(report, submission) or submission.verdict.words.lower(),
            title=title,
        )


def _of_compiler(submission: SubmissionResult, origin: Path, title: str) -> Iterator[Diagnostic]:
    errors = list(_COMPILER.finditer(submission.message))
    for error in errors:
        yield Diagnostic(
            path=_file(origin, error["file"]),
            line=int(error["line"]),
            column=int(error["column"]) if error["column"] else None,
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
