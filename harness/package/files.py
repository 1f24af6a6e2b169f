"""A package as a mapping from package-relative path to content, wherever the bytes lie.

Loading, judging and exporting see only this mapping, so what is judged is what is exported.
"""

import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from harness.package.findings import Findings

# 2025-09, "Package structure": any other name is treated as absent.
LEGAL_NAME = re.compile(r"[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}")
# Older packages hold names with blanks, brackets, commas, letters of all kinds, and other tools read them.
OLD_NAME = re.compile(r"\w[^/\\\x00-\x1f\x7f\ud800-\udfff]{0,250}")
# The one hidden file that is read: DOMjudge's time limit.
TIME_LIMIT_FILE = ".timelimit"
DEEPEST = 40
MOST_ENTRIES = 300_000
MOST_LINKS = 3
# What systems and editors leave lying about: absent in silence, like what is hidden.
_LITTER = re.compile(r"__pycache__|__MACOSX|Thumbs\.db|ehthumbs\.db|desktop\.ini|Icon\r|.*~|#.*#", re.IGNORECASE)
# What verdicts come from. A link elsewhere that cannot be followed costs a warning.
_JUDGED = frozenset({
    "problem.yaml", "domjudge-problem.ini", TIME_LIMIT_FILE, "data", "submissions", "output_validator",
    "output_validators", "static_validator", "graders", "include",
})  # fmt: skip


def is_legal(path: str) -> bool:
    """Whether a package-relative path is made of legal names only: not absolute, nothing that leads upwards."""
    return all(LEGAL_NAME.fullmatch(part) for part in path.split("/"))


@dataclass(frozen=True, kw_only=True)
class File:
    """One file of a package. `origin` is where a person mends it; `content` overrides what lies there."""

    origin: Path
    content: bytes | None = None
    executable: bool = False

    def read(self) -> bytes:
        """The bytes that the package holds for this file."""
        return self.origin.read_bytes() if self.content is None else self.content

    def size(self) -> int:
        """How many bytes it holds, without reading them."""
        return self.origin.stat().st_size if self.content is None else len(self.content)


Files = Mapping[str, File]


def below(files: Files, folder: str) -> dict[str, File]:
    """The files under `folder`, keyed by their path relative to it."""
    prefix = folder.rstrip("/") + "/"
    return {path[len(prefix) :]: file for path, file in files.items() if path.startswith(prefix)}


def read_folder(
    root: Path, findings: Findings, *, around: Path | None = None, old_names: bool = False
) -> dict[str, File]:
    """Every legally named file below `root`. A link that leads too far and what is no file become faults.

    Hidden files and folders (a leading dot) are absent by the format's rule, and passed over in silence as litter is;
    other illegal names are absent too, with a warning. around: links that stay in there are read, with a warning; only
    for who made all of it. old_names: more names are legal, as before 2025-09.
    """
    home = root.resolve()
    names = OLD_NAME if old_names else LEGAL_NAME
    walk = _Walk(root=root, home=home, around=around or home, names=names, findings=findings)
    return dict(sorted(walk.files()))


@dataclass(frozen=True, kw_only=True)
class _Walk:
    """Goes through a folder with a stack of its own: a hostile tree may be deep, wide, or linked into itself."""

    root: Path
    home: Path
    around: Path
    names: re.Pattern[str]
    findings: Findings

    def files(self) -> Iterator[tuple[str, File]]:
        pending, seen = [(self.root, "", 0)], 0
        while pending:
            folder, prefix, links = pending.pop()
            for entry in self._entries(folder):
                seen += 1
                if seen > MOST_ENTRIES:
                    self.findings.fault(
                        self.root, f"more than {MOST_ENTRIES:,} files and folders: not read further"
                    )
                    return
                if not self._counts(entry, folder, at_top=not prefix):
                    continue
                path, relative = folder / entry.name, prefix + entry.name
                file = self._file(path, entry, relative)
                if file is not None:
                    yield relative, file
                elif _is_folder(entry) and self._may_enter(path, entry, relative, links):
                    pending.append((path, relative + "/", links + entry.is_symlink()))

    def _entries(self, folder: Path) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self.findings.fault(folder, f"cannot be read: {error.strerror or error}")
            return []

    def _counts(self, entry: os.DirEntry[str], folder: Path, *, at_top: bool) -> bool:
        if entry.name == TIME_LIMIT_FILE and at_top:
            return True
        if entry.name.startswith(".") or _LITTER.fullmatch(entry.name):
            return False
        if not self.names.fullmatch(entry.name):
            what = f"the name {entry.name!a} is not allowed (letters, digits, _ . - only), so it counts as absent"
            self.findings.warn(folder, f"{what}: rename it")
            return False
        return True

    def _file(self, path: Path, entry: os.DirEntry[str], relative: str) -> File | None:
        """The regular file that this is; None with a finding, or for a folder."""
        try:
            if entry.is_symlink() and not self._may_follow(path, relative):
                return None
            status = entry.stat()
        except (OSError, RuntimeError):
            self._note_link(path, relative, "the link points to nothing: copy the file in")
            return None
        if stat.S_ISREG(status.st_mode):
            return File(origin=path, executable=bool(status.st_mode & 0o111))
        if not stat.S_ISDIR(status.st_mode):
            self.findings.fault(path, "neither a file nor a folder: a package holds nothing else")
        return None

    def _may_follow(self, path: Path, relative: str) -> bool:
        """Whether a link stays in the package, or at least (with a warning) in the repository around it."""
        target = path.resolve(strict=True)
        if target.is_relative_to(self.home):
            return True
        if self._lies_around(target):
            self.findings.warn(path, "the link leaves the package: read here, but copy the file in")
            return True
        self._note_link(path, relative, "the link leaves the package: copy the file in")
        return False

    def _lies_around(self, target: Path) -> bool:
        """Whether it is in the repository around the package: no hidden place, and none that holds the package."""
        within = target.is_relative_to(self.around) and not self.home.is_relative_to(target)
        return within and not _hidden(target, self.around)

    def _note_link(self, path: Path, relative: str, message: str) -> None:
        harmless = relative.split("/", maxsplit=1)[0] not in _JUDGED
        note = self.findings.warn if harmless else self.findings.fault
        note(path, f"{message}; it counts as absent" if harmless else message)

    def _may_enter(self, path: Path, entry: os.DirEntry[str], relative: str, links: int) -> bool:
        if relative.count("/") >= DEEPEST:
            self.findings.fault(path, f"more than {DEEPEST} folders in each other: not read further")
            return False
        if not entry.is_symlink():
            return True
        if links >= MOST_LINKS:  # folders that link to each other have more paths than anybody can walk
            self.findings.fault(path, f"more than {MOST_LINKS} linked folders in each other: copy the files in")
            return False
        # A linked folder is read like any other, unless it would lead out of the package or back into itself.
        target = path.resolve()
        inside = target.is_relative_to(self.home) or self._lies_around(target)
        return inside and not path.absolute().is_relative_to(target)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # links in a circle
        return False


def _hidden(target: Path, top: Path) -> bool:
    return any(part.startswith(".") for part in target.relative_to(top).parts)


def included(include: Mapping[str, Files], code: str) -> Files:
    """What of include/ a submission in this language is given: `default`, and over it what is for the language."""
    return {**include.get("default", {}), **include.get(code, {})}
