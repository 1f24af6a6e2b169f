"""Checks the source files of a program before it is built: names, size, language."""

import re
from dataclasses import replace

from harness.build.languages import LanguageTable
from harness.errors import UsageError
from harness.package import Program
from harness.package.files import Files

_MOST_FILES, _MOST_NAMES_BYTES = 2000, 1 << 16
_PERL = re.compile(
    rb"\A#![^\n]{0,200}perl|^[ \t]*use[ \t]+(?:strict|warnings|integer|bigint|List::|POSIX|v?5)"
    rb"|^[ \t]*(?:my|our)[ \t]*[(]?[ \t]*[$@%]|<STDIN>|[$@]_\b",
    re.MULTILINE,
)


def is_perl(program: Program) -> bool:
    """Return whether files named `.pl` are Perl, not Prolog."""
    return any(_PERL.search(file.read()) for name, file in program.files.items() if name.endswith(".pl"))


def with_included(program: Program, included: Files) -> Program:
    """Add included files after the program's own, each part sorted: some languages start the first source."""
    own = {name: file for name, file in sorted(program.files.items()) if name not in included}
    return replace(program, files={**own, **dict(sorted(included.items()))})


def check_names(program: Program) -> None:
    """Raise UsageError for a file name that is not UTF-8."""
    for name in program.files:
        try:
            name.encode()
        except UnicodeEncodeError as error:
            shown = name.encode("utf-8", "backslashreplace").decode()
            raise UsageError(f"{shown}: the file's name is not UTF-8: rename it") from error


def why_too_much(program: Program, most_bytes: int) -> str:
    """Return why a program is too large to compile, or "". Sizes are checked before a source is read."""
    code_bytes = sum(file.size() for file in program.files.values())
    if code_bytes > most_bytes:
        return too_much_code(code_bytes, most_bytes)
    names_bytes = sum(len(name.encode()) + 1 for name in program.files)
    if len(program.files) <= _MOST_FILES and names_bytes <= _MOST_NAMES_BYTES:
        return ""
    return (
        f"{len(program.files)} files, their names {names_bytes} bytes: at most {_MOST_FILES}, {_MOST_NAMES_BYTES}"
    )


def too_much_code(code_bytes: int, most_bytes: int) -> str:
    """Return the message for a source over the limit: the sizes, and what raises the limit."""
    mend = f"problem.yaml raises it with `limits: code: {-(-code_bytes // 1024)}`"
    return f"{code_bytes} bytes of source, the limit is {most_bytes} ({most_bytes // 1024} KiB): {mend}"


def unknown_language(program: Program, table: LanguageTable) -> str:
    """Return the message for a program whose language is not known."""
    if program.language is not None:
        return f"no language `{program.language}`: known are {', '.join(sorted(table))}"
    names = ", ".join(sorted(program.files)) or "no file"
    return f"no language for {names}: name one with --language, or give its ending to one in harness.toml"
