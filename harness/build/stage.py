"""Where programs lie while they run: one temporary folder a session, readable by the unprivileged user, gone after."""

import contextlib
import itertools
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from harness.errors import MachineError
from harness.package.files import File


class Stage:
    """A temporary folder with fresh sub-folders on request.

    <stage>/build3/   a compilation under way, writable by its sandbox
    <stage>/run4/     a built program, read-only
    <stage>/work5/    a worker's streams and a validator's feedback
    """

    def __init__(self) -> None:
        try:
            self.root = Path(tempfile.mkdtemp(prefix="harness-"))
        except OSError as error:
            raise MachineError(
                f"no room for temporary files: {error}; set TMPDIR to a folder with space"
            ) from error
        self.root.chmod(0o755)
        self._numbers = itertools.count()

    def folder(self, kind: str) -> Path:
        """A fresh empty folder."""
        folder = self.root / f"{kind}{next(self._numbers)}"
        folder.mkdir(mode=0o755)
        return folder

    def remove(self) -> None:
        """Delete everything."""
        shutil.rmtree(self.root, ignore_errors=True)


@contextlib.contextmanager
def staging() -> Iterator[Stage]:
    """A stage that is removed at the end, whatever happens."""
    stage = Stage()
    try:
        yield stage
    finally:
        stage.remove()


def write_files(folder: Path, files: Mapping[str, File]) -> None:
    """Write a program's files below `folder`."""
    for name, file in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.read())
        path.chmod(0o755 if file.executable else 0o644)
