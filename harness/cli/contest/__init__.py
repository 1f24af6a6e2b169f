"""harness contest: whole contests. Each command is a module of its own, imported when it is called."""

import click

from harness.cli.commands import LazyGroup

COMMANDS = (
    ("new", "harness.cli.contest.new", "Write contest.yaml and problems.yaml for the packages in a folder."),
    ("list", "harness.cli.contest.listing", "List the problems with labels and colours."),
    ("verify", "harness.cli.contest.verify", "Verify every problem, and the contest as a whole."),
    ("booklet", "harness.cli.contest.booklet", "Set all statements as one PDF or page, or the solutions as slides."),
    ("export", "harness.cli.contest.export", "Write a folder that DOMjudge imports."),
    ("upload", "harness.cli.contest.upload", "Upload to DOMjudge, after a plan of what would change."),
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
