"""The options that several commands share, so that each has the same meaning everywhere."""

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from harness.sandbox.opening import IsolationMode

Function = TypeVar("Function", bound=Callable[..., Any])
FILE = click.Path(path_type=Path)
_MOST_SECONDS, _MOST_MIB = 86_400, 1 << 24


class Number(click.ParamType[int | float]):
    """A number within bounds. The error message names the bounds; the help does not."""

    name = "number"

    def __init__(self, kind: type[int] | type[float], least: float, most: float) -> None:
        self._kind, self._least, self._most = kind, least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | float:
        """Read the number; a usage error names the bounds."""
        try:
            number = self._kind(value)
        except ValueError:
            self.fail(f"{value!r} is not {'a whole' if self._kind is int else 'a'} number", param, ctx)
        if not self._least <= number <= self._most:
            self.fail(f"{value} is not between {self._least} and {self._most}", param, ctx)
        return number


def with_options(*options: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """Add several options to a command, in this order."""

    def add(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return add


isolation_option = click.option(
    "--isolation",
    type=click.Choice([mode.value for mode in IsolationMode]),
    default=IsolationMode.AUTO.value,
    show_default=True,
    help="strict: refuse to run uncontained; auto: the best of this machine; none: limits only.",
)
jobs_option = with_options(
    click.option(
        "-j",
        "--jobs",
        type=Number(int, 1, 256),
        default=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        show_default=True,
        help="How many runs at once.",
    ),
    isolation_option,
)
language_option = click.option(
    "--language", help="The program's language, where its file name does not say it (see harness doctor)."
)
sanitize_option = click.option(
    "--sanitize",
    is_flag=True,
    help="Compile C and C++ with checks of addresses, undefined behaviour and indices; ten times the time limit, "
    "four times the memory.",
)
watch_option = click.option("--watch", is_flag=True, help="Again whenever a program is saved.")


def folded(name: str, names: tuple[str, ...], fold: Callable[..., Any]) -> Callable[[Function], Function]:
    """Replace the arguments `names` of a command by one argument `name`, the result of `fold(**them)`."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def call(*args: Any, **given: Any) -> Any:
            given[name] = fold(**{each: given.pop(each) for each in names})
            return function(*args, **given)

        return call  # type: ignore[return-value]

    return decorate


def limit_options(
    *, time_default: str = "the package's", memory_default: str = "the package's", memory: bool = True
) -> Callable[[Function], Function]:
    """Add --time-limit, and --memory unless `memory` is false, to a command."""
    time_option = click.option(
        "--time-limit",
        metavar="SECONDS",
        type=Number(float, 0.001, _MOST_SECONDS),
        help=f"CPU seconds a case. [{time_default}]",
    )
    memory_option = click.option(
        "--memory", metavar="MIB", type=Number(int, 4, _MOST_MIB), help=f"Memory a case. [{memory_default}]"
    )
    return with_options(time_option, *((memory_option,) if memory else ()))
