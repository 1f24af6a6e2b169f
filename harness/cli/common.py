"""What commands share: options, the host, the console."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console

from harness.host import Host, open_host
from harness.languages import LanguageTable, checked, config_files, load_table
from harness.package import Package, find_package, opened
from harness.report.escape import printable
from harness.sandbox import IsolationMode, open_sandboxes

Function = TypeVar("Function", bound=Callable[..., Any])
WIDE = 240
SLOWER = 10  # how much more time a program with checks gets
SANITIZE_HELP = (
    "Compile C and C++ with checks for undefined behaviour and for wrong indices and iterators of the library; "
    "ten times the time limit."
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
    return click.option(
        "--isolation",
        type=click.Choice([mode.value for mode in IsolationMode]),
        default=IsolationMode.AUTO.value,
        show_default=True,
        help="strict: refuse to run uncontained; auto: the best this machine gives; none: limits only.",
    )(function)


def package_folder(problem: str | None, base: Path | None = None) -> Path:
    """The package that PROBLEM means, seen from `base` or where we are; an archive is unpacked for the call."""
    return click.get_current_context().with_resource(opened(find_package(problem, base or Path.cwd())))


def show_warnings(package: Package) -> None:
    """What the package's author should mend, on standard error."""
    out = console(stderr=True)
    for warning in package.warnings[:MOST_WARNINGS]:
        out.print(printable(f"warning: {warning}"), markup=False, style="yellow", soft_wrap=True)
    if len(package.warnings) > MOST_WARNINGS:
        out.print(f"and {len(package.warnings) - MOST_WARNINGS} more warnings", style="yellow")


def language_table() -> LanguageTable:
    """The languages, with the user's and the project's harness.toml laid over them."""
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return load_table(config_files(Path.cwd(), home / "harness" / "harness.toml"))


def cache_folder() -> Path:
    """Where compiled programs are kept between calls."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "harness"


@contextlib.contextmanager
def host(jobs: int, isolation: str, *, sanitize: bool = False) -> Iterator[Host]:
    """An open judge host. sanitize: C and C++ are compiled with checks, for people who look for a bug."""
    with open_host(
        open_sandboxes(IsolationMode(isolation), jobs, cache=cache_folder()),
        table=checked(language_table()) if sanitize else language_table(),
        search_path=os.environ.get("PATH", ""),
        cache=cache_folder() / "programs",
        as_other_user=os.geteuid() == 0,
    ) as opened:
        yield opened


def console(*, stderr: bool = False) -> Console:
    """A console that is plain and wide when nobody watches."""
    watched = (sys.stderr if stderr else sys.stdout).isatty()
    return Console(stderr=stderr, highlight=False, soft_wrap=not watched, width=None if watched else WIDE)
