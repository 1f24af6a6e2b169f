"""Judge programs whose files lie loose beside each other: which of them are parts of one program.

By the format each file is a program of its own; DOMjudge takes all of a folder for one. A file that cannot start, and
a script that another imports, is a part of those that can and do.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from harness.package.model import Program

_MAIN = re.compile(rb"\bmain\s{0,9}\(")
_IMPORTED = re.compile(rb"^[ \t]*(?:from[ \t]+\.?|import[ \t]+)([A-Za-z0-9_]+)", re.MULTILINE)
_KINDS = {".c": "c", ".py": "py"} | dict.fromkeys((".cc", ".cpp", ".cxx", ".c++", ".C"), "cpp")


def joined(programs: Iterable[Program]) -> tuple[Program, ...]:
    """The programs, with the parts among them put where they belong. All lie in one folder."""
    found = tuple(programs)
    for kind, parts_of in (("c", _without_main), ("cpp", _without_main), ("py", _imported)):
        loose = [one for one in found if _kind(one) == kind]
        parts = parts_of(loose) if len(loose) > 1 else []
        wholes = [one for one in loose if one not in parts]
        if parts and wholes:
            whole = {one.path: _with(one, _used(one, parts) if kind == "py" else parts) for one in wholes}
            found = tuple(whole.get(one.path, one) for one in found if one not in parts)
    return found


def _kind(program: Program) -> str | None:
    """The language of a program that is one file (and perhaps headers); None for a folder."""
    path = PurePosixPath(program.path)
    return _KINDS.get(path.suffix) if path.name in program.files else None


def _without_main(programs: Sequence[Program]) -> list[Program]:
    """A header may bring the `main` of the program that includes it."""
    return [
        one for one in programs if not any(_MAIN.search(file.read()) is not None for file in one.files.values())
    ]


def _imported(programs: Sequence[Program]) -> list[Program]:
    stems = {PurePosixPath(one.path).stem: one for one in programs}
    imported = {
        word.decode()
        for stem, one in stems.items()
        for file in one.files.values()
        for word in _IMPORTED.findall(file.read())
        if word.decode() != stem
    }
    return [one for stem, one in stems.items() if stem in imported]


def _used(program: Program, parts: Sequence[Program]) -> list[Program]:
    """The scripts that a program imports, and those that these import."""
    used: list[Program] = []
    pending = [program]
    while pending:
        words = {word.decode() for file in pending.pop().files.values() for word in _IMPORTED.findall(file.read())}
        found = [one for one in parts if PurePosixPath(one.path).stem in words and one not in used]
        used += found
        pending += found
    return used


def _with(program: Program, parts: Sequence[Program]) -> Program:
    name = PurePosixPath(program.path).name
    brought = {path: file for part in parts for path, file in part.files.items()}
    entrypoint = name if parts and name.endswith(".py") else program.entrypoint
    return replace(program, files={**brought, **program.files}, entrypoint=entrypoint)
