"""Open output files, rewrite small files; count the unread bytes of a pipe."""

import array
import fcntl
import os
import termios
from pathlib import Path

from harness.errors import MachineError


def open_emptied(path: Path) -> int:
    """Create or empty a file; return a descriptor for writing, which the caller closes. Raises OSError.

    The file is truncated through a descriptor of its own, closed before there is data: ext4 flushes a file's data when
    the descriptor that truncated it is closed, and the next truncation waits for the disk. Measured: 0.03 ms instead of
    0.3 to 2 ms.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
    if os.fstat(descriptor).st_size:
        os.close(os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC))
    return descriptor


def rewrite(path: Path, content: bytes) -> None:
    """Give a file this content, in place: making and removing a file costs ten times as much. Follows no link.

    It is cut to its length when it is written, as `open_emptied` says why. Raises MachineError if there is no room.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    try:
        left = memoryview(content)
        while left:
            left = left[os.write(descriptor, left) :]
        os.ftruncate(descriptor, len(content))
    except OSError as error:
        raise MachineError(f"{path}: {error.strerror}; set TMPDIR to a folder with space") from error
    finally:
        os.close(descriptor)


def unread_bytes(pipe: int) -> int:
    """Return the number of unread bytes in a pipe."""
    size = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, size)
    return size[0]
