"""The table of languages: the shipped table, extended and overridden by the harness.toml that the user trusts."""

import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import field, fields, replace
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import Any

from harness.errors import UsageError
from harness.values import dataclass

CONFIG = "harness.toml"
_CHECKS = (
    "-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
    "-ftrivial-auto-var-init=pattern", "-fdebug-prefix-map={dir}=.",
)  # fmt: skip
_CHECKED = b"__asan_init"
# abort() shows its line too; leaks are allowed; freed memory is quarantined for a while and counts as memory.
_SANITIZERS = {
    "ASAN_OPTIONS": "disable_coredump=0:detect_leaks=0:handle_abort=1:quarantine_size_mb=16:print_legend=0",
}


@dataclass(frozen=True, kw_only=True)
class Language:
    """A row of the table; languages.toml explains each key."""

    code: str
    name: str
    run: tuple[str, ...]
    extensions: tuple[str, ...] = ()
    tools: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    compile: tuple[tuple[str, ...], ...] = ()
    entry: tuple[str, ...] = ("{source}",)
    entry_file: str = "{entry}"
    stack: str = "system"
    cap_data: bool = True
    cap_addresses: bool = True
    threads: int = 64
    environment: Mapping[str, str] = field(default_factory=dict)
    readable: tuple[str, ...] = ()
    install: str = ""

    @property
    def readable_here(self) -> tuple[Path, ...]:
        """Return the paths of `readable` that exist on this machine."""
        return tuple(path for path in map(Path, self.readable) if path.is_absolute() and path.exists())


LanguageTable = Mapping[str, Language]

_STACKS = ("system", "memory", "half")
_TEXTS, _FLAGS = ("name", "stack", "install", "entry_file"), ("cap_data", "cap_addresses")
_TYPES = {**dict.fromkeys(_TEXTS, str), **dict.fromkeys(_FLAGS, bool), "threads": int}
_MAPPINGS = ("tools", "environment")
_KEYS = {item.name for item in fields(Language)} - {"code"}


def load_table(configs: Iterable[Path]) -> LanguageTable:
    """Return the shipped table, overridden by each config in order. Raises UsageError naming file, language and key."""
    shipped = files("harness.build") / "languages.toml"
    rows: dict[str, dict[str, Any]] = tomllib.loads(shipped.read_text("utf-8"))["languages"]
    for path in configs:
        for code, row in _languages_in(path).items():
            rows[code] = {**rows.get(code, {}), **_checked(row, f"{path}: [languages.{code}]")}
    return {code: _language(code, row) for code, row in rows.items()}


def checked(table: LanguageTable) -> LanguageTable:
    """Return the table with checks for C and C++: the first undefined behaviour ends the program and names its line."""
    flags = {"c": _CHECKS, "cpp": (*_CHECKS, "-D_GLIBCXX_DEBUG")}
    return {
        code: replace(run_with_checks(row), flags=(*row.flags, *flags[code])) if code in flags else row
        for code, row in table.items()
    }


def run_with_checks(row: Language) -> Language:
    """Return the language with the run settings for programs that contain AddressSanitizer."""
    environment = {**row.environment, **_SANITIZERS}
    return replace(row, environment=environment, stack="half", cap_data=False, cap_addresses=False)


def without_lines(row: Language) -> Language:
    """Return the language with AddressSanitizer's reports without lines, which take a tenth of a second to find."""
    options = f"{row.environment.get('ASAN_OPTIONS', '')}:symbolize=0"
    return replace(row, environment={**row.environment, "ASAN_OPTIONS": options})


def holds_checks(binary: Path) -> bool:
    """Return whether AddressSanitizer is compiled into a program."""
    return _CHECKED in binary.read_bytes()


def config_near(cwd: Path) -> Path | None:
    """Return the nearest harness.toml at or above `cwd`; None: there is none.

    It is not read unless the user names it: it tells how the judge's own programs run, and names tools that run outside
    of the sandbox, so whoever can put a file there would decide verdicts.
    """
    return next((folder / CONFIG for folder in (cwd, *cwd.parents) if os.path.lexists(folder / CONFIG)), None)


def _languages_in(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        raise UsageError(f"{path}: no file that can be read: make it a file, or remove it")
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not TOML: {error}") from error
    unknown = set(tables) - {"languages"}
    if unknown:
        raise UsageError(f"{path}: unknown table `{sorted(unknown)[0]}`: only [languages.<code>] is read")
    languages = tables.get("languages", {})
    if not isinstance(languages, dict) or not all(isinstance(row, dict) for row in languages.values()):
        raise UsageError(f"{path}: write each language as a table [languages.<code>]")
    return languages


def _checked(row: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    for key, value in row.items():
        if key not in _KEYS:
            raise UsageError(f"{where}: unknown key `{key}`; known are {', '.join(sorted(_KEYS))}")
        expected = dict if key in _MAPPINGS else _TYPES.get(key, list)
        if not isinstance(value, expected):
            raise UsageError(f"{where}: `{key}` must be a {expected.__name__}, not {value!r}")
    if row.get("stack", "system") not in _STACKS:
        raise UsageError(f"{where}: `stack` must be one of {', '.join(_STACKS)}")
    return row


def _language(code: str, row: Mapping[str, Any]) -> Language:
    if "run" not in row:
        raise UsageError(f"[languages.{code}]: `run`, the command line of a run, is missing")
    values = {"name": code, **row}
    values["tools"] = {name: tuple(candidates) for name, candidates in row.get("tools", {}).items()}
    values["compile"] = tuple(tuple(command) for command in row.get("compile", ()))
    for key in ("run", "extensions", "flags", "entry", "readable"):
        if key in row:
            values[key] = tuple(row[key])
    return Language(code=code, **values)


def language_of(table: LanguageTable, names: Iterable[str], code: str | None = None) -> Language | None:
    """Return the language of a submission with these file names: `code` if given, else by extension; None if unclear.

    With several languages, the language of most files; on a tie, the first in the table.
    """
    if code is not None:
        return table.get(code)
    given = tuple(names)
    if len(given) == 1:  # the common case
        return next((row for row in table.values() if is_of(row, given[0])), None)
    counts = {code: sum(is_of(row, name) for name in given) for code, row in table.items()}
    most = max(counts.values(), default=0)
    return next((table[code] for code, count in counts.items() if count == most), None) if most else None


def _suffix(name: str) -> str:
    """Return the suffix as pathlib does, ten times faster."""
    dot = name.rfind(".")
    return name[dot:] if 0 < dot < len(name) - 1 else ""


def is_of(language: Language, name: str) -> bool:
    """Return whether a file has an extension of the language, also in capitals (`A.CPP` of Windows)."""
    suffix = PurePosixPath(name).suffix if "/" in name else _suffix(name)
    if suffix in language.extensions:
        return True
    return len(suffix) > 2 and suffix.lower() in language.extensions
