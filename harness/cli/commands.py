"""The commands of `harness` by section, and the group that imports each only when it is called.

So `harness --version` starts at once.
"""

import difflib
import importlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import click

from harness import __version__

COMPLETE_VARIABLE = "_HARNESS_COMPLETE"  # set by the shell while it completes a word
# The commands as `harness --help` lists them: name, module, first sentence of its help.
SECTIONS: Mapping[str, Sequence[tuple[str, str, str]]] = {
    "Contestants": (
        ("judge", "harness.cli.judge", "Judge submissions on a package, or all of the package's own."),
        ("test", "harness.cli.test", "Run a program on the samples of a folder, without a package."),
        ("listen", "harness.cli.listen", "Take problems from the browser: samples and limits, by one button."),
        ("stress", "harness.cli.stress", "Find a smallest input on which a program fails."),
        ("shape", "harness.cli.shape", "Guess the input format from samples, for stress --shape."),
        ("play", "harness.cli.play", "Play against the interactor of a problem: you are the submission."),
    ),
    "Setters": (
        ("new", "harness.cli.new", "Make a small package that verifies at once, as a start of yours."),
        ("generate", "harness.cli.generate", "Build the secret data from its recipe, and lock it by hash."),
        ("verify", "harness.cli.verify", "Check a whole package: data, programs, limits, statements."),
        ("mutate", "harness.cli.mutate", "Change accepted solutions slightly and see if the data notices."),
        ("statement", "harness.cli.statement", "Render a statement as one offline HTML page, PDF or Markdown."),
        ("export", "harness.cli.export", "Write a zip for another judge, and say what is lost."),
        ("contest", "harness.cli.contest", "Prepare a whole contest: verify, booklet, export, upload."),
    ),
    "CI": (
        ("grade", "harness.cli.grade", "Grade many submissions: resumable, sharded, with reports."),
        ("merge", "harness.cli.merge", "Merge the reports or stores of shards into one report."),
    ),
    "All": (
        ("list", "harness.cli.listing", "List the problems of a workspace, or the packages in a folder."),
        ("help", "harness.cli.help", "Show the help of a command."),
        ("doctor", "harness.cli.doctor", "Show the languages and isolation of this machine."),
    ),
}
COMMANDS = {name: module for rows in SECTIONS.values() for name, module, _ in rows}


class LazyGroup(click.Group):
    """A group whose commands are imported on use. sections: as SECTIONS."""

    def __init__(self, *args: Any, sections: Mapping[str, Sequence[tuple[str, str, str]]], **extra: Any) -> None:
        super().__init__(*args, **extra)
        self.sections = sections
        self.modules = {name: module for rows in sections.values() for name, module, _ in rows}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the sections."""
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return its `command`."""
        module = self.modules.get(cmd_name)
        if module is None:
            return None
        if COMPLETE_VARIABLE in os.environ:
            stub: click.Command | None = importlib.import_module("harness.cli.completion").stub(cmd_name)
            return stub
        command: click.Command = importlib.import_module(module).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command; for a misspelt name, raise an error that suggests the nearest."""
        close = difflib.get_close_matches(args[0], self.modules, n=1)
        if args[0] not in self.modules and close:
            raise click.UsageError(f"no command `{args[0]}`: did you mean `{close[0]}`?", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by section, with a common first column; import none of them."""
        widest = max(map(len, self.modules))
        for section, rows in self.sections.items():
            with formatter.section(section):
                formatter.write_dl([(name.ljust(widest), summary) for name, _, summary in rows])

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Read the options of the group, among them --help, which prints."""
        with _noticing_closed_output():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _noticing_closed_output():
            return super().invoke(ctx)


class ReaderGone(Exception):  # noqa: N818
    """The reader of standard output has closed it."""


@contextmanager
def _noticing_closed_output() -> Iterator[None]:
    """Raise ReaderGone for a closed pipe: click would end the process with 1, "not as expected"."""
    try:
        yield
    except BrokenPipeError as error:
        raise ReaderGone from error


@click.group(cls=LazyGroup, sections=SECTIONS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="harness")
def group() -> None:
    """Judge problem packages and programs on this machine.

    PROBLEM is a problem of the workspace around you (sokoban), a path to a package, or left out inside one.

    Exit codes: 0 all as expected, 1 something is not, 2 could not judge.
    """
