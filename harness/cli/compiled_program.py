"""A program that is compiled already: run as it is, in the sandbox."""

import shutil
from pathlib import Path

from harness.build import Executable
from harness.build.languages import Language, holds_checks, run_with_checks
from harness.host.host import Host
from harness.judge import Entry
from harness.package import Program
from harness.package.files import File

_ELF = b"\x7fELF"
_NAME = "program.bin"


def is_binary(path: Path) -> bool:
    """Whether a file is an executable of this system rather than a source."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_ELF)) == _ELF


def binary_entry(path: Path, host: Host) -> Entry:
    """An entry that needs no building: a copy that the sandbox's user can reach."""
    folder = host.stage.folder("run")
    copy = folder / _NAME
    shutil.copyfile(path, copy)
    copy.chmod(0o755)
    language = Language(code="binary", name="compiled program", run=("{binary}",), stack="memory")
    language = run_with_checks(language) if holds_checks(copy) else language
    program = Program(path=str(path), files={_NAME: File(origin=path)})
    built = Executable(program=program, language=language, directory=folder, argv=(str(copy),))
    return Entry(program=program, built=built)
