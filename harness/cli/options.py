"""The options that several commands share, so that each has the same meaning everywhere; and the files they name."""

import dataclasses
import functools
import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from harness.errors import UsageError
from harness.files import atomic
from harness.sandbox.opening import IsolationMode
from harness.values import dataclass

Function = TypeVar("Function", bound=Callable[..., Any])
FILE = click.Path(path_type=Path)
_ADD, _TAKE = "add", "take"
_MOST_SECONDS, _MOST_MIB = 86_400, 1 << 24


class NumberType(click.ParamType[int | float]):
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


def option(*names: str, **attributes: Any) -> Any:
    """Return a field of a class of options: the value of `click.option(*names, **attributes)`."""
    default = False if attributes.get("is_flag") else () if attributes.get("multiple") else None
    return _field(lambda name: click.option(*names, name, **attributes), attributes.get("default", default))


def shared(add: Callable[[Any], Any]) -> Any:
    """Return a field of a class of options for an option that several commands share."""
    return _field(lambda _: add, None)


def nested(kind: Any, *names: str) -> Any:
    """Return a field of a class of options that holds another such class, or of that only the fields `names`."""
    return _field(lambda _: _options_of(kind, names), kind(), take=lambda given, _: _taken(kind, names, given))


def _field(add: Callable[[str], Callable[[Any], Any]], default: Any, take: Callable[..., Any] = dict.pop) -> Any:
    """Return a field. add: adds its options to a command. take: takes its value out of the command's arguments."""
    return dataclasses.field(default=default, metadata={_ADD: add, _TAKE: take})


def _options_of(kind: Any, names: Sequence[str] = ()) -> Callable[[Function], Function]:
    return with_options(*(field.metadata[_ADD](field.name) for field in _fields(kind, names)))


def _taken(kind: Any, names: Sequence[str], given: dict[str, Any]) -> Any:
    return kind(**{field.name: field.metadata[_TAKE](given, field.name) for field in _fields(kind, names)})


def _fields(kind: Any, names: Sequence[str]) -> list[dataclasses.Field[Any]]:
    """Return the fields of a class that are options. names: only these; empty: all."""
    fields = [field for field in dataclasses.fields(kind) if _ADD in field.metadata]
    return [field for field in fields if field.name in names or not names]


def grouped(name: str, kind: Any) -> Callable[[Function], Function]:
    """Add the options of a class to a command, in the order of its fields, as one argument `name` of the class."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def call(*args: Any, **given: Any) -> Any:
            given[name] = _taken(kind, (), given)
            return function(*args, **given)

        return _options_of(kind)(call)  # type: ignore[return-value]

    return decorate


CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

isolation_option = click.option(
    "--isolation",
    type=click.Choice([mode.value for mode in IsolationMode]),
    default=IsolationMode.AUTO.value,
    show_default=True,
    help="strict: refuse to run uncontained; auto: the best of this machine; none: limits only.",
)
jobs_option = click.option(
    "-j",
    "--jobs",
    type=NumberType(int, 1, 256),
    default=CORES,
    show_default=True,
    help="How many runs at once.",
)
host_options = with_options(jobs_option, isolation_option)
language_option = click.option(
    "--language", help="The program's language, if its file name does not show it (harness doctor lists them)."
)
sanitize_option = click.option(
    "--sanitize",
    is_flag=True,
    help="Compile C and C++ with checks of addresses, undefined behaviour and indices; ten times the time limit, "
    "four times the memory.",
)
every_case_option = click.option(
    "--all", "complete", is_flag=True, help="Run every case, also where the outcome is decided already."
)
contest_argument = click.argument(
    "folder",
    metavar="[CONTEST]",
    required=False,
    type=click.Path(path_type=Path),
    callback=lambda _context, _param, value: value or Path.cwd(),
)
watch_option = click.option("--watch", is_flag=True, help="Run again whenever a program is saved.")


def time_limit_option(default: str = "the package's") -> Callable[[Function], Function]:
    """Return --time-limit. default: as the help says it."""
    return click.option(
        "--time-limit",
        metavar="SECONDS",
        type=NumberType(float, 0.001, _MOST_SECONDS),
        help=f"CPU seconds for each case. [{default}]",
    )


def memory_option(default: str = "the package's") -> Callable[[Function], Function]:
    """Return --memory. default: as the help says it."""
    return click.option(
        "--memory", metavar="MIB", type=NumberType(int, 4, _MOST_MIB), help=f"Memory for each case. [{default}]"
    )


limit_options = with_options(time_limit_option(), memory_option())


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


def check_target(path: Path) -> None:
    """Raise UsageError if no result can be written to `path`: before judging, not after it."""
    if path.is_dir():
        raise UsageError(f"{path}: is a folder: name a file")
    if atomic.is_stream(path):
        if not os.access(path, os.W_OK):
            raise UsageError(f"{path}: cannot be written to")
        return
    if not path.parent.is_dir():
        raise UsageError(f"{path.parent}: no such folder: make it first")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise UsageError(f"{path.parent.absolute()}: no file can be written there: name another folder")


def format_of(output: str | None, form: str | None, forms: Sequence[str]) -> str:
    """Return the format to write: `form` if given, else by the ending of the file, without one the first of `forms`.

    Raises UsageError if the file ends as one of another format does, or of none.
    """
    ending = Path(output or "").suffix.removeprefix(".").lower()
    by_ending = ending if ending in forms else None
    if form is not None and by_ending not in (None, form):
        raise UsageError(f"{output}: ends as .{ending}, but --format says {form}: change one of them")
    if form is None and ending not in ("", *forms):
        raise UsageError(
            f"{output}: ends as .{ending}, not as .{' or .'.join(forms)}: rename it, or give --format"
        )
    return form or by_ending or forms[0]


class OutputFile(click.Path):
    """An option that names a file to write. Parsing raises UsageError if the file cannot be written.

    stream: `-` is allowed, for standard output.
    """

    def __init__(self, *, stream: bool = False) -> None:
        super().__init__(path_type=Path)
        self._stream = stream

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path, or `-` as it is."""
        if value == "-":
            if not self._stream:
                self.fail("`-` is no file: only --json can be written to standard output", param, ctx)
            return value
        check_target(Path(value))
        return Path(value)


