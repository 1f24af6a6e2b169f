"""Headers of judge programs in C and C++: nearby headers, and testlib.h, which needs an adapter.

A program that includes testlib.h has another contract than the judge programs of the format (other arguments, other
exit codes). `adapted` gives it a header that translates between the two, so that whatever builds, runs or exports the
program needs to know nothing of testlib.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from importlib import resources
from pathlib import Path, PurePosixPath

from harness.package.files import File, Files
from harness.package.model import Program

C_LIKE = (".c", ".cc", ".cpp", ".cxx", ".c++", ".C")
HEADERS = (".h", ".hh", ".hpp", ".hxx", ".h++", ".inc", ".inl")
TESTLIB, ORIGINAL = "testlib.h", "testlib_original.h"
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*["<]([A-Za-z0-9_./-]{1,200})[">]', re.MULTILINE)
_INCLUDES_TESTLIB = re.compile(
    rb'^([ \t]*#[ \t]*include[ \t]*)["<](?:[A-Za-z0-9_./-]{1,200}/)?testlib\.h[">]', re.MULTILINE
)
# Headers that others have changed: they have the exit codes of the format, and its arguments.
_SPEAKS_THE_FORMAT = re.compile(rb"EXIT_CODE[ \t]+4[23]\b")
_DEEPEST = 20

FindHeader = Callable[[str], File | None]


def with_headers(program: Program, find: FindHeader) -> Program:
    """Add to `program` the missing headers that its C or C++ sources include.

    find: returns the file of the package, or of the folder around the program, for a header's base name.
    """
    files = dict(program.files)
    bases = {path.rpartition("/")[2] for path in files}
    pending = [name for name in files if name.endswith((*C_LIKE, *HEADERS))]
    for _ in range(_DEEPEST):
        wanted = {name for source in pending for name in _INCLUDE.findall(files[source].read())}
        pending = []
        for name in sorted(wanted):
            base = PurePosixPath(name.decode()).name
            header = find(base) if base not in bases else None
            if header is not None:
                files[base] = header
                bases.add(base)
                pending.append(base)
        if not pending:
            break
    return adapted(replace(program, files=files))


def nearest(files: Files, program: str) -> FindHeader:
    """Find headers in a package: beside the program at that path, in include/, anywhere."""
    beside = program.rpartition("/")[0]
    by_base: dict[str, list[str]] = {}

    def nearness(path: str) -> tuple[bool, bool, int, str]:
        return not path.startswith(f"{beside}/"), not path.startswith("include/"), path.count("/"), path

    def find(base: str) -> File | None:
        if not by_base:
            for path in files:
                by_base.setdefault(path.rpartition("/")[2], []).append(path)
        paths = by_base.get(base)
        return files[min(paths, key=nearness)] if paths else None

    return find


def beside(source: Path) -> FindHeader:
    """Find headers in the folder of a loose source file."""

    def find(base: str) -> File | None:
        path = source.parent / base
        return File(origin=path) if base.endswith(HEADERS) and path.is_file() else None

    return find


def adapted(program: Program) -> Program:
    """Replace testlib.h by the adapter in a program that includes it; return other programs unchanged.

    Without a testlib.h of its own the program gets ours. Idempotent.
    """
    sources = {
        name
        for name, file in program.files.items()
        if name.endswith((*C_LIKE, *HEADERS)) and includes_testlib(file.read())
    }
    own = next((name for name in program.files if PurePosixPath(name).name == TESTLIB), None)
    if not sources or ORIGINAL in program.files:
        return program
    header = program.files[own] if own is not None else shipped_testlib()
    if _SPEAKS_THE_FORMAT.search(header.read()):
        return program
    files = {name: file for name, file in program.files.items() if name != own}
    files |= {name: _including(files[name], name.count("/")) for name in sources}
    return replace(program, files={**files, TESTLIB: _resource("testlib_adapter.h"), ORIGINAL: header})


def shipped_testlib() -> File:
    """Return the testlib.h that comes with harness."""
    return _resource("testlib", TESTLIB)


def includes_testlib(source: bytes) -> bool:
    """Return whether a C++ source includes testlib.h."""
    return _INCLUDES_TESTLIB.search(source) is not None


def _including(file: File, depth: int) -> File:
    """Return the source with its include of testlib.h redirected to the program's top, `depth` folders up."""
    line = rb'\1"' + b"../" * depth + rb'testlib.h"'
    return replace(file, content=_INCLUDES_TESTLIB.sub(line, file.read()))


def _resource(*names: str) -> File:
    path = resources.files("harness").joinpath("resources", *names)
    return File(origin=Path(str(path)))
