"""A grading for gradebooks: Gradescope's results.json of one submission, and CSV with a row per submission.

Untrusted names cannot become formulas of a spreadsheet.
"""

import csv
import io
from collections.abc import Iterator, Sequence

from harness.errors import UsageError
from harness.report import words
from harness.report.escape import one_name, printable
from harness.report.grades import case_line, progress_line
from harness.report.tables import shown_groups
from harness.results.model import GroupResult, Report, SubmissionResult
from harness.results.verdict import Verdict
from harness.sandbox.facts import MIB

_FORMULA = ("=", "+", "-", "@")
_COLUMNS = ("problem", "submission", "verdict", "score", "passed", "cases", "slowest_s", "peak_mib", "remark")


def check_gradescope(problems: int, submissions: int) -> None:
    """Raise UsageError unless there is one problem with one submission."""
    if problems != 1:
        raise UsageError(f"--gradescope takes one problem at a time, here are {problems}")
    if submissions != 1:
        raise UsageError(f"--gradescope takes one submission at a time, here are {submissions}")


def gradescope(report: Report) -> dict[str, object]:
    """Return results.json of the only submission; a pass-fail problem gives one point."""
    [submission] = report.submissions
    tests = list(_group_tests(submission)) or [_whole(submission)]
    return {
        "score": submission.score
        if submission.score is not None
        else float(submission.verdict is Verdict.ACCEPTED),
        "output": _output(submission),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [*_sample_tests(report, submission), *tests],
    }


def _group_tests(submission: SubmissionResult) -> Iterator[dict[str, object]]:
    scored = [group for group in submission.groups if group.score is not None]
    inner = [group for group in scored if group.name != "secret"]
    for group in inner or scored:
        yield _group_test(group)


def _group_test(group: GroupResult) -> dict[str, object]:
    test: dict[str, object] = {"name": printable(group.name), "score": group.score, "output": group.verdict.words}
    if group.max_score is not None:
        test["max_score"] = group.max_score
    return {**test, "status": _status(group.verdict), "visibility": "visible"}


def _whole(submission: SubmissionResult) -> dict[str, object]:
    accepted = submission.verdict is Verdict.ACCEPTED
    points = (
        {"score": float(accepted), "max_score": 1.0} if submission.score is None else {"score": submission.score}
    )
    return {
        "name": "all cases",
        **points,
        "status": _status(submission.verdict),
        "output": submission.verdict.words,
    }


def _sample_tests(report: Report, submission: SubmissionResult) -> Iterator[dict[str, object]]:
    """Yield the samples with their outcomes, without points."""
    for case in submission.cases:
        if case.group == "sample" and case.verdict is not Verdict.SKIPPED:
            output = "" if case.verdict is Verdict.ACCEPTED else case_line(report, case)
            status = _status(case.verdict)
            yield {"name": printable(case.name), "status": status, "output": output, "visibility": "visible"}


def _output(submission: SubmissionResult) -> str:
    text = progress_line(submission)
    if submission.explanation:
        text += "\n" + printable(submission.explanation)
    return text


def _status(verdict: Verdict) -> str:
    return "passed" if verdict is Verdict.ACCEPTED else "failed"


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
    yield from (submission.passed(), len(submission.cases)) if submission.cases else ("", "")
    yield "" if slowest is None or slowest.cpu_s is None else slowest.cpu_s
    yield "" if peak_bytes is None else round(peak_bytes / MIB, 1)
    yield _text(words.remark(submission))
    results = {group.name: group for group in submission.groups}
    yield from (results[name].verdict.value if name in results else "" for name in groups)
    yield from ("" if name not in results or (score := results[name].score) is None else score for name in groups)


def _text(text: str) -> str:
    shown = one_name(text)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown
