"""JUnit XML, valid whatever a submission prints; and the test suites of gradings and judgings."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from xml.etree import ElementTree

from harness.report import words
from harness.report.escape import printable
from harness.report.grades import case_line
from harness.results.model import CaseResult, Outcome, Report, SubmissionResult
from harness.results.verdict import Verdict
from harness.values import dataclass

_MOST = 4000
FAILURE, ERROR, SKIPPED = "failure", "error", "skipped"


@dataclass(frozen=True, kw_only=True)
class JunitCase:
    """A test. kind: FAILURE, ERROR, SKIPPED, or "" if passed. message: one line; text: in full."""

    name: str
    kind: str = ""
    type: str = ""
    message: str = ""
    text: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class JunitSuite:
    """A suite of tests. classname: the prefix of their names. properties: further facts."""

    name: str
    classname: str
    tests: tuple[JunitCase, ...]
    properties: Mapping[str, str] = field(default_factory=dict)


def junit(reports: Sequence[Report]) -> str:
    """Return the XML of gradings or judgings: a suite for each submission.

    The package's own submission is one test: whether it meets its author's expectation.
    """
    return junit_xml(suites_of(reports))


def suites_of(reports: Sequence[Report]) -> list[JunitSuite]:
    """Return a suite for each submission."""
    return [_suite(report, submission) for report in reports for submission in report.submissions]


def junit_xml(suites: Sequence[JunitSuite]) -> str:
    """Return the text of the file."""
    root = ElementTree.Element("testsuites")
    for suite in suites:
        _add_suite(root, suite)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _add_suite(root: ElementTree.Element, suite: JunitSuite) -> None:
    counts = Counter(test.kind for test in suite.tests)
    attributes = {
        "name": suite.name,
        "tests": str(len(suite.tests)),
        "failures": str(counts[FAILURE]),
        "errors": str(counts[ERROR]),
        "skipped": str(counts[SKIPPED]),
        "time": f"{sum(test.seconds for test in suite.tests):.3f}",
    }
    element = _element(root, "testsuite", attributes)
    properties = _element(element, "properties", {})
    for name, value in suite.properties.items():
        _element(properties, "property", {"name": name, "value": value})
    for test in suite.tests:
        case = {"classname": suite.classname, "name": test.name, "time": f"{test.seconds:.3f}"}
        test_element = _element(element, "testcase", case)
        if test.kind:
            type_ = {"type": test.type} if test.type else {}
            problem = _element(test_element, test.kind, {**type_, "message": test.message})
            problem.text = printable(test.text, _MOST) or None


def _element(parent: ElementTree.Element, tag: str, attributes: Mapping[str, str]) -> ElementTree.Element:
    plain = {
        name: printable(value, _MOST).replace("\n", " ").replace("\t", " ") for name, value in attributes.items()
    }
    return ElementTree.SubElement(parent, tag, plain)


def _suite(report: Report, submission: SubmissionResult) -> JunitSuite:
    # The format has no fields for verdict and points.
    properties = {"verdict": submission.verdict.value, "score": words.points(submission.score)}
    properties |= {f"score of {group.name}": words.points(group.score) for group in submission.groups}
    return JunitSuite(
        name=f"{report.problem}: {submission.path}",
        classname=f"{report.problem}.{submission.path}",
        tests=tuple(_tests(report, submission)),
        properties={name: value for name, value in properties.items() if value},
    )


def _tests(report: Report, submission: SubmissionResult) -> Iterator[JunitCase]:
    if submission.expected is None:
        yield from (_case_test(report, case) for case in submission.cases)
    is_shown_by_cases = submission.outcome is Outcome.AS_ASKED or (
        report.asked is None and submission.outcome is Outcome.NOT_AS_ASKED and submission.stable
    )
    has_only_cases = submission.expected is None and bool(submission.cases) and is_shown_by_cases
    if not has_only_cases:
        yield _outcome_test(report, submission)


def _case_test(report: Report, case: CaseResult) -> JunitCase:
    kinds = {Verdict.ACCEPTED: "", Verdict.SKIPPED: SKIPPED, Verdict.JUDGE_ERROR: ERROR}
    kind, seconds = kinds.get(case.verdict, FAILURE), case.cpu_s or 0.0
    if not kind:
        return JunitCase(name=case.name, seconds=seconds)
    if kind == SKIPPED:
        return JunitCase(name=case.name, kind=kind, message="not run: decided already", seconds=seconds)
    line = case_line(report, case)
    return JunitCase(
        name=case.name, kind=kind, type=case.verdict, message=line, text=case.message, seconds=seconds
    )


def _outcome_test(report: Report, submission: SubmissionResult) -> JunitCase:
    """Return the test of the outcome; a compile error is a failure even without an expectation."""
    remark = words.remark(submission) or submission.verdict.words
    unmet = [words.unmet(item) for item in submission.expected.unmet] if submission.expected is not None else []
    is_asked = report.asked is not None or submission.expected is not None
    if submission.outcome is Outcome.AS_ASKED and (is_asked or submission.cases):
        return JunitCase(name="outcome")
    return JunitCase(
        name="outcome",
        kind=ERROR if submission.outcome is Outcome.COULD_NOT_JUDGE else FAILURE,
        type=submission.verdict,
        message=remark,
        text="\n".join([*unmet, submission.message]),
    )
