"""One grader a store: a lock that the kernel takes back when its holder dies, however it dies."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from harness.errors import MachineError, UsageError

_PID_BYTES = 32


@contextlib.contextmanager
def held(store: Path) -> Iterator[None]:
    """Hold the lock of `store` (a file beside it). Raises UsageError that names the process which holds it."""
    path = store.with_name(store.name + ".lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    except OSError as error:
        raise MachineError(
            f"could not write {path}: {error.strerror}; name another place with --store FILE"
        ) from error
    try:
        _take(descriptor, store)
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int, store: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = os.read(descriptor, _PID_BYTES).decode(errors="replace").strip() or "unknown"
        raise UsageError(
            f"{store}: another grading (process {holder}) writes into this store: wait for it, "
            "or give this one its own with --store FILE"
        ) from error
    with contextlib.suppress(OSError):  # only a courtesy to the next one; a full disk shall not stop us here
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
