"""The programs that people name on the command line, and the PROBLEM that may stand before them."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from harness.cli.common import package_folder
from harness.errors import UsageError
from harness.package import Package, Program, find_package
from harness.package.files import File, read_folder
from harness.package.findings import Findings

MOST_FILES = 5000


def split(arguments: Sequence[str]) -> tuple[str | None, list[Path]]:
    """PROBLEM may be left out: then the first argument is a submission already."""
    if not arguments:
        return None, []
    first, *rest = arguments
    try:
        find_package(first, Path.cwd())
    except UsageError:
        # A file cannot be a package; anything else was meant as PROBLEM, and the error says what is wrong with it.
        if not Path(first).is_file():
            raise
        return None, [Path(path) for path in arguments]
    return first, [Path(path) for path in rest]


def package_or_hint(problem: str | None, hint: str, *, to_change: str = "") -> Path:
    """The package that PROBLEM means; where none was named and none is around, the error says what goes without."""
    try:
        return package_folder(problem, to_change=to_change)
    except UsageError as error:
        if problem is not None:
            raise
        raise UsageError(f"{error}\nwithout a package: {hint}") from error


def program_at(path: Path, language: str | None = None) -> Program:
    """A file or a folder as one program. Raises UsageError where there is none."""
    if path.is_dir():
        if _is_vast(path):
            raise UsageError(
                f"{path}: more than {MOST_FILES} files and folders: this is no program; name its file"
            )
        files = read_folder(path, Findings())
        if not files:
            raise UsageError(f"{path}: no program in this folder")
        return Program(path=path.name, files=files, language=language)
    if not path.is_file():
        raise UsageError(f"{path}: no such file or folder")
    return Program(path=str(path), files={_plain_name(path): File(origin=path)}, language=language)


def _is_vast(folder: Path) -> bool:
    """Whether a folder holds so much that it was hardly meant; looks at no more than that."""
    seen = 0
    for _, folders, files in os.walk(folder):
        seen += len(folders) + len(files)
        if seen > MOST_FILES:
            return True
    return False


def own_or_strange(package: Package, path: Path, language: str | None) -> tuple[Program, bool]:
    """The submission at a path, and whether it is one of the package's own; those go by their names as well.

    A name is a path below submissions/ (accepted/a.py). What lies here under the same path comes first.
    """
    for own in package.submissions:
        if own.lies_at(path) or (own.path == path.as_posix() and not path.exists()):
            return replace(own, language=language or own.language), True
    return program_at(path, language), False


def places(package: Package, paths: Sequence[Path]) -> list[Path]:
    """Where programs lie on the disk: paths as they are, names of the package's own submissions as their files."""
    own = {one.path: [file.origin for file in one.files.values()] for one in package.submissions}
    return [place for path in paths for place in ([path] if path.exists() else own.get(path.as_posix(), [path]))]


def _plain_name(path: Path) -> str:
    """A name that no compiler takes for an option."""
    return path.name.lstrip("-") or "program"
