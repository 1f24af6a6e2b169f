"""harness contest new: the files of a contest."""

from pathlib import Path

import click

from harness.contest.new import new_contest


@click.command("new")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--name", help="The contest's name. [the folder's name]")
def command(folder: Path, *, name: str | None) -> int:
    """Write contest.yaml and problems.yaml for the packages in FOLDER, with labels and colours to be changed.

    Example: harness contest new regional --name "Regional 2026"
    """
    for path in new_contest(folder, name or folder.resolve().name):
        click.echo(str(path))
    click.echo(f"next: harness contest verify {folder}")
    return 0
