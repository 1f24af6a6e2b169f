"""harness statement: a problem's statement as a page, as PDF or as plain Markdown."""

import sys
from pathlib import Path

import click

from harness.cli.console import show_warnings
from harness.cli.environment import package_folder, package_to_read
from harness.cli.options import check_target, format_of
from harness.files import atomic
from harness.statement.page import render_html, render_pdf
from harness.statement.source import chosen_language, render_markdown

_FORMATS = ("html", "pdf", "md")


@click.command("statement")
@click.argument("problem", required=False)
@click.option("--lang", "language", help="Language of the statement, such as en or ja.")
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    help="The format to write. [as FILE ends, or html]",
)
@click.option("-o", "--output", metavar="FILE", help="Where to write it; - is stdout. [<problem>.<lang>.<format>]")
def command(problem: str | None, *, language: str | None, form: str | None, output: str | None) -> int:
    """Render PROBLEM's statement with its samples, readable offline: one HTML page, PDF (by Typst) or Markdown.

    \b
    Examples:
      harness statement sokoban --lang ja
      harness statement sokoban --format pdf
    """
    form = format_of(output, form, _FORMATS)
    if output != "-":
        check_target(Path(output or "here"))
    package, faults = package_to_read(package_folder(problem))
    show_warnings(faults)  # only its texts are needed
    if form == "pdf":
        content = render_pdf(package, language)
    else:
        content = (render_html if form == "html" else render_markdown)(package, language).encode("utf-8")
    if output == "-":
        try:
            sys.stdout.buffer.write(content)
        except OSError as error:
            raise OSError(error.errno, error.strerror, "standard output") from error
        return 0
    path = Path(output or f"{package.slug}.{chosen_language(package, language)}.{form}")
    atomic.deliver(path, content)
    click.echo(str(path))
    return 0
