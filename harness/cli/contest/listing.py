"""harness contest list: the problems of a contest."""

from pathlib import Path

import click

from harness.cli.console import console
from harness.cli.contest.folder import contest_argument, contest_at
from harness.contest.model import ContestProblem
from harness.contest.read import faults_of, opened_package
from harness.errors import HarnessError
from harness.report import contest as words
from harness.report.escape import printable


@click.command("list")
@contest_argument
def command(folder: Path | None) -> int:
    """List the problems of CONTEST with labels, colours and what their packages hold.

    Example: harness contest list problems
    """
    contest = contest_at(folder)
    out = console()
    out.print(words.contest_line(contest), markup=False, style="bold")
    facts = {problem.slug: _facts(problem) for problem in contest.problems}
    out.print(words.contest_table(contest, facts))
    for fault in faults_of(contest):
        console(stderr=True).print(printable(f"{fault}"), markup=False, style="yellow", soft_wrap=True)
    return 1 if contest.faults or any(len(cells) == 1 for cells in facts.values()) else 0


def _facts(problem: ContestProblem) -> tuple[str, ...]:
    """What a package holds; where it cannot be read, only why."""
    try:
        with opened_package(problem) as (package, faults):
            limit_s = package.limits.time_limit_s
            return (
                printable(package.title, 40),
                ", ".join(sorted(package.types)) if not faults else printable(str(faults[0]), 80),
                f"{limit_s:g} s" if limit_s is not None else "",
                str(len(package.judged_cases())),
                str(len(package.submissions)),
            )
    except HarnessError as error:
        return (printable(str(error), 80),)
