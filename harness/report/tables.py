"""The tables of `harness judge`: one submission case by case, several as a matrix of test groups.

Of a single submission the failed samples follow: the input, the output beside the answer, standard error.
"""

from collections.abc import Callable, Collection, Container, Iterator, Sequence
from typing import Literal

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from harness.package import Case, Package, ProblemType
from harness.report import words
from harness.report.differences import difference_table, hint
from harness.report.escape import last_lines, lines_of, one_name, printable
from harness.results import python_hints
from harness.results.model import CaseResult, Report, SubmissionResult
from harness.results.verdict import Verdict
from harness.sandbox.facts import Isolation

_STYLE = {Verdict.ACCEPTED: "green", Verdict.SKIPPED: "dim", Verdict.JUDGE_ERROR: "bold magenta"}
_MARKS = {Verdict.ACCEPTED: "✓", Verdict.SKIPPED: "-", Verdict.JUDGE_ERROR: "!"}
_NUMBERS = ("CPU", "wall", "memory", "passed", "score", "of", "slowest", "peak")
_LEAST_WRAPPED = 30  # columns that text needs to be worth wrapping
_UNBOUNDED = 10_000
_SAMPLES_SHOWN = 2
_INPUT_LINES = 12
_EMPTY = "(empty)"
_STDERR_LINES, _ALL_LINES = 10, 2000


class _UncutTable(Table):
    """A table that loses no text: if it is too wide for the terminal, the terminal wraps its lines."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        unbounded = options.update(max_width=_UNBOUNDED)
        widths = [
            max(console.measure(cell, options=unbounded).maximum for cell in (column.header, *column.cells))
            for column in self.columns
        ]
        least = sum(
            (width if column.no_wrap else min(width, _LEAST_WRAPPED)) + self.padding[1]
            for column, width in zip(self.columns, widths, strict=True)
        )
        if least > options.max_width:
            options = options.update(max_width=sum(widths) + self.padding[1] * len(widths))
        yield from super().__rich_console__(console, options)


def plain_table(*columns: str, right: Container[str] = (), wrap: Container[str] | None = None) -> Table:
    """Return a table without lines. right: number columns. wrap: columns that may wrap; None: all others."""
    table = _UncutTable(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in columns:
        justify: Literal["left", "right"] = "right" if column in right else "left"
        whole = column in right or (wrap is not None and column not in wrap)
        table.add_column(escape(column), justify=justify, no_wrap=whole)
    return table


def isolation_line(isolation: Isolation) -> Text:
    """Return the line on the isolation of submissions, coloured if there was none."""
    return Text(words.isolation_banner(isolation), style="" if isolation.contained else "bold yellow")


def _table(*columns: str) -> Table:
    return plain_table(*columns, right=_NUMBERS, wrap=("",))


def verdict_text(verdict: Verdict) -> Text:
    """Return the verdict's code, coloured."""
    return Text(verdict.value, style=_STYLE.get(verdict, "bold red"))


def verdict_marks(verdicts: Sequence[Verdict | None], width: int) -> Text:
    """Return a coloured character for each case, at most `width`. None: not judged yet."""
    marks = Text()
    for verdict in verdicts[:width]:
        mark = _MARKS.get(verdict, verdict.value[0]) if verdict else "·"
        marks.append(mark, style=_STYLE.get(verdict, "bold red") if verdict else "dim")
    return marks.append("…" if len(verdicts) > width else "")


def judging_tables(report: Report, *, verbose: bool) -> Iterator[RenderableType]:
    """Yield the groups and failed cases of a single submission; of several, a matrix. verbose: all of it, all cases."""
    is_single = len(report.submissions) == 1
    for submission in report.submissions if is_single or verbose else ():
        cases = submission.cases if verbose else submission.failed_cases()
        if submission.cases:
            yield Text(one_name(submission.path), style="bold")
            yield group_table(submission)
        if cases:
            yield case_table(report, cases)
    if not is_single:
        yield matrix(report)


