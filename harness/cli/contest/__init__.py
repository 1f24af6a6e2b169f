"""harness contest: whole contests. Each command is a module of its own, imported when it is called."""

import importlib

import click

# Name, module, first sentence of its help, as `harness contest --help` lists them.
COMMANDS = (
    ("new", "harness.cli.contest.new", "Write contest.yaml and problems.yaml for the packages in a folder."),
    ("list", "harness.cli.contest.listing", "List the problems with labels and colours."),
    ("verify", "harness.cli.contest.verify", "Verify every problem, and the contest as a whole."),
    ("booklet", "harness.cli.contest.booklet", "Set all statements as one PDF or page, or the solutions as slides."),
    ("export", "harness.cli.contest.export", "Write a folder that DOMjudge imports."),
    ("upload", "harness.cli.contest.upload", "Upload to DOMjudge, after a plan of what would change."),
)  # fmt: skip
_MODULES = {name: module for name, module, _ in COMMANDS}


class ContestGroup(click.Group):
    """A group whose commands are imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of COMMANDS."""
        return list(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return its `command`."""
        if cmd_name not in _MODULES:
            return None
        command: click.Command = importlib.import_module(_MODULES[cmd_name]).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands; imports none of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, _, summary in COMMANDS])


@click.group("contest", cls=ContestGroup)
def command() -> None:
    """Prepare a whole contest: contest.yaml and problems.yaml of DOMjudge, CLICS or BAPCtools.

    CONTEST is a folder that holds these files; left out, the folder that you are in, or problems/ of the workspace.

    \b
    Examples:
      harness contest verify problems
      harness contest booklet problems --lang en
    """
