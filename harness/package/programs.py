"""The programs of a package: a file or a folder each, constants substituted (2025-09, "Programs")."""

from collections.abc import Mapping
from dataclasses import replace

from harness.package.constants import Constants, substituted
from harness.package.files import File, Files, below
from harness.package.model import Program


def programs_in(files: Files, folder: str, constants: Constants) -> tuple[Program, ...]:
    """Each file or folder directly in `folder` as one program, sorted by name."""
    inside = below(files, folder)
    return tuple(
        program_at(files, f"{folder}/{name}", constants)
        for name in sorted({path.split("/")[0] for path in inside})
    )


def program_at(files: Files, path: str, constants: Constants) -> Program:
    """The one program at `path`: a single file, or all files below a folder."""
    chosen: Mapping[str, File] = {path.rpartition("/")[2]: files[path]} if path in files else below(files, path)
    return Program(path=path, files={name: substituted(file, constants) for name, file in chosen.items()})


def submissions_of(files: Files, constants: Constants) -> tuple[Program, ...]:
    """Every submission: the files and folders one level below each folder of submissions/."""
    inside = below(files, "submissions")
    folders = sorted({path.split("/")[0] for path in inside if "/" in path})
    return tuple(
        replace(program, path=program.path.removeprefix("submissions/"))
        for folder in folders
        for program in programs_in(files, f"submissions/{folder}", constants)
    )
