"""Shows where a program went wrong on the samples, which everybody may see; never on secret cases."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from harness.package import Case, Package, ProblemType
from harness.report.differences import HINT, agree_nearly, difference_table
from harness.report.escape import last_lines, lines_of
from harness.results.model import CaseResult, SubmissionResult
from harness.results.verdict import Verdict

SHOWN = 2
_INPUT_LINES = 12
_STDERR_LINES, _ALL_LINES = 10, 2000


def show_samples(
    package: Package,
    results: Sequence[SubmissionResult],
    out: Console,
    *,
    verbose: bool = False,
    may_tolerate: bool = False,
) -> None:
    """The first samples that failed: the input, the output beside what is expected, the end of standard error.

    verbose: all that failed, and all of standard error, of the other samples too. A game has its transcript elsewhere.
    may_tolerate: the command has --float-tolerance, and it was not given.
    """
    if len(results) != 1:
        return
    cases = {case.name: case for case in package.sample.all_cases()}
    judged = [one for one in results[0].cases if one.name in cases and one.judged]
    failed = [one for one in judged if one.verdict is not Verdict.ACCEPTED]
    is_game = ProblemType.INTERACTIVE in package.types
    for result in failed if verbose else failed[:SHOWN]:
        if not is_game:
            _show_case(cases[result.name], result, out, may_tolerate=may_tolerate)
        _show_stderr(result, out, _ALL_LINES if verbose else _STDERR_LINES)
    if verbose:
        for result in judged:
            if result not in failed:
                _show_stderr(result, out, _ALL_LINES)


def _show_case(case: Case, result: CaseResult, out: Console, *, may_tolerate: bool) -> None:
    out.print()
    _show_block(f"{result.name}, the input:", list(lines_of(case.input.read(), _INPUT_LINES)), out)
    if result.difference is not None:
        out.print(difference_table(result.difference))
    elif result.output:
        printed = result.output.encode(errors="backslashreplace")
        _show_block("it printed:", list(lines_of(printed, _INPUT_LINES)), out)
    answer = case.answer.read().decode(errors="replace") if case.answer is not None and may_tolerate else ""
    if result.verdict is Verdict.WRONG_ANSWER and answer and agree_nearly(answer, result.output):
        out.print(Text(HINT, style="yellow"), soft_wrap=True)


def _show_stderr(result: CaseResult, out: Console, most: int) -> None:
    lines = list(last_lines(result.stderr, most))
    if lines:
        _show_block(f"{result.name}, standard error:", lines, out)


def _show_block(title: str, lines: Sequence[str], out: Console) -> None:
    out.print(Text(title, style="bold"))
    for line in lines:
        out.print(Text(f"    {line}"), soft_wrap=True)
