"""Show the samples that a submission failed: the input, the output beside the answer, the end of standard error."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from harness.package import Package, ProblemType
from harness.report.differences import HINT, agree_nearly, difference_table
from harness.report.escape import last_lines, lines_of
from harness.results.model import CaseResult, SubmissionResult
from harness.results.verdict import Verdict

SHOWN = 2
_INPUT_LINES = 12
_STDERR_LINES, _ALL_LINES = 10, 2000


class SampleDetails:
    """Words the samples of a single submission. Of a game only standard error: its transcript is shown elsewhere.

    verbose: all failed samples, and all of standard error, of accepted samples too.
    may_tolerate: the command has --float-tolerance, and it was not given.
    """

    def __init__(self, package: Package, *, verbose: bool = False, may_tolerate: bool = False) -> None:
        self._cases = {case.name: case for case in package.sample.all_cases()}
        self._is_game = ProblemType.INTERACTIVE in package.types
        self._verbose, self._may_tolerate = verbose, may_tolerate

    def of(self, results: Sequence[SubmissionResult]) -> Iterator[RenderableType]:
        """Yield the details; none for several submissions."""
        if len(results) != 1:
            return
        judged = [case for case in results[0].cases if case.name in self._cases and case.judged]
        failed = [case for case in judged if case.verdict is not Verdict.ACCEPTED]
        for result in failed if self._verbose else failed[:SHOWN]:
            if not self._is_game:
                yield from self._case(result)
            yield from _stderr(result, _ALL_LINES if self._verbose else _STDERR_LINES)
        for result in judged if self._verbose else ():
            if result not in failed:
                yield from _stderr(result, _ALL_LINES)

    def _case(self, result: CaseResult) -> Iterator[RenderableType]:
        case = self._cases[result.name]
        yield Text()
        yield from _block(f"{result.name}, the input:", list(lines_of(case.input.read(), _INPUT_LINES)))
        if result.difference is not None:
            yield difference_table(result.difference)
        elif result.output:
            printed = result.output.encode(errors="backslashreplace")
            yield from _block("it printed:", list(lines_of(printed, _INPUT_LINES)))
        if result.verdict is Verdict.WRONG_ANSWER and self._may_tolerate and case.answer is not None:
            answer = case.answer.read().decode(errors="replace")
            if answer and agree_nearly(answer, result.output):
                yield Text(HINT, style="yellow")


def _stderr(result: CaseResult, most: int) -> Iterator[Text]:
    lines = list(last_lines(result.stderr, most))
    if lines:
        yield from _block(f"{result.name}, standard error:", lines)


def _block(title: str, lines: Sequence[str]) -> Iterator[Text]:
    yield Text(title, style="bold")
    yield from (Text(f"    {line}") for line in lines)
