"""Older standards of C and C++: what was published long ago may use names that the language has taken since.

What was written on Windows may use names that the headers of this system declare (`link`, `pipe`, `index`).
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from harness.build.toolchains import Toolchain
from harness.package import Program
from harness.package.files import File

STANDARD = "-std="
_PRELUDE = "names_of_the_system.h"
_REDECLARED = re.compile(
    r"error: [‘'](?:[^’'\n]{0,200}[ *&])?([A-Za-z_]\w{0,60}) ?(?:[(\[][^’'\n]{0,200})?[’'] redeclared as different kind"
)
_OLDER = {
    "cpp": ("-std=gnu++17", "-std=gnu++14", "-std=gnu++11", "-std=gnu++98"),
    "c": ("-std=gnu11", "-std=gnu89"),
}


def of(toolchain: Toolchain) -> Iterator[tuple[Toolchain, str]]:
    """The same tools with an older standard and its flag, the newest first; none where the table asks for none."""
    language = toolchain.language
    if not any(flag.startswith(STANDARD) for flag in language.flags):
        return
    others = tuple(flag for flag in language.flags if not flag.startswith(STANDARD))
    for flag in _OLDER.get(language.code, ()):
        yield replace(toolchain, language=replace(language, flags=(flag, *others))), flag


def without_taken_names(
    program: Program, toolchain: Toolchain, diagnostics: str
) -> tuple[Program, Toolchain] | None:
    """The program and its tools, without the headers' names which it declares anew; None where it declares none.

    The headers are read first, while each of these names stands for another.
    """
    names = dict.fromkeys(_REDECLARED.findall(diagnostics))
    language = toolchain.language
    if not names or language.code != "cpp":
        return None
    lines = [f"#define {name} {name}_of_the_system" for name in names]
    lines += ["#include <unistd.h>", "#include <bits/stdc++.h>", *(f"#undef {name}" for name in names), ""]
    prelude = File(origin=program.origin, content="\n".join(lines).encode())
    flags = (*language.flags, "-include", _PRELUDE)
    joined = replace(program, files={**program.files, _PRELUDE: prelude})
    return joined, replace(toolchain, language=replace(language, flags=flags))
