"""Write files atomically: into a temporary file in the same folder, which is then renamed."""

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from harness.errors import MachineError
from harness.files.temporary import temporary_folder

_KERNEL_S = (("/", "dev"), ("/", "proc"))


@contextlib.contextmanager
def replacing(path: Path, *, mode: int | None = 0o644) -> Iterator[Path]:
    """Yield a new file beside `path` to fill; if the block succeeds, rename it to `path` atomically.

    mode: of the file; None: that of the file that it replaces, for a new one as the umask says.

    Raises MachineError if there is no room or no permission; then `path` is unchanged.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".new-", dir=path.parent)
        os.close(handle)
        beside = Path(name)
        try:
            if mode is None:
                beside.unlink()
                beside.touch(exist_ok=False)  # mkstemp asks no umask
                mode = (path if path.exists() else beside).stat().st_mode & 0o777
            yield beside
            beside.chmod(mode)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise MachineError(f"could not write {path}: {error.strerror or error}") from error


def write(path: Path, content: bytes) -> None:
    """Write `content` to `path` atomically; see `replacing`."""
    with replacing(path) as beside:
        beside.write_bytes(content)


def is_stream(path: Path) -> bool:
    """Return whether a path is a device, a pipe or an open file (/dev/null, /dev/stdout, a shell's `>(…)`)."""
    try:
        is_file = stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False
    return not is_file or (path.is_symlink() and path.parent.resolve().parts[:2] in _KERNEL_S)


@contextlib.contextmanager
def delivering(path: Path) -> Iterator[Path]:
    """Like `replacing`, for a path from a user: write into streams, because root could replace /dev/null."""
    if not is_stream(path):
        with replacing(path, mode=None) as beside:
            yield beside
        return
    try:
        with temporary_folder("deliver") as folder:
            made = folder / "made"
            made.touch()
            yield made
            with made.open("rb") as content, path.open("ab") as stream:
                shutil.copyfileobj(content, stream)
    except OSError as error:
        raise MachineError(f"could not write {path}: {error.strerror or error}") from error


def deliver(path: Path, content: bytes) -> None:
    """Write `content` to a path from a user; see `delivering`."""
    with delivering(path) as beside:
        beside.write_bytes(content)


def copy(source: Path, path: Path) -> None:
    """Copy the regular file `source` to `path` atomically; see `replacing`."""
    with replacing(path) as beside:
        shutil.copyfile(source, beside, follow_symlinks=False)
