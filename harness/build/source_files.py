"""Check and adapt the source files of a program before it is built: names, extensions, size, language."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from harness.build.executable import JAVA
from harness.build.languages import Language, LanguageTable, is_of
from harness.errors import UsageError
from harness.package import Program
from harness.package.files import File, Files, included

_COMPILED = (b"\x7fELF", b"MZ")  # how programs of Linux and of Windows begin
_ARCHIVES = (".zip", ".kpp", ".tar", ".gz", ".tgz", ".7z", ".rar")
_LONGEST_NAME_BYTES = 200
_MOST_FILES, _MOST_NAMES_BYTES = 2000, 1 << 16
_MODIFIERS = rb"(?:(?:final|abstract|strictfp|sealed|@[A-Za-z.]{1,60}(?:\([^()\n]{0,200}\))?)[ \t]+){0,9}"
_PUBLIC = re.compile(
    rb"(?:^|[;}])[ \t]*" + _MODIFIERS + rb"public[ \t]+" + _MODIFIERS + rb"(?:class|interface|enum|record)[ \t]+"
    rb"([A-Za-z_$][A-Za-z0-9_$]{0,200})",
    re.MULTILINE,
)
_COMMENT = re.compile(rb"/\*(?:.*?\*/|.*)|//[^\n]*", re.DOTALL)
_PERL_SHOWS_BYTES = 1 << 16
_PERL = re.compile(
    rb"\A#![^\n]{0,200}perl|^[ \t]*use[ \t]+(?:strict|warnings|integer|bigint|List::|POSIX|v?5)"
    rb"|^[ \t]*(?:my|our)[ \t]*+[(]?[ \t]*+[$@%]|<STDIN>|[$@]_\b",
    re.MULTILINE,
)


def is_perl(program: Program) -> bool:
    """Return whether files named `.pl` are Perl, not Prolog."""
    sources = (file.read() for name, file in program.files.items() if name.endswith(".pl"))
    return any(_PERL.search(source[:_PERL_SHOWS_BYTES]) for source in sources)


def _with_included(program: Program, joined: Files) -> Program:
    """Add included files after the program's own, each part sorted: some languages start the first source."""
    own = {name: file for name, file in sorted(program.files.items()) if name not in joined}
    return replace(program, files={**own, **dict(sorted(joined.items()))})


def prepared(program: Program, language: Language, include: Mapping[str, Files]) -> Program:
    """Return the program with included files and with file names that the compiler expects."""
    if program.language is not None:
        program = with_extensions(program, language)
    program = _with_included(_with_short_name(program), included(include, language.code))
    return _with_java_names(program) if language.code == JAVA else program


def _with_short_name(program: Program) -> Program:
    """Cut the name of an only file, because compilers add to it: `py_compile` some 40 bytes."""
    if len(program.files) != 1:
        return program
    [(name, file)] = program.files.items()
    path = PurePosixPath(name)
    room = _LONGEST_NAME_BYTES - len(path.suffix.encode())
    stem = path.stem.encode()[: max(room, 0)].decode(errors="ignore")
    if len(path.name.encode()) <= _LONGEST_NAME_BYTES or not stem:
        return program
    return replace(program, files={str(path.with_name(stem + path.suffix)): file})


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
    """Return the message for a source over the limit: the sizes, and how to raise the limit."""
    fix = f"problem.yaml raises it with `limits: code: {-(-code_bytes // 1024)}`"
    return f"{code_bytes} bytes of source, the limit is {most_bytes} ({most_bytes // 1024} KiB): {fix}"


def unknown_language(program: Program, table: LanguageTable) -> str:
    """Return the message for a program whose language is not known."""
    if program.language is not None:
        return f"no language `{program.language}`: known are {', '.join(sorted(table))}"
    names = ", ".join(sorted(program.files)) or "no file"
    fix = (
        "give it the ending of its language, such as .py, or name that with --language (harness doctor lists them; "
        "harness.toml adds endings)"
    )
    if len(program.files) == 1 and all(file.read().startswith(b"#!") for file in program.files.values()):
        fix += "; harness test runs an executable script as it is: harness test -- ./SCRIPT"
    if program.files and all(map(has_archive_name, program.files)):
        fix = "unpack it: only a problem of type submit-answer takes archives"
    if program.files and all(file.read(4).startswith(_COMPILED) for file in program.files.values()):
        fix = "a compiled program: put its source in its place"
    return f"no language for {names}: {fix}"


def has_archive_name(name: str) -> bool:
    """Return whether a file is called as an archive."""
    return name.lower().endswith(_ARCHIVES)


def with_extensions(program: Program, language: Language) -> Program:
    """Give files without a known extension that of the program's stated language: many compilers need it."""
    if not language.extensions or any(is_of(language, name) for name in program.files):
        return program
    names = {
        name: f"{name}{language.extensions[0]}"
        for name in program.files
        if len(program.files) == 1 or "." not in name
    }
    return replace(program, files={names.get(name, name): file for name, file in program.files.items()})


def _with_java_names(program: Program) -> Program:
    """Name each Java file after its public class: people submit `sol_fast.java` with `class Main` in it."""
    names = {
        name: _right_name(name, file) for name, file in program.files.items() if name.lower().endswith(".java")
    }
    taken = set(program.files) - set(names)
    if all(name == right for name, right in names.items()) or len({*names.values(), *taken}) < len(program.files):
        return program
    return replace(program, files={names.get(name, name): file for name, file in program.files.items()})


def _right_name(name: str, file: File) -> str:
    public = set(_PUBLIC.findall(_COMMENT.sub(b"", file.read())))
    path = PurePosixPath(name)
    if len(public) != 1 or path.stem.encode() in public:
        return str(path.with_suffix(".java"))  # the compiler refuses `.JAVA`
    return str(path.with_name(f"{public.pop().decode()}.java"))
