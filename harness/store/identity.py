"""Compute digests of what a stored result depends on: the harness, the machine, tools, programs, packages.

A stored result is valid only for the same digests; if one differs, the case is judged again.
"""

import functools
import hashlib
import os
import platform
from collections.abc import Iterable, Iterator
from pathlib import Path

from harness import __version__
from harness.package import Aggregation, Case, Group, Package, Program
from harness.package.files import File, Files

_HARNESS = Path(__file__).parent.parent


def digest_of_texts(*texts: str) -> str:
    """Return the SHA-256 of texts with their lengths, so that different lists have different digests."""
    digest = hashlib.sha256()
    for text in texts:
        encoded = text.encode("utf-8", "surrogateescape")
        digest.update(f"{len(encoded)}\0".encode() + encoded)
    return digest.hexdigest()


@functools.cache
def harness_identity(room: str = "", *, folder: Path = _HARNESS) -> str:
    """Return a digest of the harness' own sources, or of one of its packages; read once per process (5 ms).

    The version string is not enough: commits that judge differently may share it.
    """
    digest = hashlib.sha256(__version__.encode())
    for path in _source_files(str(folder / room)):
        with open(path, "rb", buffering=0) as source:  # noqa: PTH123  # half the time of Path.read_bytes
            content = source.read()
        digest.update(f"\0{os.path.relpath(path, folder)}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _source_files(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        items = sorted(entries, key=lambda entry: entry.name)
    for entry in items:
        if entry.name.startswith("."):  # a file of an editor
            continue
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _source_files(entry.path)
        elif entry.is_file() and not entry.name.endswith(".pyc"):
            yield entry.path


def machine_identity() -> str:
    """Return a digest of system, kernel, processor and number of cores: times are valid for one machine only."""
    return digest_of_texts(platform.platform(), platform.machine(), processor_name(), str(os.cpu_count()))


def processor_name() -> str:
    """Return the model name of the processor; empty if the system does not tell it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def tool_identity(tool: Path) -> str:
    """Return path, size and date of a compiler or interpreter; asking for its version would start it each time."""
    try:
        status = tool.stat()
    except OSError:
        return str(tool)
    return f"{tool} {tool.resolve()} {status.st_size} {status.st_mtime_ns}"


def tools_identity(tools: Iterable[Path]) -> str:
    """Return a digest of several tools, independent of their order."""
    return digest_of_texts(*sorted(map(tool_identity, tools)))


def file_identity(file: File | None) -> str:
    """Return the SHA-256 of a file's content; "" for None. Raises MachineError if it cannot be read."""
    if file is None:
        return ""
    with file.open() as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def files_identity(files: Files) -> str:
    """Return a digest of files in their order: names, contents, executable bits."""
    return digest_of_texts(
        *(
            part
            for name, file in files.items()
            for part in (name, file_identity(file), "x" if file.executable else "")
        )
    )


def program_identity(program: Program) -> str:
    """Return a digest of a program: its files in their order (the first source may be started), its language.

    The name of its folder counts only if one of several files is called so, too.
    """
    texts = (program.language or "", program.entrypoint or "", program.start_by_name)
    return digest_of_texts(*texts, files_identity(program.files))


def programs_identity(programs: Iterable[Program]) -> str:
    """Return a digest of several programs, in their order."""
    return digest_of_texts(*map(program_identity, programs))


def package_identity(package: Package, *, without: tuple[str, ...] = ()) -> str:
    """Return a digest of every file of a package except in the folders `without`."""
    return files_identity(
        {name: file for name, file in sorted(package.files.items()) if not name.startswith(without)}
    )


def identity_of_results(package: Package, *settings: str) -> str:
    """Return a digest of all that results on this machine depend on: harness, machine, package and settings."""
    return digest_of_texts(harness_identity(), machine_identity(), package_identity(package), *settings)


def judging_identity(package: Package) -> str:
    """Return a digest of the parts of a package that a run depends on, besides the program, the case and the limits.

    Excludes the compilers and interpreters of the judge programs: see `tools_identity`.
    """
    static = package.static_validator
    return digest_of_texts(
        programs_identity(package.output_validators),
        program_identity(static) if static is not None else "",
        *(part for code, files in sorted(package.include.items()) for part in (code, files_identity(files))),
        repr((sorted(package.types), package.allow_file_writing, package.older_dialects)),
    )


def case_identity(package: Package, group: Group, case: Case) -> str:
    """Return a digest of a test case: its files and settings, and in a scoring problem what its points depend on."""
    shares = len(group.cases) if group.aggregation is Aggregation.SUM else 1  # the cases share the group's points
    static = group.static.score if group.static is not None else None  # the cases share what is left of it
    points = (group.aggregation, group.max_score, shares, static, group.grading) if package.scoring else ()
    extra = files_identity(dict(sorted(case.extra_files.items())))
    settings = repr((case.settings, group.name, points))
    return digest_of_texts(settings, file_identity(case.input), file_identity(case.answer), extra)