def check_distinct(files: Mapping[str, object]) -> None:
    """Raise UsageError if two options name the same file. files: by option; what is no path is passed over.

    A device or a pipe may be named twice.
    """
    options: dict[Path, str] = {}
    for option, file in files.items():
        if not isinstance(file, Path) or atomic.is_stream(file):
            continue
        path = file.absolute().parent.resolve() / file.name
        if path in options:
            raise UsageError(f"{options[path]} and {option} both name {file}: name two files")
        options[path] = option


OUTPUT = OutputFile()
JsonTarget = Path | str | None  # the value of --json; `-` is standard output


def write_json(target: JsonTarget, values: object, *, one_line: bool = False) -> None:
    """Write values to the target of `--json`: a file, standard output (`-`; `one_line`: as one line), or nothing."""
    if isinstance(target, Path):
        atomic.deliver(target, json.dumps(values, ensure_ascii=False, indent=1).encode() + b"\n")
    elif target is not None:
        click.echo(json.dumps(values, ensure_ascii=False, indent=None if one_line else 1))


json_option = click.option(
    "--json",
    "json_file",
    type=OutputFile(stream=True),
    metavar="FILE",
    is_flag=False,
    flag_value="-",
    help="Write the result there as JSON; -: to standard output.",
)


@dataclass(frozen=True, kw_only=True)
class CiOptions:
    """What to write for programs, editors and CI. Raises UsageError if two options want standard output.

    json_file: `-` is standard output. form: "short" prints a line for each finding and nothing else on stdout.
    """

    json_file: JsonTarget = shared(json_option)
    form: str = option(
        "--format",
        type=click.Choice(["text", "short"]),
        default="text",
        show_default=True,
        help="short: print only a line for each finding, file:line:col: error: text (docs/editors.md).",
    )
    junitxml: Path | None = option("--junitxml", metavar="FILE", type=OUTPUT, help="Write JUnit XML there.")
    github: bool = option(
        "--github", is_flag=True, help="Print annotations of GitHub, and add a summary to $GITHUB_STEP_SUMMARY."
    )

    @property
    def wanted(self) -> bool:
        """Return whether anything is written for editors or CI."""
        return self.short or self.github or self.junitxml is not None

    @property
    def short(self) -> bool:
        """Return whether standard output is for the lines of findings."""
        return self.form == "short"

    @property
    def json_lines(self) -> bool:
        """Return whether standard output is for JSON; texts then go to standard error."""
        return self.json_file == "-"

    def __post_init__(self) -> None:
        if self.json_lines and (self.short or self.github):
            other = "--format short" if self.short else "--github"
            raise UsageError(f"{other} and --json - both want standard output: write the JSON to a file")
