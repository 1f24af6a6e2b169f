"""Shows where a program went wrong on the samples, which everybody may see; never on secret cases."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from harness.package import Package
from harness.report.lines import lines_of
from harness.report.nearly import HINT, agree_nearly
from harness.report.side_by_side import difference
from harness.results.model import SubmissionResult
from harness.results.verdict import Verdict

SHOWN = 2
_INPUT_LINES = 12


def show_samples(
    package: Package, results: Sequence[SubmissionResult], out: Console, *, may_tolerate: bool = False
) -> None:
    """The first samples with a wrong answer: the input, and what was printed beside what is expected.

    may_tolerate: the command has --float-tolerance, and it was not given.
    """
    if len(results) != 1:
        return
    cases = {case.name: case for case in package.sample.all_cases()}
    wrong = [one for one in results[0].cases if one.name in cases and one.verdict is Verdict.WRONG_ANSWER]
    for result in wrong[:SHOWN]:
        case = cases[result.name]
        out.print()
        out.print(Text(f"{result.name}, the input:", style="bold"))
        for line in lines_of(case.input.read(), _INPUT_LINES):
            out.print(Text(f"    {line}"))
        if case.answer is not None:
            expected = case.answer.read().decode(errors="replace")
            out.print(difference(expected, result.output or ""))
            if may_tolerate and agree_nearly(expected, result.output or ""):
                out.print(Text(HINT, style="yellow"), soft_wrap=True)
