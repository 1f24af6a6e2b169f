"""harness contest verify: every problem, and the contest as a whole."""

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import field
from pathlib import Path

import click
from rich.console import Group
from rich.live import Live
from rich.text import Text

from harness.cli.console import Counter, console, show
from harness.cli.environment import cache_folder, judge_host
from harness.cli.options import JsonTarget, contest_argument, host_options, json_option, write_json
from harness.cli.verify import PLAIN_EVERY_S, verify_options
from harness.contest.contest import Contest, ContestProblem
from harness.contest.read import find_contest, read_contest
from harness.contest.verify import ContestReport, ContestVerifier
from harness.report import contest as words
from harness.report.escape import one_line, printable
from harness.report.verification import outcome
from harness.rules.outcomes import checking_exit_code
from harness.values import dataclass
from harness.verify.findings import PartResult
from harness.verify.run import PARTS, VerificationObserver

STEP_EVERY_S = 0.1


@click.command("verify")
@contest_argument
@verify_options
@json_option
@click.option("-v", "--verbose", is_flag=True, help="Print notes too.")
@host_options
def command(
    folder: Path,
    *,
    only: tuple[str, ...],
    strict: bool,
    fresh: bool,
    json_file: JsonTarget,
    verbose: bool,
    jobs: int,
    isolation: str,
) -> int:
    """Verify every problem of CONTEST, and what shows only side by side: names, colours, limits, languages, load.

    If a problem does not load, the others are verified all the same. What has not changed is not checked again.

    Example: harness contest verify problems
    """
    contest = read_contest(find_contest(folder))
    with judge_host(jobs, isolation) as host, _progress(contest) as observer:
        verifier = ContestVerifier(
            contest=contest, host=host, cache=cache_folder(), fresh=fresh, observer=observer
        )
        report = verifier.run(only or PARTS)
    _show(report, strict=strict, notes=verbose, stderr=json_file == "-")
    write_json(json_file, words.report_as_json(report, strict=strict))
    return checking_exit_code(holds=report.holds(strict=strict), decided=report.decided)


@contextlib.contextmanager
def _progress(contest: Contest) -> Iterator[Callable[[ContestProblem], VerificationObserver]]:
    """A table that fills while problems are verified; where nobody watches, plain lines."""
    out = console(stderr=True)
    if out.is_terminal:
        with Live(console=out, auto_refresh=False, transient=True) as live:
            table = _LiveTable(contest=contest, live=live)
            yield table.observer
        return
    counter = Counter("verifying", unit="steps", plain_every_s=PLAIN_EVERY_S)

    def observer(problem: ContestProblem) -> VerificationObserver:
        name = f"{problem.label} {problem.slug}"
        return VerificationObserver(
            step=lambda step: counter.step(f"{name}: {step}"),
            end=lambda part: counter.say(printable(f"{name}: {part.part} {outcome(part).plain}")),
        )

    yield observer


@dataclass(kw_only=True)
class _LiveTable:
    """The parts that have ended, and below them the step under way."""

    contest: Contest
    live: Live
    cells: dict[tuple[str, str], PartResult | str] = field(default_factory=dict)
    part_name: str = ""
    shown_s: float = 0.0

    def observer(self, problem: ContestProblem) -> VerificationObserver:
        """Return the observer that shows the steps of a problem."""
        return VerificationObserver(
            begin=lambda part: self._part(problem, part),
            step=lambda step: self._step(problem, step),
            end=lambda part: self._part(problem, part),
        )

    def _part(self, problem: ContestProblem, part: str | PartResult) -> None:
        """Show that a part begins or ended."""
        self.part_name = part if isinstance(part, str) else part.part
        self.cells[problem.slug, self.part_name] = "…" if isinstance(part, str) else part
        self._show(problem, "")

    def _step(self, problem: ContestProblem, step: str) -> None:
        """Show a step, at most one in `STEP_EVERY_S`."""
        if time.monotonic() - self.shown_s >= STEP_EVERY_S:
            self._show(problem, one_line(step, 60))

    def _show(self, problem: ContestProblem, step: str) -> None:
        self.shown_s = time.monotonic()
        now = Text(printable(f"{problem.label} {problem.slug}: {self.part_name} {step}"), style="dim")
        self.live.update(Group(words.problem_table(self.contest, self.cells), now), refresh=True)


def _show(report: ContestReport, *, strict: bool, notes: bool, stderr: bool) -> None:
    out = console(stderr=stderr)
    verified = [item for item in report.problems if item.verification is not None]
    cells = {
        (item.problem.slug, part.part): part
        for item in verified
        for part in (item.verification.parts if item.verification is not None else ())
    }
    out.print(words.problem_table(report.contest, cells))
    if any(item.times.limit_s is not None for item in verified):
        out.print()
        out.print(words.time_table(report))
        out.print(words.judging_line(report))
    out.print()
    show(out, words.finding_rows(report, notes=notes))
    out.print(words.conclusion(report, strict=strict))
