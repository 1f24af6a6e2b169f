"""Collect the submissions to grade: untrusted files and folders, or the package's own."""

import errno
import itertools
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from harness.build.executable import CompileFailure
from harness.build.languages import LanguageTable, language_of
from harness.build.source_files import has_archive_name, too_much_code
from harness.build.toolchains import has_scripts
from harness.errors import Fault, MachineError, PackageError, UsageError, first_few
from harness.judge.entries import own_entries
from harness.judge.submission_result import Entry
from harness.package import Package, ProblemType, Program
from harness.package.archive import is_archive, opened
from harness.package.files import File, Files, is_litter, read_folder
from harness.package.findings import Findings
from harness.package.model import rules_for
from harness.values import dataclass

MOST_FAULTS = 5
_MOST_UNPACKED = 64 << 20  # bytes of an archive's files
# Errors of opening a file that changed meanwhile: it is gone, a link, or no file any more.
_CHANGED = (errno.ENOENT, errno.ELOOP, errno.ENOTDIR, errno.EINVAL)


@dataclass(frozen=True, kw_only=True)
class Collection:
    """The collected submissions. passed_over: files in given folders that are no program in a known language."""

    entries: tuple[Entry, ...]
    passed_over: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Collector:
    """Finds submissions. language: of submissions; None: by their names. flat: every file below a folder is one.

    By default each file in a given folder is a submission, and each inner folder or zip is one of several files.
    """

    package: Package
    languages: LanguageTable
    language: str | None = None
    flat: bool = False

    def collect(self, paths: Sequence[Path]) -> Collection:
        """Return the submissions at `paths`, sorted by name in each folder; without paths, the package's own."""
        if not paths:
            return Collection(entries=tuple(own_entries(self.package)))
        passed_over: list[str] = []
        if len(paths) == 1 and not self.flat:
            _refuse_folders(paths[0])
        named = [(path, entry) for path in paths for entry in self._at(path, passed_over)]
        if not named:
            raise UsageError(
                f"no submission in {', '.join(map(str, paths))}: there is no file of a known language"
            )
        return Collection(entries=_with_distinct_names(named), passed_over=tuple(passed_over))

    def _at(self, path: Path, passed_over: list[str]) -> Iterable[Entry]:
        if self.package.root.absolute() / "submissions" not in path.absolute().parents:
            _refuse_link_out(path)
        if path.is_file():
            return [self._file_or_archive(path, path, path.resolve())]
        if path.is_dir():
            own = self._own_at(path)
            return self._in_folder(path, passed_over) if own is None else [own]
        raise UsageError(f"{path}: no such file or folder")

    def _in_folder(self, folder: Path, passed_over: list[str]) -> Iterator[Entry]:
        home = folder.resolve()
        for path in _files_below(folder) if self.flat else sorted(folder.iterdir(), key=lambda item: item.name):
            if is_litter(path.name):
                continue
            name = path.relative_to(folder)
            real = _within(path, home)
            if not path.is_dir() and not self._may_be_submission(path):
                passed_over.append(shown(folder.name / name))
            elif isinstance(real, str):
                yield _unusable(path, name, real)
            elif path.is_dir():
                yield self._folder(path, name, home)
            else:
                yield self._file_or_archive(path, name, real, home)

    def _may_be_submission(self, path: Path) -> bool:
        """Return whether a file may be a submission. Submitted answers may have any name."""
        return self._has_program({path.name: File(origin=path)}) or has_archive_name(path.name)

    def _has_program(self, files: Files) -> bool:
        if ProblemType.SUBMIT_ANSWER in self.package.types:
            return True
        return (self.language or language_of(self.languages, files, None)) is not None

    def _file_or_archive(self, path: Path, name: Path, real: Path, home: Path | None = None) -> Entry:
        is_read = ProblemType.SUBMIT_ANSWER in self.package.types or not has_archive_name(path.name)
        if is_read or language_of(self.languages, {path.name: File(origin=path)}, None) is not None:
            return self._file(path, name, real, home)
        if not is_archive(path):
            return _unusable(path, name, "an archive that is not read: hand in a zip, or the files themselves")
        try:
            with opened(path, most_bytes=_MOST_UNPACKED) as folder:
                return self._folder(_only_folder(folder), name, folder.resolve())
        except PackageError as error:
            return _unusable(path, name, _inside(error.faults, path))

    def _file(self, path: Path, name: Path, real: Path, home: Path | None = None) -> Entry:
        """Return the entry of a file. real: its path after all links, within `home`."""
        home = home or real.parent
        # A compiler must not read the name as an option.
        plain = shown(Path(path.name)).lstrip("-") or "program"
        file = File(origin=path, home=home, relative=real.relative_to(home).as_posix())
        return self._entry(Program(path=shown(name), files={plain: file}, language=self.language), path)

    def _folder(self, path: Path, name: Path, home: Path) -> Entry:
        findings = Findings()
        files = read_folder(path, findings, old_names=True, within=home)
        closed = [fault for fault in findings.faults if _is_closed(Path(fault.path))]
        if closed:
            raise MachineError(f"{closed[0].path}: cannot be read; nothing was judged")
        if findings.faults or not files:
            return _unusable(
                path, name, _inside(findings.faults or findings.warnings, path) or "no program in this folder"
            )
        program = Program(path=shown(name), files=files, language=self.language)
        if self._own_at(path) is None and not self._has_program(files) and not has_scripts(program):
            names = first_few([shown(Path(file)) for file in sorted(files)], MOST_FAULTS)
            return _unusable(path, name, f"no program of a known language in this folder, only {names}")
        return self._entry(program, path)

    def _entry(self, program: Program, path: Path) -> Entry:
        own = self._own_at(path)
        if own is not None:
            return own
        if ProblemType.SUBMIT_ANSWER in self.package.types:  # answers may be large: do not read them now
            return Entry(program=program)
        try:
            return _entry_with_content(program, self.package.limits.code_kib * 1024)
        except MachineError as error:
            if isinstance(error.__cause__, OSError) and error.__cause__.errno in _CHANGED:
                return _failed(program, "changed while it was being read: hand it in again")
            raise MachineError(f"{error}; nothing was judged") from error

    def _own_at(self, path: Path) -> Entry | None:
        """Return the package's own submission at a path with its expectations; else None."""
        own = next((program for program in self.package.submissions if program.lies_at(path)), None)
        if own is None:
            return None
        language = self.language or own.language
        return Entry(program=replace(own, language=language), rules=rules_for(own.path, self.package.rules))


