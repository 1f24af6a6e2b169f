"""harness new: a package to begin with."""

import re
import uuid
from pathlib import Path

import click

from harness.errors import UsageError
from harness.package.template import KINDS, template_files

_SLUG = re.compile(r"[a-z0-9]+")


@click.command("new")
@click.argument("name")
@click.option(
    "--type", "kind", type=click.Choice(KINDS), default=KINDS[0], show_default=True, help="What kind of problem."
)
def command(name: str, *, kind: str) -> int:
    """Make the folder NAME with a small problem package that verifies at once, to be changed into yours.

    Example: harness new kittens && harness verify kittens
    """
    root = Path(name)
    if not _SLUG.fullmatch(root.name):
        raise UsageError(f"{root.name!r} is no name for a package: use a-z and 0-9 only")
    if root.exists():
        raise UsageError(f"{root} is there already: nothing was changed")
    for path, text in template_files(kind, title=root.name.capitalize(), identity=str(uuid.uuid4())).items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    click.echo(f"{root}: {kind}; next: harness verify {root}")
    return 0