def case_table(report: Report, cases: Sequence[CaseResult]) -> Table:
    """Return a table with a row per case."""
    table = _table("case", "verdict", "CPU", "wall", "memory", "")
    for case in cases:
        table.add_row(
            escape(one_name(case.name)),
            verdict_text(case.verdict),
            words.seconds(case.cpu_s),
            words.seconds(case.wall_s),
            words.mebibytes(case.memory_bytes),
            Text(_remark(report, case)),
        )
    return table


def group_table(submission: SubmissionResult) -> Table:
    """Return a table of one submission with a row per test group."""
    has_points = submission.score is not None
    table = _table("group", "verdict", "passed", "slowest", "peak", *(("score", "of") if has_points else ()))
    for group in submission.groups:
        cases = [case for case in submission.cases if case.group == group.name]
        if not cases:
            continue
        passed = sum(case.verdict is Verdict.ACCEPTED for case in cases)
        table.add_row(
            escape(group.name),
            verdict_text(group.verdict),
            f"{passed} of {len(cases)}",
            words.seconds(max((case.cpu_s for case in cases if case.cpu_s is not None), default=None)),
            words.mebibytes(max((case.memory_bytes or 0 for case in cases), default=0) or None),
            *((words.points(group.score), words.points(group.max_score)) if has_points else ()),
        )
    return table


def matrix(report: Report) -> Table:
    """Return a table with a row per submission and a column per test group."""
    groups = shown_groups(report.submissions)
    points = ("score",) if report.scored else ()
    table = _table(
        "submission", *(name.removeprefix("secret/") for name in groups), *points, "slowest", "peak", ""
    )
    for submission in report.submissions:
        table.add_row(
            escape(one_name(submission.path)),
            *_group_cells(submission, groups),
            *(words.points(submission.score) for _ in points),
            words.slowest(submission),
            words.peak(submission),
            _outcome_text(submission),
        )
    explain(table, report, groups)
    return table


def explain(table: Table, report: Report, groups: Collection[str]) -> None:
    """Add explanations below a table of these test groups."""
    shown = [
        group.verdict for submission in report.submissions for group in submission.groups if group.name in groups
    ]
    table.caption, table.caption_justify = words.key_of(shown) or None, "left"


def remarks(report: Report, has_pypy: Callable[[], bool] = lambda: False) -> list[Text]:
    """Return the remarks below the tables: the faults of each submission that is not accepted or expected."""
    lines: list[Text] = []
    for submission in report.submissions:
        if submission.unavailable or submission.verdict is Verdict.COMPILE_ERROR:
            what = "not judged" if submission.unavailable else submission.verdict.words
            lines.append(Text(f"{one_name(submission.path)}: {what}\n{printable(submission.message)}"))
        unmet = submission.expected.unmet if submission.expected is not None else ()
        lines += [Text(f"{one_name(submission.path)}: {printable(words.unmet(item))}") for item in unmet]
        # A single submission has a table of its cases.
        if (unmet or submission.expected is None) and len(report.submissions) > 1:
            lines += _first_failure(report, submission)
    lines += [Text(printable(hint), style="yellow") for hint in python_hints.hints(report.submissions, has_pypy)]
    return lines + _judge_errors(report)


def _first_failure(report: Report, submission: SubmissionResult) -> list[Text]:
    case = submission.first_failure()
    if case is None or case.verdict is Verdict.JUDGE_ERROR:
        return []
    text = f"{one_name(submission.path)}: {case.verdict.words} on {one_name(case.name)}: {_remark(report, case)}"
    return [Text(text.rstrip(": "))]


