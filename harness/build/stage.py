"""The stage: a temporary folder for all files of a session, removed at its end.

Of other users, only the programs of sandboxes can enter it; so modes below it need not protect files.
"""

import contextlib
import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path

from harness.errors import MachineError
from harness.files import untrusted
from harness.files.temporary import temporary_folder
from harness.package.files import File
from harness.sandbox.user_ids import open_to_programs


class Stage:
    """A temporary folder with fresh sub-folders on request.

    <stage>/build/3/   a compilation under way, writable by its sandbox
    <stage>/run/4/     a built program, read-only
    <stage>/work/5/    a worker's streams and a validator's feedback
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._numbers = itertools.count()
        self._kinds: dict[str, Path] = {}

    def folder(self, kind: str) -> Path:
        """Make an empty folder."""
        folder = self.of(kind) / str(next(self._numbers))
        try:
            folder.mkdir(mode=0o755)
        except OSError as error:
            raise MachineError(f"{folder}: {error.strerror}; set TMPDIR to a folder with space") from error
        return folder

    def of(self, kind: str) -> Path:
        """Return the folder that holds all folders of a kind."""
        if kind in self._kinds:
            return self._kinds[kind]
        folder = self.root / kind
        try:
            folder.mkdir(mode=0o755, exist_ok=True)
        except OSError as error:
            raise MachineError(f"{folder}: {error.strerror}; set TMPDIR to a folder with space") from error
        return self._kinds.setdefault(kind, folder)


@contextlib.contextmanager
def staging() -> Iterator[Stage]:
    """Make a stage; remove it at the end, also after an error."""
    with temporary_folder() as root, open_to_programs(root):
        yield Stage(root)


def write_files(folder: Path, files: Mapping[str, File]) -> None:
    """Write a program's files below `folder`, replacing files there. Raises MachineError if the disk is full."""
    for name, file in files.items():
        path = folder / name
        content = file.read()
        try:
            _make_way(folder, path)
            path.write_bytes(content)
            path.chmod(0o755 if file.executable else 0o644)
        except OSError as error:
            message = f"{path}: {error.strerror}; set TMPDIR to a folder with space"
            raise MachineError(message) from error


def _make_way(folder: Path, path: Path) -> None:
    """Make the folders above `path` and remove any file or link at it that a program has put there."""
    for above in reversed(path.parents):
        if not above.is_relative_to(folder) or above == folder:
            continue
        if above.is_symlink() or not above.is_dir():
            above.unlink(missing_ok=True)
            above.mkdir()
    if path.is_dir() and not path.is_symlink():
        untrusted.remove(path)
    else:
        path.unlink(missing_ok=True)
