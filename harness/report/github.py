"""GitHub Actions: annotations on standard output and a step summary, within the sizes that GitHub takes.

Whatever else is printed in the meantime cannot be taken for a command: `pause` and `resume` stand around it.
"""

from collections.abc import Sequence

from harness.report import words
from harness.report.escape import printable
from harness.report.grades import case_line, summary
from harness.report.markdown import markdown
from harness.results.model import Outcome, Report, SubmissionResult

SUMMARY_BYTES = 1000 * 1024  # GitHub takes 1 MiB a step
ANNOTATIONS = 9  # and ten of a kind a step; the tenth says how many more there are
_MESSAGE = 2000


def step_summary(reports: Sequence[Report]) -> str:
    """What goes to $GITHUB_STEP_SUMMARY."""
    return markdown(reports, SUMMARY_BYTES)


def pause(token: str) -> str:
    """From here on nothing is a workflow command, until `resume` with the same secret token."""
    return f"::stop-commands::{token}"


def resume(token: str) -> str:
    """Commands count again."""
    return f"::{token}::"


def annotations(reports: Sequence[Report]) -> list[str]:
    """Workflow commands: an error for each submission that is not as asked, and a notice about the whole."""
    told = [(r, one) for r in reports for one in r.submissions if one.outcome is not Outcome.AS_ASKED]
    lines = [_annotation(report, one) for report, one in told[:ANNOTATIONS]]
    if len(told) > ANNOTATIONS:
        lines.append(f"::error::{_data(f'and {len(told) - ANNOTATIONS} more; the summary has them all')}")
    return [*lines, f"::notice title=harness::{_data(summary(reports))}"]


def _annotation(report: Report, one: SubmissionResult) -> str:
    trouble = words.first_trouble(one)
    text = case_line(report, trouble) if trouble is not None else one.message
    if one.expected is not None and one.expected.unmet:
        text = words.unmet(one.expected.unmet[0])
    what = "could not be judged here" if one.unavailable else one.verdict.words
    title = _property(f"{report.problem}: {what}")
    return f"::error file={_property(one.path)},title={title}::{_data(text or words.remark(one))}"


def _data(text: str) -> str:
    shown = printable(text, _MESSAGE)
    return shown.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
