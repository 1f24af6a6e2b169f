"""A grading as CSV, a row per submission. Untrusted names cannot become spreadsheet formulas."""

import csv
import io
from collections.abc import Iterator, Sequence

from harness.report import words
from harness.report.escape import one_name
from harness.report.tables import shown_groups
from harness.results.model import Report, SubmissionResult
from harness.sandbox.facts import MIB

_FORMULA = ("=", "+", "-", "@")
_COLUMNS = ("problem", "submission", "verdict", "score", "passed", "cases", "slowest_s", "peak_mib", "remark")


def spreadsheet(reports: Sequence[Report]) -> str:
    """Return the CSV: fixed columns, then each test group's verdict (`group NAME`) and points (`points NAME`)."""
    groups = list(dict.fromkeys(name for report in reports for name in shown_groups(report.submissions)))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*_COLUMNS, *(f"{what} {_text(name)}" for what in ("group", "points") for name in groups)])
    for report in reports:
        for submission in report.submissions:
            writer.writerow(_row(report, submission, groups))
    return text.getvalue()


def _row(report: Report, submission: SubmissionResult, groups: Sequence[str]) -> Iterator[object]:
    slowest, peak_bytes = submission.slowest(), submission.peak_memory_bytes()
    yield from (_text(report.problem), _text(submission.path), submission.verdict.value)
    yield "" if submission.score is None else submission.score
    yield from (submission.passed(), len(submission.cases))
    yield "" if slowest is None or slowest.cpu_s is None else slowest.cpu_s
    yield "" if peak_bytes is None else round(peak_bytes / MIB, 1)
    yield _text(words.remark(submission))
    results = {group.name: group for group in submission.groups}
    yield from (results[name].verdict.value if name in results else "" for name in groups)
    yield from ("" if name not in results or (score := results[name].score) is None else score for name in groups)


def _text(text: str) -> str:
    shown = one_name(text)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown
