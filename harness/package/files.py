"""A package as a mapping from package-relative path to file.

Loading, judging and exporting see only this mapping, so what is judged is what is exported.
"""

import contextlib
import io
import os
import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath

from harness.errors import MachineError
from harness.files import untrusted
from harness.package.findings import Findings
from harness.values import dataclass

# 2025-09, "Package structure": any other name is treated as absent.
LEGAL_NAME = re.compile(r"[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}")
# Older packages hold names with blanks, brackets, commas, letters of all kinds, and other tools read them.
OLD_NAME = re.compile(r"\w[^/\\\x00-\x1f\x7f\ud800-\udfff]{0,250}")
# Files at a package's top that show that it is one: of the format, and of DOMjudge alone.
MANIFESTS = ("problem.yaml", "domjudge-problem.ini")
# Hidden files that are read: DOMjudge's time limit, and the statements that Polygon has typeset.
TIME_LIMIT_FILE = ".timelimit"
_POLYGON_STATEMENTS = ("statements/.html", "statements/.pdf")
DEEPEST = 40
MOST_ENTRIES = 300_000
MOST_LINKS = 3
_DESCRIPTORS = Path("/proc/self/fd")
# Files of operating systems and editors: ignored without a warning, like hidden files.
_LITTER = re.compile(r"__pycache__|__MACOSX|Thumbs\.db|ehthumbs\.db|desktop\.ini|Icon\r|.*~|#.*#", re.IGNORECASE)
# The parts that verdicts depend on: a broken link there is a fault, elsewhere a warning.
_JUDGED = frozenset({
    *MANIFESTS, TIME_LIMIT_FILE, "data", "submissions", "output_validator",
    "output_validators", "static_validator", "graders", "include",
})  # fmt: skip


def is_legal(path: str) -> bool:
    """Return whether a package-relative path has legal names only: not absolute, no `..`."""
    return all(LEGAL_NAME.fullmatch(part) for part in path.split("/"))


def is_litter(name: str) -> bool:
    """Return whether a file or folder is hidden, or made by an operating system or an editor."""
    return name.startswith(".") or _LITTER.fullmatch(name) is not None


@dataclass(frozen=True, kw_only=True)
class File:
    """A file of a package. origin: the file that a person edits. content: overrides the bytes of origin.

    shown_as: its path in messages if that is another one: where it is in an archive that was unpacked.
    crlf: its lines end in CR LF, and are read as if they ended in LF.
    home, relative: a folder that strangers may write in, and the path of the file in it. The file is opened from that
    folder without following links, so that nobody can lead us out of it after the folder was looked through.
    """

    origin: Path
    shown_as: PurePath | None = None
    content: bytes | None = None
    executable: bool = False
    home: Path | None = None
    relative: str = ""
    crlf: bool = False

    @property
    def shown(self) -> PurePath:
        """Return its path in messages."""
        return self.shown_as or self.origin

    def open(self) -> io.BufferedIOBase:
        """Open its bytes as a stream. Raises MachineError if it cannot be opened (any more)."""
        changed = self.in_memory
        return io.BytesIO(changed) if changed is not None else self._open_on_disk()

    @property
    def in_memory(self) -> bytes | None:
        """Return the bytes if they differ from the file on the disk; else None."""
        if self.content is not None or not self.crlf:
            return self.content
        with self._open_on_disk() as stream:
            try:
                return stream.read().replace(b"\r\n", b"\n")
            except OSError as error:
                raise self._unreadable(error) from error

    def _open_on_disk(self) -> io.BufferedIOBase:
        return io.BufferedReader(self._open_raw())

    def _open_raw(self) -> io.FileIO:
        try:
            if self.home is None:
                return io.FileIO(self.origin)
            return io.FileIO(untrusted.open_within(self.home, self.relative))
        except OSError as error:
            raise self._unreadable(error) from error

    def _unreadable(self, error: OSError) -> MachineError:
        return MachineError(f"{self.shown}: cannot be read: {error.strerror or error}")

    def read(self, most_bytes: int = -1) -> bytes:
        """Return the package's bytes of this file, or the first `most_bytes`. Raises MachineError as `open` does."""
        changed = self.in_memory
        if changed is not None:
            return changed if most_bytes < 0 else changed[:most_bytes]
        with self._open_raw() if most_bytes < 0 else self._open_on_disk() as stream:  # a buffer costs time
            try:
                return stream.read(most_bytes)
            except OSError as error:
                raise self._unreadable(error) from error

    @contextlib.contextmanager
    def path(self) -> Iterator[Path]:
        """Yield a path at which this very file can be opened during the block; `in_memory` must be None."""
        if self.home is None or not _DESCRIPTORS.is_dir():
            yield self.origin
            return
        with self.open() as stream:
            yield _DESCRIPTORS / str(stream.fileno())

    def size(self) -> int:
        """Return its size in bytes, without reading it. Raises MachineError as `open` does."""
        changed = self.in_memory
        if changed is not None:
            return len(changed)
        with self._open_on_disk() as stream:
            return os.fstat(stream.fileno()).st_size


