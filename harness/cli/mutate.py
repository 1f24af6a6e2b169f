"""harness mutate: would the data catch a wrong solution that nobody thought of?"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click
from rich.console import Console

from harness.cli.ci_output import CiOutput
from harness.cli.console import Counter, console
from harness.cli.environment import cache_folder, host
from harness.cli.options import CiOptions, Number, ci_options, jobs_option, limit_options
from harness.cli.output_files import OUTPUT, write_json
from harness.cli.packages import built_package, package_folder, show_data_report, split, timed_package
from harness.files import atomic
from harness.generate.data import build_data
from harness.host.host import Host
from harness.judge.prepare import with_limits
from harness.mutate.mutation import Mutation
from harness.mutate.new_cases import Proposal, add_cases
from harness.mutate.run import (
    INPUTS,
    STRENGTH_INPUTS,
    STRENGTH_MUTANTS,
    MutationResult,
    chosen_solutions,
    run_mutation,
    with_kept_time_limit,
)
from harness.mutate.strength import SEARCH_S
from harness.package import Package
from harness.package.workspace import RECIPE
from harness.report import mutation as words
from harness.report import mutation_page as page
from harness.report.escape import printable

NOTHING_OPEN, SOMETHING_OPEN = 0, 1
PLAIN_EVERY_S = 10.0


@click.command("mutate")
@click.argument("arguments", nargs=-1, metavar="[PROBLEM] [SOLUTION]...")
@click.option(
    "--inputs",
    type=Number(int, 0, 10**8),
    help="How many new inputs to try on survivors, to find one that kills them; 0: none. [100000; --strength: 5000]",
)
@click.option(
    "--sample",
    type=Number(int, 1, 10**6),
    help="At most so many mutants of a solution, evenly spread. [all; --strength: 24]",
)
@click.option(
    "--strength",
    is_flag=True,
    help="How strong the data is: TPR, TNR, needless cases, and valid inputs that break what passes it.",
)
@click.option(
    "--seconds",
    type=Number(float, 0.1, 86400),
    default=SEARCH_S,
    show_default=True,
    help="With --strength: how long to search an input that breaks a submission.",
)
@click.option(
    "--matrix", is_flag=True, help="Which case kills what; redundant cases; the smallest set that suffices."
)
@click.option(
    "--heal", is_flag=True, help="Make the inputs that kill survivors small and propose them for the recipe."
)
@click.option("--apply", "applied", is_flag=True, help="Add what --heal proposes; build and lock the data anew.")
@limit_options(memory=False)
@click.option(
    "--html", "html_file", type=OUTPUT, metavar="FILE", help="Write a page there: the sources with their mutants."
)
@ci_options
@click.option("--fresh", is_flag=True, help="Judge and compare again what earlier calls have judged.")
@jobs_option
def command(
    arguments: tuple[str, ...],
    *,
    inputs: int | None,
    sample: int | None,
    strength: bool,
    seconds: float,
    matrix: bool,
    heal: bool,
    applied: bool,
    time_limit: float | None,
    html_file: Path | None,
    ci: CiOptions,
    fresh: bool,
    jobs: int,
    isolation: str,
) -> int:
    """Change PROBLEM's accepted SOLUTIONs in small ways and see whether the data notices each.

    SOLUTION is a path, or a name below submissions/; without any, all accepted ones, with --strength the three fastest.
    New inputs are searched for one that kills a mutant that survives. Results are kept: the same command goes on where
    it was stopped. Exit code 0: no mutant survives.

    \b
    Examples:
      harness mutate sokoban faces.cpp
      harness mutate sokoban --heal --html mutants.html
      harness mutate sokoban --strength --json strength.json
      harness mutate faces.cpp        (inside a package's folder)
    """
    problem, solutions = split(arguments)
    output = CiOutput(ci)
    out = console(stderr=ci.json_lines)
    root = package_folder(problem, to_change="--apply" if applied else "")
    with host(jobs, isolation) as opened:
        limited = with_limits(built_package(root, opened), time_limit, None)
        programs, left = chosen_solutions(limited, solutions, strength=strength)
        if left:
            names = ", ".join(printable(program.path) for program in left)
            click.echo(f"left out, for only single files in C++ and Python 3 are mutated: {names}", err=True)
        package = with_kept_time_limit(limited, cache_folder(), partial(timed_package, opened=opened, quiet=False))
        with Counter(f"mutating {package.slug}", unit="steps", plain_every_s=PLAIN_EVERY_S) as counter:
            mutation = Mutation(
                package=package,
                host=opened,
                cache=cache_folder(),
                inputs=inputs if inputs is not None else STRENGTH_INPUTS if strength else INPUTS,
                sample=sample or (STRENGTH_MUTANTS if strength else None),
                fresh=fresh,
                progress=counter.step,
            )
            try:
                result = run_mutation(
                    mutation, programs, matrix=matrix, propose=heal or applied, strength=strength, search_s=seconds
                )
            except KeyboardInterrupt:
                click.echo("\nthe results so far are kept: the same command goes on there", err=True)
                raise
        report, proposals = result.report, result.proposals
        if not ci.short:
            _show(result, out)
        if not (proposals or ci.short) and any(finding.killer is not None for _, finding in report.survivors()):
            text = "--heal makes small cases of the inputs that kill survivors; --apply adds them to the data"
            out.print(text, soft_wrap=True)
        if applied and proposals:
            _apply(package, proposals, opened, out)
    if html_file:
        atomic.deliver(html_file, page.render(result).encode())
    write_json(ci.json_file, words.as_json(result))
    origins = {program.path: program.origin for program in programs}
    output.conclude(list(words.diagnostics(report, origins)), words.suites(report), words.summary(report))
    return SOMETHING_OPEN if report.survivors() or report.left_out else NOTHING_OPEN


def _apply(package: Package, proposals: Sequence[Proposal], opened: Host, out: Console) -> None:
    """Add cases to the package; with a recipe, build and lock."""
    for path in dict.fromkeys(add_cases(package, proposals)):
        out.print(f"added to {path}", markup=False, soft_wrap=True)
    if RECIPE in package.files:
        with Counter("building", unit="files") as counter:
            report = build_data(package.root, opened, relock=True, progress=counter.step)
        show_data_report(report, package.root, stderr=out.stderr)
    out.print("the same command again judges the mutants on the new data", soft_wrap=True)


def _show(result: MutationResult, out: Console) -> None:
    report = result.report
    out.print(words.table(report))
    for line in words.left_lines(report):
        out.print(line, markup=False, soft_wrap=True, style="yellow")
    for line in words.open_lines(report):
        out.print(line, markup=False, soft_wrap=True)
    for line in words.further_lines(result):
        out.print(line, markup=False, soft_wrap=True)
    out.print(words.summary(report), markup=False, style="bold", soft_wrap=True)
