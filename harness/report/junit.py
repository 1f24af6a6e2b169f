"""JUnit XML: a suite a submission, a test a case. Valid whatever a submission prints."""

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from harness.report import words
from harness.report.escape import printable
from harness.report.grades import case_line
from harness.results.model import CaseResult, Outcome, Report, SubmissionResult
from harness.results.verdict import Verdict

_MOST = 4000


def junit(reports: Sequence[Report]) -> str:
    """The whole file. A package's own submission is one test: whether it is as its author says."""
    suites = [_suite(report, submission) for report in reports for submission in report.submissions]
    return '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n' + "\n".join(suites) + "\n</testsuites>\n"


def _suite(report: Report, submission: SubmissionResult) -> str:
    tests = list(_tests(report, submission))
    counts = {kind: sum(f"<{kind} " in body or f"<{kind}/" in body for _, body, _ in tests) for kind in _KINDS}
    lines = [_test(report, submission, *test) for test in tests]
    seconds = sum(time_s for _, _, time_s in tests)
    numbers = f'tests="{len(tests)}" failures="{counts["failure"]}" errors="{counts["error"]}" '
    numbers += f'skipped="{counts["skipped"]}" time="{seconds:.3f}"'
    name = _attribute(f"{report.problem}: {submission.path}")
    return "\n".join([f"  <testsuite name={name} {numbers}>", *_properties(submission), *lines, "  </testsuite>"])


def _properties(submission: SubmissionResult) -> Iterator[str]:
    """Verdict and points, of the whole and of each group that has any; the format has no place of its own for them."""
    found = {"verdict": submission.verdict.value, "score": words.points(submission.score)}
    found |= {f"score of {group.name}": words.points(group.score) for group in submission.groups}
    yield "    <properties>"
    for name, value in found.items():
        if value:
            yield f"      <property name={_attribute(name)} value={_attribute(value)}/>"
    yield "    </properties>"


_KINDS = ("failure", "error", "skipped")


def _test(report: Report, submission: SubmissionResult, name: str, body: str, time_s: float) -> str:
    classname = _attribute(f"{report.problem}.{submission.path}")
    head = f'    <testcase classname={classname} name={_attribute(name)} time="{time_s:.3f}"'
    return f"{head}>{body}</testcase>" if body else f"{head}/>"


def _tests(report: Report, submission: SubmissionResult) -> Iterator[tuple[str, str, float]]:
    """Name, inner XML and seconds of each test of a suite."""
    if submission.expected is None:
        for case in submission.cases:
            yield case.name, _case_body(report, case), case.cpu_s or 0.0
    if submission.expected is not None or submission.outcome is not Outcome.AS_ASKED or not submission.cases:
        yield "outcome", _outcome_body(report, submission), 0.0


def _case_body(report: Report, case: CaseResult) -> str:
    match case.verdict:
        case Verdict.ACCEPTED:
            return ""
        case Verdict.SKIPPED:
            return '<skipped message="not run: decided already"/>'
        case Verdict.JUDGE_ERROR:
            return _element("error", case.verdict, case_line(report, case), case.message)
    return _element("failure", case.verdict, case_line(report, case), case.message)


def _outcome_body(report: Report, submission: SubmissionResult) -> str:
    """Where nothing is asked and nothing was run, what does not compile is a failure all the same."""
    remark = words.remark(submission) or submission.verdict.words
    unmet = [words.unmet(item) for item in submission.expected.unmet] if submission.expected is not None else []
    text = "\n".join([*unmet, submission.message])
    if submission.outcome is Outcome.COULD_NOT_JUDGE:
        return _element("error", submission.verdict, remark, text)
    nothing_asked = report.asked is None and submission.expected is None
    passes = submission.outcome is Outcome.AS_ASKED and not (nothing_asked and not submission.cases)
    return "" if passes else _element("failure", submission.verdict, remark, text)


def _element(kind: str, verdict: Verdict, message: str, text: str) -> str:
    return f"<{kind} type={_attribute(verdict)} message={_attribute(message)}>{_text(text)}</{kind}>"


def _attribute(text: str) -> str:
    return quoteattr(printable(text, _MOST).replace("\n", " ").replace("\t", " "))


def _text(text: str) -> str:
    return escape(printable(text, _MOST))
