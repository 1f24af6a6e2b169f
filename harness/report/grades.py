"""The tables of `harness grade`: a row per submission, with details below."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from rich.table import Table
from rich.text import Text

from harness.errors import counted
from harness.report import words
from harness.report.escape import cut_in_the_middle, lines_of, one_line, one_name, printable
from harness.report.tables import explain, plain_table, shown_groups, verdict_text
from harness.results.model import CaseResult, Feedback, Outcome, Report, SubmissionResult
from harness.results.verdict import Verdict

_OUTCOME_STYLE = {
    Outcome.AS_ASKED: "green",
    Outcome.NOT_AS_ASKED: "bold red",
    Outcome.COULD_NOT_JUDGE: "bold magenta",
}
_MESSAGE_LINES, _MESSAGE_WIDTH = (
    15,
    200,
)  # cap on compiler messages in a table of many submissions; reports hold all
_NAME_LETTERS = 80  # of a name in the table: the longest makes each row so wide


def passed(submission: SubmissionResult) -> str:
    """Return the number of accepted cases of a submission."""
    return f"{submission.passed()} of {len(submission.cases)}" if submission.cases else ""


_SCORE = "score"
# The columns of figures, in this table and as Markdown. Times of secret cases may be left out (grade/feedback.py).
FIGURES: Mapping[str, Callable[[SubmissionResult], str]] = {
    "passed": passed,
    _SCORE: lambda submission: words.points(submission.score),
    "slowest": words.slowest,
    "peak": words.peak,
}


def grade_table(report: Report) -> Table:
    """Return a row per submission of a problem, with a column for each test group."""
    groups = shown_groups(report.submissions)
    titles = ("submission", "verdict", *(name.removeprefix("secret/") for name in groups))
    figures = [name for name in FIGURES if report.scored or name != _SCORE]
    table = plain_table(*titles, *figures, "", right=figures, wrap=("",))
    for submission in report.submissions:
        table.add_row(
            Text(cut_in_the_middle(one_name(submission.path), _NAME_LETTERS)),
            verdict_text(submission.verdict),
            *_group_cells(submission, groups),
            *(FIGURES[name](submission) for name in figures),
            Text(
                words.remark(submission),
                style=_OUTCOME_STYLE.get(submission.outcome, "") if submission.outcome else "",
            ),
        )
    explain(table, report, groups)
    return table


def _group_cells(submission: SubmissionResult, names: Sequence[str]) -> Iterator[Text]:
    verdicts = {group.name: group.verdict for group in submission.groups}
    for name in names:
        yield verdict_text(verdicts[name]) if name in verdicts else Text("")


def details(report: Report) -> Iterator[str]:
    """Yield the lines below the table: for each submission that is not fully accepted, what it failed on."""
    for submission in report.submissions:
        if submission.explanation:
            what = "could not be judged here" if submission.unavailable else submission.verdict.words.lower()
            lines = lines_of(
                f"{submission.explanation}\n".encode(errors="backslashreplace"), _MESSAGE_LINES, _MESSAGE_WIDTH
            )
            yield "\n".join([f"{one_name(submission.path)}: {what}", *lines])
        elif (case := _shown_case(submission)) is not None:
            yield f"{one_name(submission.path)}: {case_line(report, case)}"
        for item in submission.expected.unmet if submission.expected is not None else ():
            yield f"{one_name(submission.path)}: {printable(words.unmet(item))}"
    shown = filter(None, map(_shown_case, report.submissions))
    if report.feedback not in (None, Feedback.FULL) and any(case.group != "sample" for case in shown):
        yield "secret cases go by number here; --feedback full names them, for those who may know"


def _shown_case(submission: SubmissionResult) -> CaseResult | None:
    """Return the case to show for a submission."""
    return submission.first_failure() if submission.verdict is not Verdict.ACCEPTED else None


def case_line(report: Report, case: CaseResult) -> str:
    """Describe a failed case and the reason on one line."""
    why = words.why(case, report.time_limit_s, report.memory_limit_mib)
    return f"{case.verdict.words.lower()} on {one_line(case.name)}" + (f": {why}" if why else "")


def failure_line(report: Report, submission: SubmissionResult) -> str:
    """Say why a submission failed: an unmet expectation, else the first failed case, else the compiler error."""
    if submission.expected is not None and submission.expected.unmet:
        return words.unmet(submission.expected.unmet[0])
    case = submission.first_failure()
    return case_line(report, case) if case is not None else submission.message


def progress_line(submission: SubmissionResult) -> str:
    """Describe a submission on one line, for a log."""
    parts = [f"{one_line(one_name(submission.path))}: {submission.verdict}"]
    if submission.score is not None:
        parts.append(f"{words.points(submission.score)} points")
    if submission.cases:
        parts.append(f"{passed(submission)} cases")
    remark = words.remark(submission)
    return ", ".join([*parts, remark] if remark else parts)


def summary(reports: Sequence[Report]) -> str:
    """Summarize the whole grading on one line."""
    submissions = [submission for report in reports for submission in report.submissions]
    counts = {verdict: sum(submission.verdict is verdict for submission in submissions) for verdict in Verdict}
    parts = [f"{count} {verdict}" for verdict, count in counts.items() if count]
    tail = [
        f"{count} {text}"
        for outcome, text in (
            (Outcome.NOT_AS_ASKED, "not as asked"),
            (Outcome.COULD_NOT_JUDGE, "could not be judged"),
        )
        if (count := sum(submission.outcome is outcome for submission in submissions))
    ]
    return f"{counted(len(submissions), 'submission')}: {', '.join(parts) or 'none'}" + (
        f"; {', '.join(tail)}" if tail else ""
    )
