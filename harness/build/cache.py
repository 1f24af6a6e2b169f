"""Keep built programs on disk by the digest of all their dependencies, shared by all calls, and bounded.

A program is stored whole or not at all, and its last use is marked. If there are too many, the least recently used
are removed: grading a hundred thousand submissions must not fill the disk.
"""

import contextlib
import os
import re
import tempfile
import time
from pathlib import Path

from harness.errors import MachineError
from harness.files import atomic, untrusted

MOST_PROGRAMS = 2000
_DIGEST = re.compile(r"[0-9a-f]{64}")
# If they are old: of a process that was killed meanwhile; diagnostics, which cost a compilation.
_LEFT = re.compile(r"\.?(new|old)-.*|[0-9a-f]{64}\.failure")
_LEFT_S = 3600.0
_WARNINGS, _FAILURE = ".warnings", ".failure"


class ProgramCache:
    """The folder of the cache: <digest>/ with the program's files, and beside it the compiler's warnings."""

    def __init__(self, folder: Path, *, most: int = MOST_PROGRAMS) -> None:
        self.folder = folder
        self._most = most

    def take(self, digest: str, target: Path) -> str | None:
        """Copy a program into the empty folder `target`; return the compiler's warnings, or None if it is not kept."""
        cached = self.folder / digest
        try:
            os.utime(cached)  # marks its last use
        except OSError:
            return None
        try:
            untrusted.copy_tree(cached, target)
        except MachineError:
            if cached.is_dir():
                raise
        if not cached.is_dir():  # another process removed it meanwhile: the copy may lack files
            untrusted.empty(target)
            return None
        return _text(cached.with_name(f"{digest}{_WARNINGS}"))

    def keep(self, digest: str, folder: Path, warnings: str) -> None:
        """Store a finished build whole: copied beside, then renamed. Raises MachineError if there is no room."""
        cached = self.folder / digest
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            copy = Path(tempfile.mkdtemp(prefix="new-", dir=self.folder))
        except OSError as error:
            message = f"{self.folder}: {error.strerror}; set XDG_CACHE_HOME to a folder with space"
            raise MachineError(message) from error
        try:
            untrusted.copy_tree(folder, copy)
            atomic.write(cached.with_name(f"{digest}{_WARNINGS}"), warnings.encode(errors="replace"))
            copy.rename(cached)
        except (OSError, MachineError):
            untrusted.remove(copy)
            if not cached.is_dir():  # unless another worker was first, which is as good
                raise
        self._bound()

    def failure(self, digest: str) -> str | None:
        """Return the diagnostics of a program that compiles only with changes; None if it is not kept."""
        try:
            return (self.folder / f"{digest}{_FAILURE}").read_text("utf-8", errors="replace")
        except OSError:
            return None

    def keep_failure(self, digest: str, diagnostics: str) -> None:
        """Store the diagnostics of a program whose changed version is stored."""
        with contextlib.suppress(MachineError):
            atomic.write(self.folder / f"{digest}{_FAILURE}", diagnostics.encode(errors="replace"))

    def _bound(self) -> None:
        names = [path for path in self.folder.iterdir() if path.suffix != _WARNINGS]
        programs = sorted((path for path in names if _DIGEST.fullmatch(path.name)), key=_used)
        if len(programs) <= self._most:
            return
        for path in programs[: len(programs) - self._most * 3 // 4]:
            self._drop(path)
        for path in names:
            if _LEFT.fullmatch(path.name) and _used(path) < time.time() - _LEFT_S:
                untrusted.remove(path)
                with contextlib.suppress(OSError):  # a folder that could not be removed
                    path.unlink(missing_ok=True)

    def _drop(self, path: Path) -> None:
        """Rename the program first, in one atomic step, so that no process uses half of it; then remove it."""
        gone = path.with_name(f"old-{path.name}")
        with contextlib.suppress(OSError):  # another process drops it too
            path.rename(gone)
            path.with_name(f"{path.name}{_WARNINGS}").unlink(missing_ok=True)
        untrusted.remove(gone)


def _used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", errors="replace")
    except OSError:
        return ""
