"""harness contest: a whole contest. Here are the group and its small commands: new, list, booklet."""

import shlex
from pathlib import Path

import click

from harness.cli.console import console, show_warnings
from harness.cli.environment import package_to_read
from harness.cli.lazy_group import LazyGroup
from harness.cli.options import check_target, contest_argument, format_of
from harness.contest.booklet import booklet_html, booklet_pdf, slides_pdf
from harness.contest.contest import ContestProblem
from harness.contest.new import new_contest
from harness.contest.read import find_contest, opened_package, read_contest
from harness.errors import HarnessError, UsageError
from harness.files import atomic
from harness.report import contest as words
from harness.report.escape import printable

_FORMATS = ("pdf", "html")
COMMANDS = (
    ("new", "harness.cli.contest:new", "Write contest.yaml and problems.yaml for the packages in a folder."),
    ("list", "harness.cli.contest:list_problems", "List the problems with labels and colours."),
    ("verify", "harness.cli.contest_verify", "Verify every problem, and the contest as a whole."),
    ("booklet", "harness.cli.contest:booklet", "Set all statements as one PDF or page, or the solutions as slides."),
    ("export", "harness.cli.contest_export:export", "Write a folder that DOMjudge imports."),
    ("upload", "harness.cli.contest_upload:upload", "Upload to DOMjudge, after a plan of what would change."),
)  # fmt: skip


@click.group("contest", cls=LazyGroup, sections={"Commands": COMMANDS})
def command() -> None:
    """Prepare a whole contest: contest.yaml and problems.yaml of DOMjudge, CLICS or BAPCtools.

    CONTEST is a folder that holds these files; left out, the folder that you are in, or problems/ of the workspace.

    \b
    Examples:
      harness contest verify problems
      harness contest booklet problems --lang en
    """


@click.command("new")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--name", help="The contest's name. [the folder's name]")
def new(folder: Path, *, name: str | None) -> int:
    """Write contest.yaml and problems.yaml for the packages in FOLDER, with labels and colours to be changed.

    Example: harness contest new regional --name "Regional 2026"
    """
    written, left_out = new_contest(folder, name or folder.resolve().name)
    show_warnings(left_out)
    for path in written:
        click.echo(str(path))
    click.echo(f"next: harness contest verify {shlex.quote(str(folder))}")
    return 0


@click.command("list")
@contest_argument
def list_problems(folder: Path) -> int:
    """List the problems of CONTEST with labels, colours and what their packages hold.

    Example: harness contest list problems
    """
    contest = read_contest(find_contest(folder))
    out = console()
    out.print(words.contest_line(contest), markup=False, style="bold")
    facts = {problem.slug: _facts(problem) for problem in contest.problems}
    out.print(words.contest_table(contest, facts))
    for fault in (*contest.faults, *contest.warnings):
        console(stderr=True).print(printable(f"{fault}"), markup=False, style="yellow")
    return 1 if contest.faults or any(len(cells) == 1 for cells in facts.values()) else 0


def _facts(problem: ContestProblem) -> tuple[str, ...]:
    """What a package holds; where it cannot be read, only why."""
    try:
        with opened_package(problem) as (package, faults):
            limit_s = package.limits.time_limit_s
            return (
                printable(package.title, 40),
                ", ".join(sorted(package.types)) if not faults else printable(str(faults[0]), 80),
                f"{limit_s:g} s" if limit_s is not None and package.runs_submissions else "",
                str(len(package.judged_cases())),
                str(len(package.submissions)),
            )
    except HarnessError as error:
        return (printable(str(error), 80),)


@click.command("booklet")
@contest_argument
@click.option(
    "--lang", "languages", multiple=True, help="A language. If given again, each problem comes in each of them."
)
@click.option("--format", "form", type=click.Choice(_FORMATS), help="The format to write. [as FILE ends, or pdf]")
@click.option("--slides", is_flag=True, help="Write the editorials as slides, instead of the statements.")
@click.option("-o", "--output", metavar="FILE", help="Where to write it. [<contest>.pdf]")
def booklet(
    folder: Path, *, languages: tuple[str, ...], form: str | None, slides: bool, output: str | None
) -> int:
    """Set the statements of CONTEST as one PDF with a title page (by Typst, no TeX), or as one offline HTML page.

    \b
    Examples:
      harness contest booklet problems --lang en --lang ja
      harness contest booklet problems --slides
    """
    form = format_of(output, form, _FORMATS)
    if slides and (form != "pdf" or len(languages) > 1):
        raise UsageError("--slides makes one PDF in one language")
    contest = read_contest(find_contest(folder))
    show_warnings(contest.faults)
    path = Path(output or f"{contest.slug}{'-solutions' if slides else ''}.{form}")
    check_target(path)
    if slides:
        booklet = slides_pdf(contest, *languages)
    else:
        set_pages = booklet_pdf if form == "pdf" else booklet_html
        booklet = set_pages(contest, languages, read=package_to_read)
    atomic.deliver(path, booklet.content)
    for line in booklet.missing:
        click.echo(printable(f"not in it: {line}"), err=True)
    click.echo(str(path))
    return 0