Files = Mapping[str, File]


def below(files: Files, folder: str) -> dict[str, File]:
    """Return the files under `folder` by their path relative to it."""
    prefix = folder.rstrip("/") + "/"
    return {path[len(prefix) :]: file for path, file in files.items() if path.startswith(prefix)}


def read_folder(
    root: Path,
    findings: Findings,
    *,
    around: Path | None = None,
    old_names: bool = False,
    within: Path | None = None,
) -> dict[str, File]:
    """Return all files below `root` with legal names. Links that lead out and special files are faults.

    Hidden files and folders (a leading dot) are absent by the format's rule, and passed over in silence as litter is;
    other illegal names are absent too, with a warning. around: links that stay in there are read, with a warning; only
    for who made all of it. old_names: more names are legal, as before 2025-09. within: a folder above `root` that
    strangers may change while it is read; `root` itself is trusted where there is none.
    """
    home = root.resolve()
    top = within.resolve() if within is not None else home
    if not home.is_relative_to(top):
        findings.fault(root, "a link that leads out of the folder")
        return {}
    names = OLD_NAME if old_names else LEGAL_NAME
    walk = _Walk(root=root, home=home, top=top, around=around or home, names=names, findings=findings)
    return dict(sorted(walk.files()))


@dataclass(frozen=True, kw_only=True)
class _Walk:
    """Walk through a folder without recursion: a hostile tree may be deep, wide, or linked into itself.

    Folders are opened from `top` (or `around`) without following links, along the path that was judged to lie in there.
    """

    root: Path
    home: Path
    top: Path
    around: Path
    names: re.Pattern[str]
    findings: Findings

    def files(self) -> Iterator[tuple[str, File]]:
        pending, seen = [_Item(path=self.root, real=self.home)], 0
        while pending:
            folder = pending.pop()
            with self._entries(folder) as entries:
                for entry in entries:
                    seen += 1
                    if seen > MOST_ENTRIES:
                        self.findings.fault(
                            self.root, f"more than {MOST_ENTRIES:,} files and folders: not read further"
                        )
                        return
                    if not self._counts(entry, folder.path, at_top=not folder.relative):
                        continue
                    item = self._item(folder, entry)
                    if item is None:
                        continue
                    file = self._file(item, entry)
                    if file is not None:
                        yield item.relative, file
                    elif _is_folder(entry) and self._may_enter(item, entry):
                        pending.append(item)

    @contextlib.contextmanager
    def _entries(self, folder: "_Item") -> Iterator[list[os.DirEntry[str]]]:
        """Yield the entries of a folder, sorted by name; they are valid until the block ends."""
        try:
            home, relative = self._anchored(folder.real)
            descriptor = untrusted.open_folder_within(home, relative)
        except OSError as error:
            self.findings.fault(folder.path, f"cannot be read: {error.strerror or error}")
            yield []
            return
        try:
            with os.scandir(descriptor) as entries:
                by_name = sorted(entries, key=lambda entry: entry.name)
            yield by_name
        finally:
            os.close(descriptor)

    def _anchored(self, real: Path) -> tuple[Path, str]:
        """Return the trusted folder around a path, and the path relative to it."""
        top = self.top if real.is_relative_to(self.top) else self.around
        return top, "" if real == top else real.relative_to(top).as_posix()

    def _counts(self, entry: os.DirEntry[str], folder: Path, *, at_top: bool) -> bool:
        if (entry.name == TIME_LIMIT_FILE and at_top) or f"{folder.name}/{entry.name}" in _POLYGON_STATEMENTS:
            return True
        if is_litter(entry.name):
            return False
        if not self.names.fullmatch(entry.name):
            rule = "letters, digits, _ . - only"
            if self.names is OLD_NAME:
                rule = "names begin with a letter, digit or _, and are UTF-8 of at most 251 letters"
            what = f"the name {entry.name!r} is not allowed ({rule}), so it counts as absent"
            self.findings.warn(folder, f"{what}: rename it")
            return False
        return True

    def _item(self, folder: "_Item", entry: os.DirEntry[str]) -> "_Item | None":
        try:
            return folder.below(entry)
        except (OSError, RuntimeError):
            relative = folder.relative_of(entry)
            self._note_link(folder.path / entry.name, relative, "the link points to nothing: copy the file in")
            return None

    def _file(self, item: "_Item", entry: os.DirEntry[str]) -> File | None:
        """Return a regular file as a File; None for a folder, or with a finding."""
        path = item.path
        if entry.is_symlink() and not self._may_follow(path, item.relative, item.real):
            return None
        try:
            status = entry.stat()
        except OSError:  # deleted meanwhile
            return None
        if stat.S_ISREG(status.st_mode):
            home, relative = self._anchored(item.real)
            shown = self.findings.shown(path)
            executable = bool(status.st_mode & 0o111)
            return File(origin=path, shown_as=shown, executable=executable, home=home, relative=relative)
        if not stat.S_ISDIR(status.st_mode):
            self.findings.fault(path, "neither a file nor a folder: a package holds nothing else")
        return None

    def _may_follow(self, path: Path, relative: str, target: Path) -> bool:
        """Return whether a link stays in the package, or (with a warning) in the repository around it."""
        if target.is_relative_to(self.home):
            return True
        if self._lies_around(target):
            self.findings.warn(path, "the link leaves the package: read here, but copy the file in")
            return True
        self._note_link(path, relative, "the link leaves the package: copy the file in")
        return False

    def _lies_around(self, target: Path) -> bool:
        """Return whether `target` is in the repository around the package, not hidden and not above the package."""
        within = target.is_relative_to(self.around) and not self.home.is_relative_to(target)
        return within and not _hidden(target, self.around)

    def _note_link(self, path: Path, relative: str, message: str) -> None:
        harmless = relative.split("/", maxsplit=1)[0] not in _JUDGED
        note = self.findings.warn if harmless else self.findings.fault
        note(path, f"{message}; it counts as absent" if harmless else message)

    def _may_enter(self, item: "_Item", entry: os.DirEntry[str]) -> bool:
        path = item.path
        if item.relative.count("/") >= DEEPEST:
            self.findings.fault(path, f"more than {DEEPEST} folders in each other: not read further")
            return False
        if not entry.is_symlink():
            return True
        if item.links > MOST_LINKS:  # folders that link to each other have endless paths
            self.findings.fault(path, f"more than {MOST_LINKS} linked folders in each other: copy the files in")
            return False
        # A linked folder is read like any other, unless it would lead out of the package or back into itself.
        inside = item.real.is_relative_to(self.home) or self._lies_around(item.real)
        return inside and not path.absolute().is_relative_to(item.real)


