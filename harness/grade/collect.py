"""Which submissions are to be graded: from files and folders of strangers, or the package's own."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.errors import UsageError
from harness.expect import rules_for
from harness.judge import Entry
from harness.languages import LanguageTable, language_of
from harness.package import Package, Program
from harness.package.files import File, read_folder
from harness.package.findings import Findings


@dataclass(frozen=True, kw_only=True)
class Collection:
    """What was found. passed_over: files in a folder that are no program of a known language."""

    entries: tuple[Entry, ...]
    passed_over: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Collector:
    """Finds submissions. language: of all of them, if their names do not tell. flat: every file below a folder is one.

    A folder that is named holds submissions: each file in it is one, each folder in it is one of several files.
    """

    package: Package
    languages: LanguageTable
    language: str | None = None
    flat: bool = False

    def collect(self, paths: Sequence[Path]) -> Collection:
        """The submissions at `paths`, sorted by name within each folder; without paths, the package's own."""
        if not paths:
            return Collection(entries=self._own())
        found: dict[str, Entry] = {}
        passed_over: list[str] = []
        for path in paths:
            for entry in self._at(path, passed_over):
                if entry.program.path in found:
                    raise UsageError(
                        f"{entry.program.path}: named twice; submissions are told apart by their names"
                    )
                found[entry.program.path] = entry
        if not found:
            raise UsageError(
                f"no submission in {', '.join(map(str, paths))}: there is no file of a known language"
            )
        return Collection(entries=tuple(found.values()), passed_over=tuple(passed_over))

    def _own(self) -> tuple[Entry, ...]:
        if not self.package.submissions:
            raise UsageError(f"{self.package.slug} has no submissions of its own: name files or a folder")
        rules = self.package.rules
        return tuple(Entry(program=one, rules=rules_for(one.path, rules)) for one in self.package.submissions)

    def _at(self, path: Path, passed_over: list[str]) -> Iterable[Entry]:
        if path.is_file():
            return [self._file(path, path)]
        if path.is_dir():
            return self._in_folder(path, passed_over)
        raise UsageError(f"{path}: no such file or folder")

    def _in_folder(self, folder: Path, passed_over: list[str]) -> Iterator[Entry]:
        for path in _files_below(folder) if self.flat else sorted(folder.iterdir(), key=lambda one: one.name):
            if path.name.startswith(".") or path.name == "__pycache__":
                continue
            name = path.relative_to(folder)
            if path.is_dir():
                yield self._folder(path, name)
            elif self._known(path):
                yield self._file(path, name)
            else:
                passed_over.append(shown(path))

    def _known(self, path: Path) -> bool:
        one = {path.name: File(origin=path)}
        return path.is_file() and (self.language or language_of(self.languages, one, None)) is not None

    def _file(self, path: Path, name: Path) -> Entry:
        # A compiler must not take the name for an option.
        files = {path.name.lstrip("-") or "program": File(origin=path)}
        return self._entry(Program(path=shown(name), files=files, language=self.language), path)

    def _folder(self, path: Path, name: Path) -> Entry:
        findings = Findings()
        files = read_folder(path, findings)
        if findings.faults:
            raise UsageError("\n".join(map(str, findings.faults)))
        if not files:
            raise UsageError(f"{path}: no program in this folder")
        return self._entry(Program(path=shown(name), files=files, language=self.language), path)

    def _entry(self, program: Program, path: Path) -> Entry:
        """One of the package's own keeps what the package demands of it."""
        origin = path.resolve()
        own = next((one for one in self.package.submissions if one.origin.resolve() == origin), None)
        if own is None:
            return Entry(program=program)
        language = self.language or own.language
        return Entry(program=replace(own, language=language), rules=rules_for(own.path, self.package.rules))


def shown(path: Path) -> str:
    """A file's name as text that any report can hold, whatever bytes it is made of."""
    return os.fsencode(path.as_posix()).decode("utf-8", "replace")


def _files_below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and not _hidden(path.relative_to(folder)))


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") or part == "__pycache__" for part in path.parts)
