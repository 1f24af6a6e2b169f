"""harness contest verify: every problem, and the contest as a whole."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import click
from rich.console import Group
from rich.live import Live
from rich.text import Text

from harness.cli.console import console
from harness.cli.environment import cache_folder, judge_host
from harness.cli.options import JsonTarget, contest_argument, jobs_option, json_option, write_json
from harness.contest.model import Contest, ContestProblem
from harness.contest.read import find_contest, read_contest
from harness.contest.verify import ContestReport, ContestVerifier, PartObserver
from harness.report import contest as words
from harness.report.escape import printable
from harness.report.verification import outcome
from harness.verify.findings import PartResult
from harness.verify.run import PARTS


@click.command("verify")
@contest_argument
@click.option("--only", multiple=True, type=click.Choice(PARTS), help="Check only this part; may be given again.")
@click.option("--strict", is_flag=True, help="Warnings count as errors.")
@click.option("--fresh", is_flag=True, help="Check everything again, also what has not changed.")
@json_option
@click.option("-v", "--verbose", is_flag=True, help="Print notes too.")
@jobs_option
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
    with judge_host(jobs, isolation) as host, _live_table(contest) as observe:
        verifier = ContestVerifier(contest=contest, host=host, cache=cache_folder(), fresh=fresh, observe=observe)
        report = verifier.run(only or PARTS)
    _show(report, strict=strict, notes=verbose, stderr=json_file == "-")
    write_json(json_file, words.report_as_json(report, strict=strict))
    if not report.holds(strict=strict):
        return 1
    return 0 if report.decided else 2


@contextlib.contextmanager
def _live_table(contest: Contest) -> Iterator[PartObserver]:
    """A table that fills while problems are verified; where nobody watches, a plain line for each part at the end."""
    out = console(stderr=True)
    cells: dict[tuple[str, str], PartResult | str] = {}
    with Live(console=out, auto_refresh=False, transient=True) if out.is_terminal else _nothing() as live:

        def observe(problem: ContestProblem, part: str | PartResult) -> None:
            name = part if isinstance(part, str) else part.part
            cells[problem.slug, name] = "…" if isinstance(part, str) else part
            if live is not None:
                now = Text(printable(f"{problem.label} {problem.slug}: {name}"), style="dim")
                live.update(Group(words.problem_table(contest, cells), now), refresh=True)
            elif not isinstance(part, str):
                line = f"{problem.label} {problem.slug}: {name} {outcome(part).plain}"
                out.print(printable(line), markup=False)

        yield observe


@contextlib.contextmanager
def _nothing() -> Iterator[None]:
    yield None


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
    for line in words.finding_rows(report, notes=notes):
        out.print(line)
    out.print(words.conclusion(report, strict=strict))
