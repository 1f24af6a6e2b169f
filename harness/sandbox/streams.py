"""Streams of programs: files that take what one prints, and pipes that are looked into."""

import array
import fcntl
import os
import termios
from pathlib import Path


def open_emptied(path: Path) -> int:
    """A descriptor for writing to `path`, created or emptied; the caller closes it. Raises OSError.

    ext4 forces a file's data to the disk when the descriptor is closed that had cut it to nothing (its guard for
    programs that replace a file by rewriting it), and the next one who cuts it waits for the disk. So one descriptor
    cuts and is closed before there is data; another one is written to. Measured: 0.03 ms instead of 0.3 to 2 ms.
    """
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644))
    return os.open(path, os.O_WRONLY | os.O_CLOEXEC)


def unread_bytes(pipe: int) -> int:
    """Return how many bytes lie unread in a pipe."""
    size = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, size)
    return size[0]