@dataclass(frozen=True, kw_only=True)
class _Item:
    """An entry of a walk: its path, its path without links, its package-relative path.

    links: how many linked folders lead there, itself counted.
    """

    path: Path
    real: Path
    relative: str = ""
    links: int = 0

    def below(self, entry: os.DirEntry[str]) -> "_Item":
        """Return the item of an entry of this folder. Raises OSError or RuntimeError for a broken link."""
        real, links = self.real / entry.name, self.links
        if entry.is_symlink():
            real, links = real.resolve(strict=True), links + 1
        return _Item(path=self.path / entry.name, real=real, relative=self.relative_of(entry), links=links)

    def relative_of(self, entry: os.DirEntry[str]) -> str:
        """Return the package-relative path of an entry of this folder."""
        return f"{self.relative}/{entry.name}" if self.relative else entry.name


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a cycle of links
        return False


def _hidden(target: Path, top: Path) -> bool:
    return any(part.startswith(".") for part in target.relative_to(top).parts)


INCLUDED_EVERYWHERE = "default"  # the folder of include/ for all languages


def included(include: Mapping[str, Files], code: str) -> Files:
    """Return the files of include/ for a submission: those of `default`, overridden by those of its language."""
    return {**include.get(INCLUDED_EVERYWHERE, {}), **include.get(code, {})}
