"""Temporary folders that are removed even if their owner is killed: the next owner sweeps them.

An owner holds a lock (flock) on its folder while it lives; the kernel releases it when the process dies,
even if killed. An unlocked folder of the harness has no owner.
"""

import contextlib
import fcntl
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from harness.errors import MachineError
from harness.files import untrusted

_PREFIX = "harness-"
_PURPOSES = ("stage", "probe", "deliver", "pdf", "upload")
_NAMES = tuple(f"{_PREFIX}{purpose}-" for purpose in _PURPOSES)
_YOUNG_S = 60.0  # a folder is locked a moment after its creation: do not sweep younger folders


@contextlib.contextmanager
def temporary_folder(purpose: str = "stage") -> Iterator[Path]:
    """Yield a private folder that is removed at the end. Raises MachineError if there is no room for it.

    purpose: a part of its name, from the names that are swept.
    """
    parent = Path(tempfile.gettempdir())
    _sweep(parent)
    try:
        folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{purpose}-", dir=parent))
    except OSError as error:
        raise MachineError(f"no room for temporary files: {error}; set TMPDIR to a folder with space") from error
    held = _held(folder, fcntl.LOCK_EX)
    try:
        yield folder
    finally:
        untrusted.remove(folder)
        if held is not None:
            os.close(held)


def _sweep(parent: Path) -> None:
    """Remove folders of killed owners: this user's, at least a minute old, and unlocked."""
    try:
        ours = [path for path in parent.iterdir() if path.name.startswith(_NAMES)]
    except OSError:
        return
    for folder in filter(_is_old, ours):
        held = _held(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if held is not None:
            untrusted.remove(folder)
            os.close(held)


def _is_old(folder: Path) -> bool:
    try:
        status = folder.lstat()
    except OSError:
        return False
    return status.st_uid == os.geteuid() and status.st_mtime < time.time() - _YOUNG_S


def _held(folder: Path, how: int) -> int | None:
    """Open and lock a folder; return None if another process holds it or it cannot be locked."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, how)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
