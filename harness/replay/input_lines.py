"""The lines of a person or a pipe, and when the next one may be sent to the interactor."""

import os
import time
from dataclasses import field

from harness.sandbox import Running
from harness.sandbox.streams import unread_bytes
from harness.values import dataclass

POLL_S = 0.01
STILL_S = 0.3  # a process that neither runs nor sleeps for so long waits for input, whatever system call it is in
_CHUNK_BYTES = 1 << 16


@dataclass(kw_only=True)
class InputLines:
    """Buffers what a descriptor delivers, through all passes of a game.

    paced: send a line only when the interactor waits for one, so that each pass leaves the next one its lines.
    """

    descriptor: int
    paced: bool
    _buffer: bytes = field(default=b"", init=False)
    _ended: bool = field(default=False, init=False)

    @property
    def is_empty(self) -> bool:
        """Whether the buffer is empty and more may come."""
        return not self._buffer and not self._ended

    @property
    def is_finished(self) -> bool:
        """Whether everything has been taken."""
        return not self._buffer and self._ended

    @property
    def has_data(self) -> bool:
        """Whether something can be taken."""
        return bool(self._buffer)

    def read(self) -> None:
        """Read from the descriptor, which must be ready."""
        data = os.read(self.descriptor, _CHUNK_BYTES)
        self._buffer += data
        self._ended = not data

    def take(self) -> bytes:
        """Remove and return what is sent next: one line if paced, else all of the buffer."""
        if not self.paced:
            data, self._buffer = self._buffer, b""
            return data
        line, end, self._buffer = self._buffer.partition(b"\n")
        return line + end


@dataclass(kw_only=True)
class InteractorWatch:
    """Tells when the interactor waits for a line. pipe: our end of its standard input."""

    run: Running
    pipe: int
    _still_since_s: float | None = field(default=None, init=False)

    def is_waiting(self) -> bool:
        """Whether it has read all that was sent and waits for more. Checks the pipe first: only we fill it."""
        if unread_bytes(self.pipe):
            return False
        activity = self.run.activity()
        if activity is None or activity.running or activity.asleep:
            self._still_since_s = None
            return False
        if activity.reading:
            return True
        now_s = time.monotonic()
        if self._still_since_s is None:
            self._still_since_s = now_s
        return now_s - self._still_since_s > STILL_S
