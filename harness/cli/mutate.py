"""harness mutate: would the data catch a wrong solution that nobody thought of?"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from harness import atomic
from harness.cli.common import cache_folder, console, host, jobs_option, package_folder
from harness.cli.judge import built_package
from harness.cli.progress import Counter
from harness.errors import UsageError
from harness.host import Host
from harness.mutate import Mutation, MutationReport, can_mutate
from harness.mutate.catalogue import check_catalogue
from harness.mutate.healing import Healing, Proposal, add_to_recipe
from harness.mutate.matrix import KillMatrix, kill_matrix
from harness.package import Package, Program
from harness.report import mutation as words

NOTHING_OPEN, SOMETHING_OPEN = 0, 1


@click.command("mutate")
@click.argument("problem", required=False)
@click.argument("solutions", nargs=-1, metavar="[SOLUTION]...")
@click.option("--inputs", type=click.IntRange(0, 10**8), default=100_000, show_default=True, help="Of the search.")
@click.option("--sample", type=click.IntRange(1), help="At most so many mutants of a solution.")
@click.option("--matrix", is_flag=True, help="Which case kills what, redundant cases, the smallest set that suffices.")
@click.option("--heal", is_flag=True, help="Reduce the inputs that kill survivors and propose lines for the recipe.")
@click.option("--apply", "apply_", is_flag=True, help="Add the proposed lines, build and lock the data anew.")
@click.option("--json", "json_file", metavar="FILE", help="Write the result there.")
@click.option("--html", "html_file", metavar="FILE", help="Write a page with the sources there.")
@jobs_option
def command(
    problem: str | None,
    solutions: tuple[str, ...],
    *,
    inputs: int,
    sample: int | None,
    matrix: bool,
    heal: bool,
    apply_: bool,
    json_file: str | None,
    html_file: str | None,
    jobs: int,
    isolation: str,
) -> int:
    """Change PROBLEM's accepted SOLUTIONs in small ways and see whether the data notices each.

    What it does not notice is searched for an input that does; 0 means that nothing is left open.

    Examples: harness mutate sokoban accepted/faces.cpp, harness mutate sokoban --heal --html report.html
    """
    root = package_folder(problem)
    with host(jobs, isolation) as opened:
        package = built_package(root, opened)
        programs = _chosen(package, solutions)
        with Counter(f"mutating {package.slug}", unit="steps") as counter:
            mutation = Mutation(
                package=package,
                host=opened,
                cache=cache_folder() / "corpus",
                inputs=inputs,
                sample=sample,
                progress=counter.step,
            )
            report = mutation.run(programs)
            kills = kill_matrix(mutation, programs) if matrix else None
            proposals = Healing(mutation=mutation).propose(report) if heal or apply_ else ()
        _tell(report, kills, proposals)
        if apply_ and proposals:
            _apply(package, proposals, opened)
    if json_file:
        values = words.as_json(report, kills, proposals)
        atomic.write(Path(json_file), json.dumps(values, ensure_ascii=False, indent=1).encode() + b"\n")
    if html_file:
        atomic.write(Path(html_file), words.page(report, kills, proposals).encode())
    return SOMETHING_OPEN if report.survivors() else NOTHING_OPEN
