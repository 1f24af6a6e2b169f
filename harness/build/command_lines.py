"""Fills in a language's row for a program: the command lines, and what is started."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from harness.build.languages import Language, is_of
from harness.build.toolchains import Toolchain
from harness.package import Program

BINARY = "program.bin"
JAVA = "java"
# What a compiled class with `main(String[])` holds: its name and the type of its arguments.
_HAS_MAIN = (b"\x01\x00\x04main", b"([Ljava/lang/String;)V")
_LARGEST_CLASS = 1 << 20
_MOST_CLASSES = 10_000
_IMPORT = re.compile(rb"^[ \t]*(?:from|import)[ \t]+([A-Za-z0-9_]+)", re.MULTILINE)


def values(program: Program, toolchain: Toolchain, folder: Path) -> dict[str, tuple[str, ...]]:
    """Return the value of each placeholder of the table."""
    given = sources(program, toolchain.language)
    return {
        **{name: (str(path),) for name, path in toolchain.paths.items()},
        "flags": tuple(flag.replace("{dir}", str(folder)) for flag in toolchain.language.flags),
        "files": given,
        "source": given[:1],
        "binary": (str(folder / BINARY),),
        "dir": (str(folder),),
    }


def filled(template: Iterable[str], values: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Replace placeholders; a placeholder that is a whole argument may become several arguments."""
    arguments: list[str] = []
    for part in template:
        if part.startswith("{") and part.endswith("}") and part[1:-1] in values:
            arguments += values[part[1:-1]]
            continue
        for name, replacement in values.items():
            part = part.replace("{" + name + "}", " ".join(replacement))  # noqa: PLW2901
        arguments.append(part)
    return tuple(arguments)


def placed(environment: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return the environment with `{dir}` filled in."""
    return {name: value.replace("{dir}", str(folder)) for name, value in environment.items()}


def sources(program: Program, language: Language) -> tuple[str, ...]:
    """Return the files for the compiler: those with the language's endings, else all.

    The file that a program starts with comes first: `main`, or the name of its folder, or a script that no other script
    imports.
    """
    names = tuple(program.files)
    own = tuple(name for name in names if is_of(language, name)) or names
    mains = ("main", "__main__", PurePosixPath(program.path).name.lower())
    first = next((name for main in mains for name in own if name.rpartition(".")[0].lower() == main), None)
    if first is None and len(own) > 1 and all(name.endswith(".py") for name in own):
        first = _not_imported(program, own)
    return own if first is None else (first, *(name for name in own if name != first))


def _not_imported(program: Program, names: Iterable[str]) -> str | None:
    scripts = tuple(names)
    imported = {word for name in scripts for word in _IMPORT.findall(program.files[name].read())}
    return next((name for name in scripts if "/" not in name and Path(name).stem.encode() not in imported), None)


def entry_candidates(program: Program, language: Language) -> list[str]:
    """Return what could be started, the most likely first."""
    if program.entrypoint:
        return [program.entrypoint]
    stems = [Path(name).stem for name in sources(program, language)]
    source = sources(program, language)[0]
    candidates: list[str] = []
    for template in language.entry:
        candidates += [template.format(stem=stem, source=source) for stem in stems]
    return list(dict.fromkeys(candidates))


def entry(program: Program, language: Language, folder: Path) -> str | None:
    """Return what is started: "" if the language does not need it; None if nothing can be started."""
    if not any("{entry}" in part for part in language.run):
        return ""
    candidates = entry_candidates(program, language)
    if language.code == JAVA:
        starting = list(_starting_classes(folder))
        wanted = {name: index for index, name in reversed(list(enumerate(candidates)))}
        starting.sort(key=lambda name: wanted.get(name.rpartition(".")[2], len(wanted)))
        if starting and not program.entrypoint:
            return starting[0]
    for candidate in candidates:
        if (folder / language.entry_file.replace("{entry}", candidate)).is_file():
            return candidate
    return None


def _starting_classes(folder: Path) -> Iterator[str]:
    """Yield the compiled classes that have a `main`, with their packages; top folders first, then by name."""
    classes = []
    for number, path in enumerate(sorted(folder.rglob("*.class"))):
        if number >= _MOST_CLASSES:
            break
        if path.is_file() and not path.is_symlink() and path.stat().st_size <= _LARGEST_CLASS:
            content = path.read_bytes()
            if all(sign in content for sign in _HAS_MAIN):
                classes.append(path.relative_to(folder).with_suffix("").parts)
    yield from (
        ".".join(parts) for parts in sorted(classes, key=lambda parts: (len(parts), "$" in parts[-1], parts))
    )
