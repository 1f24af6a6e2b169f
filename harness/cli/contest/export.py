"""harness contest export: a folder for DOMjudge."""

from pathlib import Path

import click
from rich.filesize import decimal

from harness.cli.console import console
from harness.cli.contest.folder import contest_argument, contest_at
from harness.cli.environment import host
from harness.cli.options import jobs_option
from harness.cli.packages import built_package
from harness.contest.export import export_contest
from harness.export.formats import Target


@click.command("export")
@contest_argument
@click.option(
    "--format", "target", type=click.Choice([target.value for target in Target]), default=Target.DOMJUDGE.value,
    show_default=True, help="The format of the zips.",
)  # fmt: skip
@click.option("-o", "--output", metavar="FOLDER", help="The folder to make. [<contest>-export]")
@jobs_option
def command(folder: Path | None, *, target: str, output: str | None, jobs: int, isolation: str) -> int:
    """Write CONTEST as a folder that DOMjudge imports: contest.yaml, problems.yaml, one zip a problem.

    `harness contest` reads the folder again with the same result.

    Example: harness contest export problems --output regional
    """
    contest = contest_at(folder)
    place = Path(output or f"{contest.slug}-export")
    with host(jobs, isolation) as opened:
        exported = export_contest(contest, Target(target), place, lambda root: built_package(root, opened))
    out = console()
    for item in exported:
        out.print(f"{item.problem.label}  {item.path}  {decimal(item.path.stat().st_size)}", markup=False)
    losses: dict[str, list[str]] = {}
    for item in exported:
        for loss in item.losses:
            losses.setdefault(loss, []).append(item.problem.label)
    if losses:
        out.print(f"\nwhat {target} does not hold:")
    for loss, labels in losses.items():
        out.print(f"- {loss} ({', '.join(labels)})", markup=False, soft_wrap=True)
    return 0
