"""A command line that may end in `-- PROGRAM ARGUMENTS…`."""

import os
import shutil
from pathlib import Path

import click

_COMMAND = "harness.command"


class TakesCommand(click.Command):
    """A command line that may end in `-- PROGRAM ARGUMENTS…`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the words after `--` out of the arguments, if the first of them is a program that can be started."""
        if "--" in args:
            index = args.index("--")
            words = args[index + 1 :]
            if words and _can_be_started(words[0]):
                ctx.meta[_COMMAND] = tuple(words)
                args = args[:index]
        return super().parse_args(ctx, args)


def command_of(context: click.Context) -> tuple[str, ...]:
    """Return the words after `--`; empty if there are none."""
    return tuple(context.meta.get(_COMMAND, ()))


def _can_be_started(word: str) -> bool:
    path = Path(word)
    return os.access(path, os.X_OK) if path.is_file() else shutil.which(word) is not None
