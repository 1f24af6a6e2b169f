"""The options that say what `harness judge` and `harness test` print and write."""

import click
from rich.console import Console

from harness.cli.ci_options import CiOptions, ci_options
from harness.cli.console import console
from harness.cli.options import Function, folded, with_options
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class JudgingViews:
    """What to print and write of a judging.

    skip_missing: submissions without a compiler here do not count. calibrate: measure the machine for the JSON.
    may_tolerate: the command has --float-tolerance, and it was not given.
    """

    ci: CiOptions = CiOptions()
    quiet: bool = False
    verbose: bool = False
    skip_missing: bool = False
    calibrate: bool = False
    may_tolerate: bool = False

    @property
    def out(self) -> Console:
        """Return the console for people."""
        return console(stderr=self.ci.json_lines)


def view_options(function: Function) -> Function:
    """Add --quiet, --verbose and the options of `ci_options` to a command, as one argument `views`."""
    options = with_options(
        click.option("-q", "--quiet", is_flag=True, help="Only what is not as expected."),
        click.option("-v", "--verbose", is_flag=True, help="Every case, and all of a sample's standard error."),
    )
    return ci_options(options(folded("views", ("ci", "quiet", "verbose"), _views)(function)))


def _views(ci: CiOptions, *, quiet: bool, verbose: bool) -> JudgingViews:
    return JudgingViews(ci=ci, quiet=quiet or ci.short, verbose=verbose)
