"""What commands share: options, the host, the console."""

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console

from harness.build.languages import LanguageTable, config_files, load_table
from harness.cli.user_folders import cache_folder, config_folder, programs_folder
from harness.errors import Fault, UsageError
from harness.files import atomic
from harness.host.host import Host, open_host
from harness.package import Package, find_package, opened
from harness.report.escape import printable
from harness.report.words import isolation_banner
from harness.sandbox import Isolation, IsolationMode, open_sandboxes

Function = TypeVar("Function", bound=Callable[..., Any])
WIDE = 240
SANITIZE_HELP = (
    "Compile C and C++ with checks of addresses, of undefined behaviour and of the library's indices and iterators, "
    "and name the line; ten times the time limit, four times the memory."
)
MOST_WARNINGS = 20


def jobs_option(function: Function) -> Function:
    """--jobs and --isolation."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    function = click.option(
        "-j",
        "--jobs",
        type=click.IntRange(1, 256),
        default=cores,
        show_default=True,
        help="How many runs at once.",
    )(function)
    return isolation_option(function)


def isolation_option(function: Function) -> Function:
    """--isolation alone."""
    return click.option(
        "--isolation",
        type=click.Choice([mode.value for mode in IsolationMode]),
        default=IsolationMode.AUTO.value,
        show_default=True,
        help="strict: refuse to run uncontained; auto: the best this machine gives; none: limits only.",
    )(function)


def package_folder(problem: str | None, base: Path | None = None, *, to_change: str = "") -> Path:
    """The package that PROBLEM means, seen from `base` or where we are; an archive is unpacked for the call.

    to_change: what would write into the package. Raises UsageError then for an archive: it would be lost.
    """
    found = find_package(problem, base or Path.cwd())
    if to_change and not found.is_dir():
        raise UsageError(f"{found}: {to_change} writes into the package: unpack the archive first")
    return click.get_current_context().with_resource(opened(found))


def show_warnings(package: Package) -> None:
    """What the package's author should mend, on standard error."""
    _show(package.warnings)


def show_faults(faults: Sequence[Fault]) -> None:
    """The faults of a package of which only the texts are wanted: here they are no more than warnings."""
    _show([str(fault) for fault in faults])


def _show(warnings: Sequence[str]) -> None:
    out = console(stderr=True)
    for warning in warnings[:MOST_WARNINGS]:
        out.print(printable(f"warning: {warning}"), markup=False, style="yellow", soft_wrap=True)
    if len(warnings) > MOST_WARNINGS:
        out.print(f"and {len(warnings) - MOST_WARNINGS} more warnings", style="yellow")


def language_table() -> LanguageTable:
    """The languages, with the user's and the project's harness.toml laid over them."""
    return load_table(config_files(Path.cwd(), config_folder() / "harness.toml"))


def check_target(path: Path) -> None:
    """Raise UsageError when a result cannot be written to `path`: before judging, not after."""
    if path.is_dir():
        raise UsageError(f"{path}: is a folder: name a file")
    if atomic.is_stream(path):
        if not os.access(path, os.W_OK):
            raise UsageError(f"{path}: cannot be written to")
        return
    if not path.parent.is_dir():
        raise UsageError(f"{path.parent}: no such folder: make it first")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise UsageError(f"{path.parent.absolute()}: cannot be written to, so {path.name} cannot be put there")


def warn_of_temporary_folder() -> None:
    """Say it where TMPDIR is set and of no use: Python takes another folder in silence."""
    asked = os.environ.get("TMPDIR")
    if asked and not os.access(asked, os.W_OK | os.X_OK):
        found = tempfile.gettempdir()
        click.echo(printable(f"warning: TMPDIR is {asked}, which cannot be written to: using {found}"), err=True)


@contextlib.contextmanager
def host(jobs: int, isolation: str, *, sanitize: bool = False, in_report: bool = False) -> Iterator[Host]:
    """An open judge host. sanitize: C and C++ are compiled with checks, for people who look for a bug.

    in_report: the command's own report says how well programs are contained. Of the others, one line says it here,
    before anything runs, where programs of strangers would not be.
    """
    warn_of_temporary_folder()
    with open_host(
        open_sandboxes(IsolationMode(isolation), jobs, cache=cache_folder()),
        table=language_table(),
        search_path=os.environ.get("PATH", ""),
        cache=programs_folder(),
        as_other_user=os.geteuid() == 0,
        sanitize=sanitize,
    ) as opened:
        if not in_report:
            _warn_of_isolation(opened.pool.isolation)
        yield opened


def _warn_of_isolation(isolation: Isolation) -> None:
    if not isolation.contained:
        banner = printable(f"warning: {isolation_banner(isolation)}")
        console(stderr=True).print(banner, markup=False, style="bold yellow", soft_wrap=True)


class _Pipe(Console):
    """A console whose reader may leave: that is for the shell around us to say, with its own exit code."""

    def on_broken_pipe(self) -> None:
        """Rich would end the process with 1, "not as expected"."""
        raise BrokenPipeError


def console(*, stderr: bool = False) -> Console:
    """A console that is plain and wide when nobody watches."""
    watched = (sys.stderr if stderr else sys.stdout).isatty()
    return _Pipe(
        stderr=stderr, highlight=False, emoji=False, soft_wrap=not watched, width=None if watched else WIDE
    )
