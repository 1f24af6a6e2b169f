"""Fixes for compile errors that are not the program's fault: a package to install, a header, a standard, other names.

Old programs may use names that the language has reserved since; programs from Windows may use names that the headers
of this system declare (`link`, `pipe`, `index`).
"""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Sequence
from dataclasses import replace

from harness.build.toolchains import Toolchain, brings_build
from harness.package import Program
from harness.package.files import File

_BUILD_FILES = ("Makefile", "makefile", "CMakeLists.txt")
FIX = "fix: "  # how a line with a fix begins
_MISSING = re.compile(
    r"fatal error: (?:'([\w./+-]{1,100})' file not found|([\w./+-]{1,100}): No such file or directory)"
)
# By how the header's name begins.
_DEBIAN = {
    "boost/": "libboost-dev",
    "gmp.h": "libgmp-dev",
    "gmpxx.h": "libgmp-dev",
    "mpfr.h": "libmpfr-dev",
    "Eigen/": "libeigen3-dev",
    "eigen3/": "libeigen3-dev",
    "nlohmann/": "nlohmann-json3-dev",
    "CGAL/": "libcgal-dev",
    "range/v3/": "librange-v3-dev",
    "fmt/": "libfmt-dev",
    "glm/": "libglm-dev",
    "gsl/gsl_": "libgsl-dev",
    "absl/": "libabsl-dev",
    "tbb/": "libtbb-dev",
    "omp.h": "libomp-dev",
    "NTL/": "libntl-dev",
    "sparsehash/": "libsparsehash-dev",
    "google/": "libsparsehash-dev",
}
# From before the standard of 1998, under the names that it gave them.
_BEFORE_1998 = {
    **{f"{name}.h": name for name in (
        "bitset", "complex", "deque", "fstream", "iomanip", "iostream", "istream", "iterator", "list", "map", "ostream",
        "queue", "set", "sstream", "stack", "string", "vector",
    )},
    "algo.h": "algorithm", "function.h": "functional", "multimap.h": "map", "multiset.h": "set",
}  # fmt: skip
_OF_2023 = frozenset({
    "expected", "flat_map", "flat_set", "format", "generator", "mdspan", "print", "spanstream", "stacktrace",
    "stdfloat",
})  # fmt: skip
# Classes that other headers declare but do not define. The compiler itself names the header of a name that is unknown.
_STD = r"[‘'](?:const )?(?:class |struct )?std::(?:__cxx11::)?(?:basic_)?(\w{1,40})"
_INCOMPLETE = re.compile(rf"incomplete type {_STD}|aggregate {_STD}[^’'\n]{{0,200}}[’'] has incomplete type")
_DEFINED_IN = {
    **dict.fromkeys(("stringstream", "istringstream", "ostringstream"), "sstream"),
    **dict.fromkeys(("ifstream", "ofstream", "fstream"), "fstream"),
    **{name: name for name in ("array", "tuple", "istream", "ostream", "iostream")},
    "random_device": "random",
}
# The compiler names the header of a name that is unknown: GCC of most, Clang of those of the C library.
_HEADER_NAME = r"<(\w{1,20}(?:/\w{1,20})?(?:\.h)?)>"
_SUGGESTED = re.compile(rf"did you forget to [‘']#include {_HEADER_NAME}[’']|include the header {_HEADER_NAME}")
_OF_WINDOWS = frozenset(
    {"conio.h", "windows.h", "Windows.h", "dos.h", "graphics.h", "io.h", "process.h", "tchar.h"}
)

# Compiler messages about names and syntax that only some standards have.
_OF_A_STANDARD = re.compile(
    r"ISO C(?:\+\+)?[0-9]{2} |is only available (?:from|with)|only available with '?-std"
    r"|reference to .{1,80} is ambiguous"
    r"|requires compiler and library support for|char8_t|-Wimplicit-|-Wnarrowing|narrowing conversion"
    r"|.(?:gets|random_shuffle|auto_ptr|bind1st|bind2nd|mem_fun|ptr_fun|unary_function|binary_function). (?:was not"
    r" declared|is not a member|does not name|undeclared)|conflicts with a reserved|is a keyword in C"
    r"|.(?:concept|requires|co_await|co_return|co_yield|constinit|consteval|nullptr|constexpr|export|register). "
    r"|expected .{1,40} before .(?:concept|requires|co_await|co_return|co_yield|constinit|consteval|nullptr|bool).",
)

STANDARD = "-std="
INCLUDE = "-include"
_PRELUDE = "harness_prelude.h"
_REDECLARED = re.compile(
    r"error: [‘'](?:[^’'\n]{0,200}[ *&])?([A-Za-z_]\w{0,60}) ?(?:[(\[][^’'\n]{0,200})?[’'] redeclared as different kind"
)
_OLDER = {
    "cpp": ("-std=gnu++17", "-std=gnu++14", "-std=gnu++11", "-std=gnu++98"),
    "c": ("-std=gnu11", "-std=gnu89"),
}


