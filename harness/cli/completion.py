"""Completion with TAB, within 100 ms: it reads a table of all options and globs for names; it imports no command.

`completions.json` is generated from the commands, and a test compares the two. Names of problems, submissions and
cases come from globs: loading packages would take longer than a person waits for TAB.
"""

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

_MOST = 2000
TABLE = Path(__file__).with_name("completions.json")
_LANGUAGES = Path(__file__).parents[1] / "build" / "languages.toml"
_FLAG, _FILE, _LANGUAGE, _VALUE = "flag", "file", "language", "value"
Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def _workspace() -> Path | None:
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if any(folder.glob("problems/*/problem.yaml"))), None)


def problems() -> Iterator[str]:
    """Yield the slugs of the workspace, and the packages in this folder."""
    workspace = _workspace()
    if workspace is not None:
        yield from sorted(path.parent.name for path in workspace.glob("problems/*/problem.yaml"))
    yield from sorted(path.parent.name for path in Path.cwd().glob("*/problem.yaml"))


def _folder_of(problem: str | None) -> Path | None:
    """Return the folder of a problem by its slug or path, else the package around this folder."""
    here, workspace = Path.cwd(), _workspace()
    places = [here / problem] if problem is not None else []
    places += [workspace / "problems" / problem] if problem is not None and workspace is not None else []
    places += [here, *here.parents]
    return next((folder for folder in places if (folder / "problem.yaml").is_file()), None)


def submissions(package: Path | None) -> Iterator[str]:
    """Yield the names of a package's submissions below submissions/: whole paths, then last parts."""
    workspace = _workspace()
    if package is None:
        return
    folder = package / "submissions"
    if workspace is not None and package.parent == workspace / "problems":
        folder = workspace / "reference" / package.name
    paths = sorted(folder.glob("*/*"))[:_MOST]
    yield from (path.relative_to(folder).as_posix() for path in paths)
    yield from (path.name for path in paths)


def cases(package: Path | None) -> Iterator[str]:
    """Yield the names of a package's test cases below data/."""
    if package is not None:
        data = package / "data"
        for path in sorted(data.glob("s*/**/*.in"))[:_MOST]:
            yield path.relative_to(data).with_suffix("").as_posix()


def table_of(group: click.Group) -> dict[str, Any]:
    """Return the options of every command, with the kind of their values; nested for a group of commands."""
    context = click.Context(group)
    commands = {name: group.get_command(context, name) for name in group.list_commands(context)}
    return {
        name: {"commands": table_of(command)} if isinstance(command, click.Group) else _options_of(command)
        for name, command in commands.items()
        if command is not None
    }


def _options_of(command: click.Command) -> dict[str, Any]:
    options = [param for param in command.params if isinstance(param, click.Option)]
    return {" ".join([*option.opts, *option.secondary_opts]): _kind(option) for option in options}


def _kind(option: click.Option) -> str | list[str]:
    if isinstance(option.type, click.Choice):
        return list(option.type.choices)
    if "--language" in option.opts:  # `--lang` is that of a statement
        return _LANGUAGE
    is_file = isinstance(option.type, click.Path) or option.metavar == "FILE"
    return _FLAG if option.is_flag else _FILE if is_file else _VALUE


def stub(name: str, options: Mapping[str, Any] | None = None) -> click.Command | None:
    """Return a command with the options of the real command that runs nothing; None if there is no such command."""
    options = json.loads(TABLE.read_bytes()).get(name) if options is None else options
    if options is None:
        return None
    if "commands" in options:
        stubs = [stub(inner, its_options) for inner, its_options in options["commands"].items()]
        return click.Group(name, commands=[command for command in stubs if command is not None])
    params: list[click.Parameter] = [_option(names.split(), kind) for names, kind in options.items()]
    complete = _ARGUMENTS.get(name, _complete_problems)
    return click.Command(name, params=[*params, click.Argument(["names"], nargs=-1, shell_complete=complete)])


def _option(names: Sequence[str], kind: str | Sequence[str]) -> click.Option:
    if kind == _FLAG:
        return click.Option(names, is_flag=True)
    if not isinstance(kind, str):
        return click.Option(names, type=click.Choice(kind))
    complete = _complete_languages if kind == _LANGUAGE else None
    return click.Option(names, type=click.Path() if kind == _FILE else None, shell_complete=complete)


def _items(names: Iterator[str], start: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in dict.fromkeys(names) if name.startswith(start) and name.isprintable()]


# What stands for files comes first: click's script for bash drops the names before it, and offers files if none fits.
def _complete_problems(_context: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
    return [CompletionItem(start, type="dir"), *_items(problems(), start)]


def _complete_submissions(context: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete PROBLEM or a submission of the package around as first argument; then submissions and files."""
    given = context.params.get("names") or ()
    names = submissions(_folder_of(given[0] if given else None))
    first = [] if given else _items(problems(), start)
    return [CompletionItem(start, type="file"), *first, *_items(names, start)]


def _complete_cases(context: click.Context, param: click.Parameter, start: str) -> list[CompletionItem]:
    given = context.params.get("names") or ()
    return _items(cases(_folder_of(given[0])), start) if given else _complete_problems(context, param, start)


def _complete_files(_context: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
    return [CompletionItem(start, type="file")]


def _complete_languages(_context: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
    return _items(iter(tomllib.loads(_LANGUAGES.read_text("utf-8")).get("languages", {})), start)


def _complete_commands(context: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
    table = json.loads(TABLE.read_bytes())
    for name in context.params.get("names") or ():
        table = table.get(name, {}).get("commands", {})
    return _items(iter(table), start)


_ARGUMENTS: Mapping[str, Complete] = {
    **dict.fromkeys(("judge", "stress", "grade", "mutate"), _complete_submissions),
    **dict.fromkeys(("test", "shape", "merge", "list", "listen"), _complete_files),
    "play": _complete_cases,
    "help": _complete_commands,
}
