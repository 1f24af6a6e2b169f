"""Unprivileged user numbers for a judge that runs as root: each worker claims one that no other judge has now.

Programs of one worker then cannot signal those of another, and what a worker leaves behind is known by its owner.
"""

import fcntl
import os
import tempfile
from pathlib import Path

from harness.errors import MachineError

# No account has these; systemd's own transient users begin at 61184.
FIRST, LAST = 61040, 61183


class ClaimedUser:
    """A user number that is ours until `release`; a lock file that the kernel frees even if we die says so."""

    def __init__(self) -> None:
        folder = _lock_folder()
        for number in range(FIRST, LAST + 1):
            handle = os.open(folder / str(number), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(handle)
                continue
            self.number, self._handle = number, handle
            return
        raise MachineError(
            f"all user numbers from {FIRST} to {LAST} are taken: is another judge running that large?"
        )

    def release(self) -> None:
        """Give the number back; calling it again does nothing."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def _lock_folder() -> Path:
    parent = Path("/run") if os.access("/run", os.W_OK) else Path(tempfile.gettempdir())
    folder = parent / "harness-users"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder
