"""harness statement: a problem's statement as a page."""

from pathlib import Path

import click

from harness import atomic
from harness.cli.common import package_folder
from harness.package import load
from harness.statement import render_html


@click.command("statement")
@click.argument("problem", required=False)
@click.option("--lang", "language", help="Language of the statement, such as en or ja.")
@click.option("-o", "--output", metavar="FILE", help="Where to write it; - is stdout. [<problem>.<lang>.html]")
def command(problem: str | None, *, language: str | None, output: str | None) -> int:
    """Render PROBLEM's statement as one HTML page with its samples, readable offline.

    Example: harness statement sokoban --lang ja
    """
    package = load(package_folder(problem), built=False)
    page = render_html(package, language)
    if output == "-":
        click.echo(page)
        return 0
    path = Path(output or f"{package.slug}.{language or 'en'}.html")
    atomic.write(path, page.encode("utf-8"))
    click.echo(str(path))
    return 0
