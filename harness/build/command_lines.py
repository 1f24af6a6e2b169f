"""Fills in what a language's row leaves open: the command lines of one program, and what it starts."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from harness.build import java_classes
from harness.build.languages import Language, is_of
from harness.build.toolchains import Toolchain
from harness.package import Program

BINARY = "program.bin"
_IMPORT = re.compile(rb"^[ \t]*(?:from|import)[ \t]+([A-Za-z0-9_]+)", re.MULTILINE)


def values(program: Program, toolchain: Toolchain, folder: Path) -> dict[str, tuple[str, ...]]:
    """Each placeholder of the table with what it stands for."""
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
    """Replace placeholders; one that stands alone may become several arguments."""
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
    """The environment, `{dir}` filled in."""
    return {name: value.replace("{dir}", str(folder)) for name, value in environment.items()}


def sources(program: Program, language: Language) -> tuple[str, ...]:
    """The files that the compiler is given: those with the language's endings, else all.

    The one that a program of several files starts with comes first: `main`, or the name of its folder, or a script
    that no other imports.
    """
    names = tuple(program.files)
    own = tuple(name for name in names if is_of(language, name)) or names
    mains = ("main", "__main__", PurePosixPath(program.path).name.lower())
    first = next((name for main in mains for name in own if name.rpartition(".")[0].lower() == main), None)
    if first is None and len(own) > 1 and all(name.endswith(".py") for name in own):
        first = _not_imported(program, own)
    return own if first is None else (first, *(name for name in own if name != first))


def well_ended(program: Program, language: Language) -> Program:
    """The program, its files ended as of the language that it is said to be in: many compilers go by that."""
    if not language.extensions or any(is_of(language, name) for name in program.files):
        return program
    names = {
        name: f"{name}{language.extensions[0]}"
        for name in program.files
        if len(program.files) == 1 or "." not in name
    }
    return replace(program, files={names.get(name, name): file for name, file in program.files.items()})


def _not_imported(program: Program, names: Iterable[str]) -> str | None:
    scripts = tuple(names)
    imported = {word for name in scripts for word in _IMPORT.findall(program.files[name].read())}
    return next((name for name in scripts if "/" not in name and Path(name).stem.encode() not in imported), None)


def entry_candidates(program: Program, language: Language) -> list[str]:
    """What could be started, the most likely first."""
    if program.entrypoint:
        return [program.entrypoint]
    stems = [Path(name).stem for name in sources(program, language)]
    source = sources(program, language)[0]
    candidates: list[str] = []
    for template in language.entry:
        candidates += [template.format(stem=stem, source=source) for stem in stems]
    return list(dict.fromkeys(candidates))


def entry(program: Program, language: Language, folder: Path) -> str | None:
    """What is to be started: "" where the language does not ask; None: nothing that could be is there."""
    if not any("{entry}" in part for part in language.run):
        return ""
    candidates = entry_candidates(program, language)
    if language.code == java_classes.CODE:
        starting = list(java_classes.starting_classes(folder))
        wanted = {name: place for place, name in reversed(list(enumerate(candidates)))}
        starting.sort(key=lambda name: wanted.get(name.rpartition(".")[2], len(wanted)))
        if starting and not program.entrypoint:
            return starting[0]
    for candidate in candidates:
        if (folder / language.entry_file.replace("{entry}", candidate)).is_file():
            return candidate
    return None
