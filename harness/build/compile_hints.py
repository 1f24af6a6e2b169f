"""What mends a compile error that is of this machine or of today's standard, not of the program: a package, a flag."""

import re
from collections.abc import Iterator

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
