"""Resolve what to judge: submissions of the package, sources, compiled programs, commands with arguments.

A compiled program and a command need no building; they run in the sandbox, too.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path

from harness.build.executable import Executable
from harness.build.languages import Language, holds_checks, run_with_checks
from harness.errors import MachineError, UsageError
from harness.host.host import Host
from harness.judge.submission_result import Entry
from harness.package import Package, Program
from harness.package.files import File
from harness.package.model import rules_for
from harness.package.named_programs import own_or_strange

_MAIN = "main"
_THREADS = 64


def own_entries(package: Package) -> list[Entry]:
    """Return the package's own submissions with its expectations. Raises UsageError if it has none."""
    if not package.submissions:
        raise UsageError(f"{package.slug} has no submissions of its own: name yours")
    return [
        Entry(program=program, rules=rules_for(program.path, package.rules)) for program in package.submissions
    ]


def entries_at(
    package: Package, paths: Sequence[Path], language: str | None, host: Host, *, command: Sequence[str] = ()
) -> list[Entry]:
    """Return the command as the only entry, if given; else the submissions named by `paths`; else the package's own."""
    if command:
        return [_command_entry(command, host)]
    return [_entry_at(package, path, language, host) for path in paths] or own_entries(package)


def _entry_at(package: Package, path: Path, language: str | None, host: Host) -> Entry:
    """Return the entry at a path; the package's own submission keeps the package's expectations."""
    if language is None and _is_binary(path):
        return _binary_entry(path, host)
    program, is_own = own_or_strange(package, path, language)
    return Entry(program=program, rules=(rules_for(program.path, package.rules) or None) if is_own else None)


def named_files(words: Sequence[str]) -> dict[str, Path]:
    """Return the words that name a file, with their paths."""
    return {word: Path(word) for word in words if Path(word).is_file()}


def _command_entry(words: Sequence[str], host: Host) -> Entry:
    """Return an entry that needs no building; files in the words are copied to where the sandbox's user can read.

    Raises MachineError if the sandbox's user cannot execute the program from any path.
    """
    folder = host.stage.folder("run")
    copies = {word: _copied(path, folder) for word, path in named_files(words).items()}
    main, arguments = words[0], [str(copies.get(word, word)) for word in words[1:]]
    start = str(copies[main]) if main in copies else f"{{{_MAIN}}}"
    language = Language(
        code="command",
        name="a command",
        run=(start, *arguments),
        tools={} if main in copies else {_MAIN: (main,)},
        cap_data=False,
        threads=_THREADS,
        stack="memory" if main in copies else "system",
    )
    language = run_with_checks(language) if any(map(holds_checks, copies.values())) else language
    toolchain = host.builder.toolchain(language)
    if not toolchain.available:
        raise MachineError(f"{main}: the sandbox's user cannot execute it: is it below a private home?")
    argv = tuple(str(toolchain.paths[_MAIN]) if word == f"{{{_MAIN}}}" else word for word in (start, *arguments))
    files = {path.name: File(origin=Path(word)) for word, path in copies.items()}
    program = Program(path=" ".join(words), files=files)
    built = Executable(program=program, language=toolchain.language, directory=folder, argv=argv)
    return Entry(program=program, built=built)


def _copied(path: Path, folder: Path) -> Path:
    copy = folder / (path.name.lstrip("-") or "program")
    if copy.exists():
        raise UsageError(
            f"{path}: two files of the command are called {copy.name}: they are copied into one folder"
        )
    shutil.copyfile(path, copy)
    copy.chmod(0o755)
    return copy


_ELF = b"\x7fELF"
_NAME = "program.bin"


def _is_binary(path: Path) -> bool:
    """Return whether a file is an executable of this system, not a source."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_ELF)) == _ELF


def _binary_entry(path: Path, host: Host) -> Entry:
    """Return an entry that needs no building: a copy that the sandbox's user can execute."""
    folder = host.stage.folder("run")
    copy = folder / _NAME
    shutil.copyfile(path, copy)
    copy.chmod(0o755)
    language = Language(code="binary", name="compiled program", run=("{binary}",), stack="memory")
    language = run_with_checks(language) if holds_checks(copy) else language
    program = Program(path=str(path), files={_NAME: File(origin=path)})
    built = Executable(program=program, language=language, directory=folder, argv=(str(copy),))
    return Entry(program=program, built=built)
