"""harness contest booklet: all statements in one document."""

from pathlib import Path

import click

from harness.cli.contest.folder import contest_argument, contest_at
from harness.cli.output_files import check_target
from harness.contest.booklet import booklet_html, booklet_pdf, slides_pdf
from harness.errors import UsageError
from harness.files import atomic
from harness.report.escape import printable


@click.command("booklet")
@contest_argument
@click.option(
    "--lang", "languages", multiple=True, help="A language; given again, each problem comes in each of them."
)
@click.option("--format", "form", type=click.Choice(["pdf", "html"]), default="pdf", show_default=True)
@click.option("--slides", is_flag=True, help="The editorials as slides, in place of the statements.")
@click.option("-o", "--output", metavar="FILE", help="Where to write it. [<contest>.pdf]")
def command(
    folder: Path | None, *, languages: tuple[str, ...], form: str, slides: bool, output: str | None
) -> int:
    """Set the statements of CONTEST as one PDF with a title page (by Typst, no TeX), or as one offline HTML page.

    \b
    Examples:
      harness contest booklet problems --lang en --lang ja
      harness contest booklet problems --slides
    """
    if slides and (form != "pdf" or len(languages) > 1):
        raise UsageError("--slides makes one PDF in one language")
    contest = contest_at(folder)
    path = Path(output or f"{contest.slug}{'-solutions' if slides else ''}.{form}")
    check_target(path)
    if slides:
        booklet = slides_pdf(contest, *languages)
    else:
        booklet = booklet_pdf(contest, languages) if form == "pdf" else booklet_html(contest, languages)
    atomic.deliver(path, booklet.content)
    for line in booklet.missing:
        click.echo(printable(f"not in it: {line}"), err=True)
    click.echo(str(path))
    return 0