def _with_distinct_names(named: Sequence[tuple[Path, Entry]]) -> tuple[Entry, ...]:
    """Return the entries by name; prefix equal names with the given folder."""
    counts = Counter(entry.program.path for _, entry in named)
    if all(count == 1 for count in counts.values()):
        return tuple(entry for _, entry in named)
    entries = [entry for _, entry in named]
    if len({path for path, _ in named}) > 1:
        entries = [_renamed(entry, _below(path, entry.program.path)) for path, entry in named]
    return tuple(_numbered(entries))


def _numbered(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Number entries with the name of an earlier one: names with bytes that are no text may look alike.

    Raises UsageError if the same files are given twice.
    """
    names, taken = {entry.program.path for entry in entries}, dict[str, Entry]()
    for entry in entries:
        name = free = entry.program.path
        if name in taken and _origins(taken[name]) == _origins(entry):
            raise UsageError(f"{name}: named twice; submissions are told apart by their names")
        numbers = itertools.count(2)
        while free in taken or (free != name and free in names):
            free = f"{name} ({next(numbers)})"
        taken[free] = entry
        yield _renamed(entry, free)


def _origins(entry: Entry) -> set[Path]:
    return {file.origin.absolute() for file in entry.program.files.values()}


def _below(path: Path, name: str) -> str:
    return f"{shown(path)}/{name}" if path.is_dir() else name


def _renamed(entry: Entry, path: str) -> Entry:
    return replace(entry, program=replace(entry.program, path=path))


def _within(path: Path, home: Path) -> Path | str:
    """Resolve the links of a path in the folder `home`; or return why it cannot be a submission.

    A link out of the folder could show its author files that they may not read.
    """
    try:
        real = path.resolve(strict=True)
        if not real.is_relative_to(home):
            return "a link that leads out of the folder: hand in the file itself"
        return real if real.is_file() or real.is_dir() else "neither a file nor a folder"
    except (OSError, RuntimeError):  # circular links
        return "a link that points to nothing"


def _entry_with_content(program: Program, most_bytes: int) -> Entry:
    """Read the files of a program now, so that later changes by their owner have no effect.

    Files over the limit are not read. Raises MachineError for a file that cannot be read.
    """
    code_bytes, kept = sum(file.size() for file in program.files.values()), {}
    if code_bytes <= most_bytes:
        kept = {name: replace(file, content=file.read(most_bytes + 1)) for name, file in program.files.items()}
        code_bytes = sum(file.size() for file in kept.values())
    if code_bytes > most_bytes:
        return _failed(program, too_much_code(code_bytes, most_bytes))
    return Entry(program=replace(program, files=kept))


def _failed(program: Program, why: str) -> Entry:
    """Return the entry of a submission that was not read; the fault replaces its content."""
    files = {name: replace(file, content=why.encode()) for name, file in program.files.items()}
    return Entry(program=replace(program, files=files), built=CompileFailure(diagnostics=why))


def _unusable(path: Path, name: Path, why: str) -> Entry:
    """Return the entry of a submission without usable files: reports list it with its fault and no points."""
    files = {"trouble": File(origin=path, content=why.encode())}
    return Entry(program=Program(path=shown(name), files=files), built=CompileFailure(diagnostics=why))


def _only_folder(folder: Path) -> Path:
    """Return the folder itself; if there is nothing in it but another one, what this is for that one."""
    inside = [path for path in folder.iterdir() if not is_litter(path.name)]
    is_alone = len(inside) == 1 and inside[0].is_dir() and not inside[0].is_symlink()
    return _only_folder(inside[0]) if is_alone else folder


def _is_closed(path: Path) -> bool:
    return os.path.lexists(path) and not os.access(path, os.R_OK, follow_symlinks=False)


def _inside(faults: Sequence[Fault], folder: Path) -> str:
    """Return the faults of a folder as text, without the folder's path on this machine."""
    inner = ((shown(Path(fault.path).relative_to(folder)), fault.message) for fault in faults[:MOST_FAULTS])
    return "\n".join(message if path == "." else f"{path}: {message}" for path, message in inner)


def shown(path: Path) -> str:
    """Return a file's name as text that any report can hold; different bytes give different text."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")


def _refuse_link_out(path: Path) -> None:
    """Raise UsageError for a link out of its folder, as a stranger's repository may hold one to right solutions.

    Of a path below the working directory, as `FOLDER/*/src/*.py` names it, each folder may be such a link.
    """
    here, place = Path.cwd(), path.absolute()
    for part in [place, *(above for above in place.parents if here in above.parents)]:
        if part.is_symlink() and part.exists() and not part.resolve().is_relative_to(part.parent.resolve()):
            raise UsageError(
                f"{path}: a link that leads out of its folder: name {path.resolve()} itself if you trust it"
            )


def _refuse_folders(folder: Path) -> None:
    """Raise UsageError if a folder holds folders of submissions, as that of a package does."""
    if all((folder / name).is_dir() for name in ("accepted", "wrong_answer")):
        raise UsageError(
            f"{folder}: its folders accepted, wrong_answer, … hold many submissions, and each would count as one: "
            f"write {folder}/*, or --flat if each file is a submission"
        )


def _files_below(folder: Path) -> list[Path]:
    return sorted(
        path
        for path in folder.rglob("*")
        if not path.is_dir() and not any(map(is_litter, path.relative_to(folder).parts))
    )
