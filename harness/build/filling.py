"""Fills in what a language's row leaves open: the command lines of one program, and what it starts."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from harness.languages import Language, Toolchain
from harness.package import Program

BINARY = "program.bin"


def values(program: Program, toolchain: Toolchain, folder: Path) -> dict[str, tuple[str, ...]]:
    """Each placeholder of the table with what it stands for."""
    given = sources(program, toolchain.language)
    return {
        **{name: (str(path),) for name, path in toolchain.paths.items()},
        "flags": toolchain.language.flags,
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
    """The files that the compiler is given: those with the language's endings, else all; sorted."""
    names = tuple(program.files)
    return tuple(name for name in names if Path(name).suffix in language.extensions) or tuple(names)


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
    for candidate in entry_candidates(program, language):
        if (folder / language.entry_file.replace("{entry}", candidate)).is_file():
            return candidate
    return None
