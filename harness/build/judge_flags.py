"""Further GCC flags that speed up building and starting judge programs in C and C++, without changing what they do.

A judge program is started for every case: linked statically it starts in half the time, and an eighth of the rest is
saved if what it does not use is left out. testlib.h has a hundred functions of which a program uses a few: if GCC knows
that there is no other source, it compiles only these.
"""

import re
from pathlib import Path

from harness.build.executable import sources_of
from harness.build.toolchains import Toolchain
from harness.package import Program
from harness.package.headers import ORIGINAL

STATIC, _WHOLE_PROGRAM = ("-static", "-Wl,--gc-sections"), ("-fwhole-program",)
_COMPILERS = {"c": "cc", "cpp": "cxx"}
_CHECKS = ("-fsanitize=", "-D_GLIBCXX_DEBUG")
_OF_LINKER = re.compile(r"\bld\b|linker")


def judge_flags(program: Program, toolchain: Toolchain) -> tuple[str, ...]:
    """Return the further flags for a judge program."""
    code = toolchain.language.code
    compiler = toolchain.paths.get(_COMPILERS.get(code, ""))
    checks = any(flag.startswith(_CHECKS) for flag in toolchain.language.flags)  # their libraries are dynamic
    if compiler is None or not is_gcc(compiler) or checks:
        return ()
    alone = len(sources_of(program, toolchain.language)) == 1
    return STATIC + _WHOLE_PROGRAM if alone and ORIGINAL in program.files else STATIC


def cannot_link_statically(diagnostics: str) -> bool:
    """Return whether the failure may come from missing static libraries."""
    return _OF_LINKER.search(diagnostics) is not None


def is_gcc(compiler: Path) -> bool:
    """Return whether a compiler of C or C++ is GCC, by its name."""
    return any(name in compiler.resolve().name for name in ("g++", "gcc"))
