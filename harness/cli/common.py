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
from harness.languages import LanguageTable, config_files, load_table
from harness.package import find_package
from harness.sandbox import IsolationMode, open_sandboxes

Function = TypeVar("Function", bound=Callable[..., Any])
WIDE = 240


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


def package_folder(problem: str | None) -> Path:
    """The package that PROBLEM means, seen from the working directory."""
    return find_package(problem, Path.cwd())


def language_table() -> LanguageTable:
    """The languages, with the user's and the project's harness.toml laid over them."""
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return load_table(config_files(Path.cwd(), home / "harness" / "harness.toml"))


def cache_folder() -> Path:
    """Where compiled programs are kept between calls."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "harness"


@contextlib.contextmanager
def host(jobs: int, isolation: str) -> Iterator[Host]:
    """An open judge host."""
    with open_host(
        open_sandboxes(IsolationMode(isolation), jobs, cache=cache_folder()),
        table=language_table(),
        search_path=os.environ.get("PATH", ""),
        cache=cache_folder() / "programs",
        as_other_user=os.geteuid() == 0,
    ) as opened:
        yield opened


def console(*, stderr: bool = False) -> Console:
    """A console that is plain and wide when nobody watches."""
    watched = (sys.stderr if stderr else sys.stdout).isatty()
    return Console(stderr=stderr, highlight=False, soft_wrap=not watched, width=None if watched else WIDE)
