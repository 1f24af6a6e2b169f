"""Find programs by a path, or by the name of a submission of the package."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from harness.errors import UsageError, first_few
from harness.package.checktestdata import CHECKTESTDATA, SourceError, as_python
from harness.package.files import File, read_folder
from harness.package.findings import Findings
from harness.package.headers import adapted, beside, with_headers
from harness.package.model import Package, Program

MOST_FILES = 5000
MOST_NAMES = 20


def program_at(path: Path, language: str | None = None) -> Program:
    """Return a file or a folder as one program. Raises UsageError if the path does not exist."""
    if path.is_dir():
        if _is_vast(path):
            raise UsageError(
                f"{path}: more than {MOST_FILES} files and folders: this is no program; name its file"
            )
        findings = Findings()
        files = read_folder(path, findings, old_names=True)
        if not files:
            why = "".join(f"; {warning.message}" for warning in findings.warnings[:1])
            raise UsageError(f"{path}: no program in this folder{why}")
        return Program(path=path.name, files=files, language=language)
    if not path.is_file():
        raise UsageError(f"{path}: no such file or folder")
    return Program(path=str(path), files={_plain_name(path): File(origin=path)}, language=language)


def judge_program_at(path: Path | None) -> Program | None:
    """Return a checker, validator or generator with the headers beside it; None without a path.

    An input validator in Checktestdata's language is translated. Raises UsageError if it is faulty.
    """
    if path is None:
        return None
    program = program_at(path)
    if path.suffix == CHECKTESTDATA and path.is_file():
        try:
            text = as_python(path.read_text("latin-1"))
        except SourceError as error:
            raise UsageError(f"{path}:{error.line}: {error}") from error
        return replace(program, files={f"{path.stem}.py": File(origin=path, content=text.encode())})
    return adapted(program) if path.is_dir() else with_headers(program, beside(path))


def _is_vast(folder: Path) -> bool:
    """Return whether a folder is too large to be meant as a program; stop reading at that size."""
    seen = 0
    for _, folders, files in os.walk(folder):
        seen += len(folders) + len(files)
        if seen > MOST_FILES:
            return True
    return False


def own_or_strange(package: Package, path: Path, language: str | None) -> tuple[Program, bool]:
    """Return the submission that `path` names, and whether it is one of the package's own.

    An existing `path` comes first, then a name of the package's own. Raises UsageError for neither.
    """
    own = own_at(package, path)
    if own is None and path.exists():
        return program_at(path, language), False
    own = own or own_named(package, path)
    return replace(own, language=language or own.language), True


def own_at(package: Package, path: Path) -> Program | None:
    """Return the package's own submission at `path`, relative to the current folder; None if there is none."""
    return next((program for program in package.submissions if program.lies_at(path)), None)


def own_named(package: Package, path: Path, *, among: Sequence[Program] | None = None) -> Program:
    """Return the package's own submission of a name.

    A name is a path from the package (submissions/accepted/a.py) or from submissions/ (accepted/a.py), or the end of
    one, with or without its extension (a.py, a), if no other submission ends so.

    among: the submissions to choose from if several match; None: the whole package.
    Raises UsageError, which lists the candidates, for none and for several.
    """
    name = path.as_posix().removeprefix("submissions/")
    whole = [program for program in package.submissions if program.path == name]
    ends = whole or [program for program in package.submissions if name in _ends(program.path)]
    preferred = [program for program in ends if among is not None and program in among]
    matching = preferred or ends
    if len(matching) == 1:
        return matching[0]
    if not package.submissions:  # of a package without any, or where there is no package
        raise UsageError(f"{path}: no such file or folder")
    if not matching:
        available = first_few([program.path for program in among or package.submissions], MOST_NAMES)
        raise UsageError(
            f"{path}: no such file or folder, and no submission of {package.slug}; it has {available}"
        )
    names = first_few([program.path for program in matching], MOST_NAMES)
    raise UsageError(f"`{path}` may be any of {names} in {package.slug}: say which")


def _ends(path: str) -> set[str]:
    """Return the possible names of the submission at `path` below submissions/."""
    ends = {path[index + 1 :] for index, letter in enumerate(path) if letter == "/"}
    return {PurePosixPath(end).with_suffix("").as_posix() for end in (path, *ends)} | ends


def places(package: Package, paths: Sequence[Path]) -> list[Path]:
    """Return the paths of programs on the disk: paths unchanged, names of the package's submissions as their files."""
    return [
        file
        for path in paths
        for file in ([path] if path.exists() else [one.origin for one in own_named(package, path).files.values()])
    ]


def _plain_name(path: Path) -> str:
    """Return a name that no compiler takes for an option."""
    return path.name.lstrip("-") or "program"
