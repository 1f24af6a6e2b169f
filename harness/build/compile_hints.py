"""What mends a compile error that is not of the program: a package of this machine, an older standard, another name.

What was published long ago may use names that the language has taken since; what was written on Windows, names that the
headers of this system declare (`link`, `pipe`, `index`).
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from harness.build.toolchains import Toolchain
from harness.package import Program
from harness.package.files import File

MEND = "mend: "  # what such a line begins with
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
    f"{name}.h": name
    for name in (
        *(
            "algo",
            "bitset",
            "complex",
            "deque",
            "fstream",
            "function",
            "iomanip",
            "iostream",
            "istream",
            "iterator",
        ),
        *(
            "list",
            "map",
            "multimap",
            "multiset",
            "ostream",
            "queue",
            "set",
            "sstream",
            "stack",
            "string",
            "vector",
        ),
    )
} | {"algo.h": "algorithm", "function.h": "functional", "multimap.h": "map", "multiset.h": "set"}
_OF_2023 = frozenset(
    {
        "expected",
        "flat_map",
        "flat_set",
        "format",
        "generator",
        "mdspan",
        "print",
        "spanstream",
        "stacktrace",
        "stdfloat",
    }
)
_OF_WINDOWS = frozenset(
    {"conio.h", "windows.h", "Windows.h", "dos.h", "graphics.h", "io.h", "process.h", "tchar.h"}
)

# What compilers say of names and forms that one standard has and another has not.
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
_PRELUDE = "names_of_the_system.h"
_REDECLARED = re.compile(
    r"error: [‘'](?:[^’'\n]{0,200}[ *&])?([A-Za-z_]\w{0,60}) ?(?:[(\[][^’'\n]{0,200})?[’'] redeclared as different kind"
)
_OLDER = {
    "cpp": ("-std=gnu++17", "-std=gnu++14", "-std=gnu++11", "-std=gnu++98"),
    "c": ("-std=gnu11", "-std=gnu89"),
}


def of_headers(said: str) -> str | None:
    """What mends a header that is not there, by what the compiler said; None where nothing is known of it."""
    found = _MISSING.search(said)
    if found is None:
        return None
    name = found[1] or found[2]
    return next(_of_header(name), None)


def of_standards(said: str) -> bool:
    """Whether another standard of the language may take the program, by what the compiler said."""
    return _OF_A_STANDARD.search(said) is not None


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
