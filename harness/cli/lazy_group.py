"""A group of commands that imports each only when it is called, so that `harness --version` starts at once."""

import difflib
import importlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import click

COMPLETE_VARIABLE = "_HARNESS_COMPLETE"  # set by the shell while it completes a word


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
        """Import the module of a command and return its `command`, or what the row names after a colon."""
        module = self.modules.get(cmd_name)
        if module is None:
            return None
        if COMPLETE_VARIABLE in os.environ:
            stub: click.Command | None = importlib.import_module("harness.cli.completion").stub(cmd_name)
            return stub
        module, _, name = module.partition(":")
        command: click.Command = getattr(importlib.import_module(module), name or "command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command; for a misspelt name, raise an error that suggests the nearest."""
        name = args[0]
        if name in self.modules or name.startswith("-"):
            return super().resolve_command(ctx, args)
        close = self._inner(ctx, name) or difflib.get_close_matches(name, self.modules, n=1)
        hint = f"did you mean `{close[0]}`?" if close else f"`{ctx.command_path} --help` lists all"
        raise click.UsageError(f"no command `{name}`: {hint}", ctx)

    def _inner(self, ctx: click.Context, name: str) -> list[str]:
        """Return the commands of this name in the groups of this group: `contest upload` for `upload`."""
        commands = {outer: self.get_command(ctx, outer) for outer in self.modules}
        return [
            f"{outer} {name}"
            for outer, group in commands.items()
            if isinstance(group, click.Group) and name in group.list_commands(ctx)
        ]

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


@click.command("help")
@click.argument("names", nargs=-1, metavar="[COMMAND]...")
@click.pass_context
def show_help(context: click.Context, names: tuple[str, ...]) -> int:
    """Show the help of COMMAND, as COMMAND --help does.

    Example: harness help contest verify
    """
    shown = context.parent or context
    for name in names:
        group = shown.command
        inner = group.resolve_command(shown, [name])[1] if isinstance(group, click.Group) else None
        if inner is None:
            raise click.UsageError(f"no command `{' '.join(names)}`", shown)
        shown = click.Context(inner, info_name=name, parent=shown)
    click.echo(shown.get_help())
    return 0
