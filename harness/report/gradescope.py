"""Gradescope's results.json: one submission, its points by test group."""

from collections.abc import Iterator

from harness.errors import UsageError
from harness.report.escape import printable
from harness.report.grades import case_line, progress_line
from harness.results.model import GroupResult, Report, SubmissionResult
from harness.results.verdict import Verdict


def gradescope(report: Report) -> dict[str, object]:
    """The values of results.json. A pass-fail problem is worth one point. Raises UsageError for several submissions."""
    if len(report.submissions) != 1:
        raise UsageError(f"Gradescope takes one submission at a time, here are {len(report.submissions)}")
    [one] = report.submissions
    tests = list(_group_tests(one)) or [_whole(one)]
    return {
        "score": one.score if one.score is not None else float(one.verdict is Verdict.ACCEPTED),
        "output": _output(report, one),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [*_sample_tests(report, one), *tests],
    }


def _group_tests(one: SubmissionResult) -> Iterator[dict[str, object]]:
    scored = [group for group in one.groups if group.score is not None]
    inner = [group for group in scored if group.name != "secret"]
    for group in inner or scored:
        yield _group_test(group)


def _group_test(group: GroupResult) -> dict[str, object]:
    test: dict[str, object] = {"name": printable(group.name), "score": group.score, "output": group.verdict.words}
    if group.max_score is not None:
        test["max_score"] = group.max_score
    return {**test, "status": _status(group.verdict), "visibility": "visible"}


def _whole(one: SubmissionResult) -> dict[str, object]:
    accepted = one.verdict is Verdict.ACCEPTED
    points = {"score": float(accepted), "max_score": 1.0} if one.score is None else {"score": one.score}
    return {"name": "all cases", **points, "status": _status(one.verdict), "output": one.verdict.words}


def _sample_tests(report: Report, one: SubmissionResult) -> Iterator[dict[str, object]]:
    """The samples tell what happened; they give no points."""
    for case in one.cases:
        if case.group == "sample" and case.verdict is not Verdict.SKIPPED:
            output = "" if case.verdict is Verdict.ACCEPTED else case_line(report, case)
            status = _status(case.verdict)
            yield {"name": printable(case.name), "status": status, "output": output, "visibility": "visible"}


def _output(report: Report, one: SubmissionResult) -> str:
    text = progress_line(one)
    if one.message and one.verdict is Verdict.COMPILE_ERROR:
        text += "\n" + printable(one.message)
    return text


def _status(verdict: Verdict) -> str:
    return "passed" if verdict is Verdict.ACCEPTED else "failed"