def _judge_errors(report: Report) -> list[Text]:
    """Return each distinct failure of a judge program once, however many cases it affected."""
    seen: dict[str, str] = {}
    for submission in report.submissions:
        for case in submission.cases:
            if case.verdict is Verdict.JUDGE_ERROR:
                seen.setdefault(case.message, one_name(f"{submission.path} on {case.name}"))
        if submission.verdict is Verdict.JUDGE_ERROR and submission.explanation:
            seen.setdefault(submission.explanation, one_name(submission.path))
    return [Text(f"judge error, first met by {where}: {printable(message)}") for message, where in seen.items()]


def _remark(report: Report, case: CaseResult) -> str:
    runs = f" (least of {', '.join(f'{run:.3f}' for run in case.cpu_runs_s)})" if case.cpu_runs_s else ""
    if not case.failed:
        return runs.strip()
    return words.why(case, report.time_limit_s, report.memory_limit_mib) + runs


def shown_groups(submissions: Sequence[SubmissionResult]) -> list[str]:
    """Return the names of the test groups, without the outermost if all of its cases lie in inner groups."""
    names = dict.fromkeys(name for submission in submissions for name in submission.group_names())
    holds_cases = any(case.group == "secret" for submission in submissions for case in submission.cases)
    inner = any("/" in name for name in names)
    return [name for name in names if name != "secret" or holds_cases or not inner]


def _group_cells(submission: SubmissionResult, names: Sequence[str]) -> list[Text]:
    if not submission.groups:
        return [verdict_text(submission.verdict), *(Text("") for _ in names[1:])][: len(names)]
    verdicts = {group.name: group.verdict for group in submission.groups}
    return [verdict_text(verdicts.get(name, Verdict.SKIPPED)) for name in names]


def _outcome_text(submission: SubmissionResult) -> Text:
    style = (
        "dim"
        if submission.unavailable or (submission.expected and submission.expected.nothing)
        else "green"
        if submission.expected and submission.expected.met
        else "bold red"
    )
    return Text(words.outcome(submission), style=style)


def sample_details(
    package: Package, result: SubmissionResult, *, verbose: bool = False, may_hint: bool = False
) -> Iterator[RenderableType]:
    """Yield the samples that a submission failed. Of a game only standard error: its transcript is shown elsewhere.

    verbose: all failed samples, and all of standard error, of accepted samples too.
    may_hint: options of the command say how outputs are compared.
    """
    cases = {case.name: case for case in package.sample.all_cases()}
    judged = [case for case in result.cases if case.name in cases and case.judged]
    failed = [case for case in judged if case.verdict is not Verdict.ACCEPTED]
    for sample in failed if verbose else failed[:_SAMPLES_SHOWN]:
        if ProblemType.INTERACTIVE not in package.types:
            yield from _failed_sample(cases[sample.name], sample, may_hint=may_hint)
        yield from _stderr(sample, _ALL_LINES if verbose else _STDERR_LINES)
    for sample in judged if verbose else ():
        if sample not in failed:
            yield from _stderr(sample, _ALL_LINES)


def _failed_sample(case: Case, result: CaseResult, *, may_hint: bool) -> Iterator[RenderableType]:
    yield Text()
    yield from _block(f"{result.name}, the input:", list(lines_of(case.input.read(), _INPUT_LINES)) or [_EMPTY])
    if result.difference is not None:
        yield difference_table(result.difference)
    elif result.output:
        printed = result.output.encode(errors="backslashreplace")
        yield from _block("it printed:", list(lines_of(printed, _INPUT_LINES)))
    if result.verdict is Verdict.WRONG_ANSWER and may_hint and case.answer is not None:
        answer = case.answer.read().decode(errors="replace")
        if answer and (said := hint(answer, result.output, case.settings.output_validator_args)):
            yield Text(said, style="yellow")


def _stderr(result: CaseResult, most: int) -> Iterator[Text]:
    lines = list(last_lines(result.stderr, most))
    if lines:
        yield from _block(f"{result.name}, standard error:", lines)


def _block(title: str, lines: Sequence[str]) -> Iterator[Text]:
    yield Text(title, style="bold")
    yield from (Text(f"    {line}") for line in lines)
