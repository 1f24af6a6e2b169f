"""The argument CONTEST of the commands of `harness contest`."""

from pathlib import Path

import click

from harness.contest.model import Contest
from harness.contest.read import find_contest, read_contest

contest_argument = click.argument("folder", metavar="[CONTEST]", required=False, type=click.Path(path_type=Path))


def contest_at(folder: Path | None) -> Contest:
    """The contest that CONTEST means."""
    return read_contest(find_contest(folder or Path.cwd()))
