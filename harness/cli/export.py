"""harness export: a package for another judge."""

from pathlib import Path

import click
from rich.filesize import decimal

from harness.cli.console import console, show_warnings
from harness.cli.environment import built_package, judge_host, package_folder
from harness.cli.options import OUTPUT, check_target, host_options
from harness.errors import UsageError
from harness.export.archive import write_zip
from harness.export.targets import TARGET_NAMES, Target, export
from harness.files import atomic


@click.command("export")
@click.argument("problem", required=False)
@click.option(
    "--format",
    "target",
    type=click.Choice(TARGET_NAMES),
    default=Target.CURRENT.value,
    show_default=True,
    help="The format to write.",
)
@click.option("-o", "--output", type=OUTPUT, metavar="FILE.zip", help="Where to write it. [<problem>.zip]")
@host_options
def command(problem: str | None, *, target: str, output: Path | None, jobs: int, isolation: str) -> int:
    """Write PROBLEM as one self-contained zip with all of its data, and say what the format cannot hold.

    The same package gives the same bytes. Most importers take the zip's name as the problem's name.

    Example: harness export sokoban --format domjudge --output sokoban.zip
    """
    check_target(output or Path("here"))
    if output is not None and output.suffix.lower() != ".zip" and not atomic.is_stream(output):
        raise UsageError(f"{output}: the package becomes a zip: name a file that ends in .zip")
    root = package_folder(problem)
    with judge_host(jobs, isolation) as host:
        package = built_package(root, host)
    show_warnings(package.warnings)
    exported = export(package, Target(target))
    path = output or Path(f"{package.slug}.zip")
    write_zip(exported, path)
    out = console()
    size = decimal(path.stat().st_size)
    out.print(f"{path}: {len(exported.contents)} files, {size}", markup=False, style="bold")
    if exported.losses:
        out.print(f"\nwhat {target} does not hold:")
    for loss in exported.losses:
        out.print(f"- {loss}", markup=False)
    return 0
