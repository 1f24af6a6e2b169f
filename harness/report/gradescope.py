"""Gradescope's results.json: one submission, its points by test group."""

from collections.abc import Iterator

from harness.errors import UsageError
from harness.report.escape import printable
from harness.report.grades import case_line, progress_line
from harness.results.model import GroupResult, Report, SubmissionResult
from harness.results.verdict import Verdict


def gradescope(report: Report) -> dict[str, object]:
    """Return results.json; a pass-fail problem gives one point. Raises UsageError for several submissions."""
    if len(report.submissions) != 1:
        raise UsageError(f"Gradescope takes one submission at a time, here are {len(report.submissions)}")
    [submission] = report.submissions
    tests = list(_group_tests(submission)) or [_whole(submission)]
    return {
        "score": submission.score
        if submission.score is not None
        else float(submission.verdict is Verdict.ACCEPTED),
        "output": _output(report, submission),
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


def _output(report: Report, submission: SubmissionResult) -> str:
    text = progress_line(submission)
    if submission.message and submission.verdict is Verdict.COMPILE_ERROR:
        text += "\n" + printable(submission.message)
    return text


def _status(verdict: Verdict) -> str:
    return "passed" if verdict is Verdict.ACCEPTED else "failed"
