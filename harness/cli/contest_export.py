"""harness contest export: a folder for DOMjudge."""

from pathlib import Path

import click
from rich.filesize import decimal

from harness.cli.console import console, show_warnings
from harness.cli.environment import built_package, judge_host
from harness.cli.options import contest_argument, host_options
from harness.contest.export import NO_START, export_contest
from harness.contest.read import find_contest, read_contest
from harness.export.targets import TARGET_NAMES, Target


@click.command("export")
@contest_argument
@click.option(
    "--format", "target", type=click.Choice(TARGET_NAMES), default=Target.DOMJUDGE.value,
    show_default=True, help="The format of the zips.",
)  # fmt: skip
@click.option("-o", "--output", metavar="FOLDER", help="The folder to make. [<contest>-export]")
@host_options
def export(folder: Path, *, target: str, output: str | None, jobs: int, isolation: str) -> int:
    """Write CONTEST as a folder that DOMjudge imports: contest.yaml, problems.yaml, one zip a problem.

    `harness contest` reads the folder again with the same result.

    Example: harness contest export problems --output regional
    """
    contest = read_contest(find_contest(folder))
    destination = Path(output or f"{contest.slug}-export")
    with judge_host(jobs, isolation) as host:
        exported = export_contest(contest, Target(target), destination, lambda root: built_package(root, host))
    out, losses = console(), dict[str, list[str]]()
    for item in exported:
        out.print(f"{item.problem.label}  {item.path}  {decimal(item.path.stat().st_size)}", markup=False)
        for loss in item.losses:
            losses.setdefault(loss, []).append(item.problem.label)
    if contest.start_time is None:
        show_warnings([NO_START])
    if losses:
        out.print(f"\nwhat {target} does not hold:")
    for loss, labels in losses.items():
        out.print(f"- {loss} ({', '.join(labels)})", markup=False)
    return 0
