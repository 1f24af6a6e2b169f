"""harness new: make a small package to start from."""

import re
import shlex
import uuid
from pathlib import Path

import click

from harness.errors import UsageError
from harness.package.template import template_files

_SLUG = re.compile(r"[a-z0-9]+")


@click.command("new")
@click.argument("name")
@click.option("--checker", is_flag=True, help="Several outputs may be right: add an output validator.")
@click.option("--interactive", is_flag=True, help="The judge answers questions: add an interactor.")
@click.option("--groups", is_flag=True, help="Give points by test group.")
def command(name: str, *, checker: bool, interactive: bool, groups: bool) -> int:
    """Make the folder NAME with a small problem package that verifies at once. Then change it into yours.

    It has a statement, a validator, a recipe with a generator, and solutions in C++ and Python.

    \b
    Examples:
      harness new kittens && harness verify kittens
      harness new puppies --checker --groups
    """
    if checker and interactive:
        raise UsageError("--checker or --interactive: the interactor of a game is its checker, too")
    root = Path(name)
    if root.exists():
        raise UsageError(f"{root} is there already: nothing was changed")
    if not _SLUG.fullmatch(root.name):
        raise UsageError(f"{root.name!r} is no name for a package: use a-z and 0-9 only")
    files = template_files(
        title=root.name.capitalize(),
        identity=str(uuid.uuid4()),
        checker=checker,
        interactive=interactive,
        groups=groups,
    )
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    click.echo(f"{root}: {len(files)} files; next: harness verify {shlex.quote(str(root))}")
    return 0