def of_files(program: Program) -> str | None:
    """Return the fix for a source that no compiler reads, or for a file that is not used; None if there is none."""
    encoded = (name for name, file in program.files.items() if file.read(2) in (BOM_UTF16_LE, BOM_UTF16_BE))
    fixes = [f"{name} is UTF-16: save it as UTF-8" for name in encoded]
    how = "all sources are compiled in one call, and headers are looked for beside the file that includes them"
    if not brings_build(program):
        fixes += [f"{name} is not used: {how}" for name in _BUILD_FILES if name in program.files]
    return next(iter(fixes), None)


def of_headers(diagnostics: str) -> str | None:
    """Return the fix for a header that is missing; None if none is known."""
    match = _MISSING.search(diagnostics)
    if match is None:
        header = next(iter(_defining(diagnostics)), None)
        brings = "the headers that are included bring it with some compilers only"
        return f"#include <{header}> is missing: {brings}" if header is not None else None
    name = match[1] or match[2]
    return next(_of_header(name), None)


def _defining(diagnostics: str) -> list[str]:
    """Return the headers that define classes which the program uses and does not include."""
    names = dict.fromkeys(match[1] or match[2] for match in _INCOMPLETE.finditer(diagnostics))
    return [_DEFINED_IN[name] for name in names if name in _DEFINED_IN]


def missing_headers(diagnostics: str) -> list[str]:
    """Return the standard headers that the program forgot to include: other compilers' headers bring them along."""
    suggested = [match[1] or match[2] for match in _SUGGESTED.finditer(diagnostics)]
    return list(dict.fromkeys([*_defining(diagnostics), *suggested]))


def with_headers(program: Program, toolchain: Toolchain, headers: Sequence[str]) -> tuple[Program, Toolchain]:
    """Include these headers before the program."""
    return _with_prelude(program, toolchain, [f"#include <{header}>" for header in headers])


def _with_prelude(program: Program, toolchain: Toolchain, lines: Sequence[str]) -> tuple[Program, Toolchain]:
    prelude = File(origin=program.origin, content="\n".join([*lines, ""]).encode())
    language = toolchain.language
    joined = replace(program, files={**program.files, _PRELUDE: prelude})
    return joined, replace(toolchain, language=replace(language, flags=(*language.flags, INCLUDE, _PRELUDE)))


def of_standards(diagnostics: str) -> bool:
    """Return whether the program may compile by another standard of the language."""
    return _OF_A_STANDARD.search(diagnostics) is not None


def _of_header(name: str) -> Iterator[str]:
    for start, package in _DEBIAN.items():
        if name == start or (start.endswith(("/", "_")) and name.startswith(start)):
            yield f"<{name}> is not on this machine: apt install {package}"
    if name == "bits/stdc++.h":
        yield "<bits/stdc++.h> is of GCC: apt install g++, or include the standard's own headers"
    if name in _BEFORE_1998:
        yield f"<{name}> is older than the standard of 1998: include <{_BEFORE_1998[name]}>, and `using namespace std;`"
    if name in _OF_2023:
        yield f"<{name}> is of C++20 or C++23, and this compiler is older: a newer g++ has it, with -std=gnu++23"
    if name in _OF_WINDOWS:
        yield f"<{name}> is of Windows: the program must do without it"


def with_older_standards(toolchain: Toolchain) -> Iterator[tuple[Toolchain, str]]:
    """Yield tools with each older standard and its flag, the newest first; nothing if the table sets no standard."""
    language = toolchain.language
    if not any(flag.startswith(STANDARD) for flag in language.flags):
        return
    others = tuple(flag for flag in language.flags if not flag.startswith(STANDARD))
    for flag in _OLDER.get(language.code, ()):
        yield replace(toolchain, language=replace(language, flags=(flag, *others))), flag


def without_taken_names(
    program: Program, toolchain: Toolchain, diagnostics: str
) -> tuple[Program, Toolchain] | None:
    """Hide the names of headers that the program redeclares; None if it redeclares none.

    The headers are included first, while macros rename these names.
    """
    names = dict.fromkeys(_REDECLARED.findall(diagnostics))
    language = toolchain.language
    if not names or language.code != "cpp":
        return None
    lines = [f"#define {name} {name}_of_the_system" for name in names]
    lines += ["#include <unistd.h>", "#include <bits/stdc++.h>", *(f"#undef {name}" for name in names)]
    return _with_prelude(program, toolchain, lines)
