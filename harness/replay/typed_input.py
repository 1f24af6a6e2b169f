"""What a person, or a pipe, has typed for the interactor, and when the next of it may go out."""

import os
import time
from dataclasses import field

from harness.sandbox import Running
from harness.sandbox.streams import unread_bytes
from harness.values import dataclass

LOOK_S = 0.01
STILL_S = 0.3  # who neither runs nor sleeps for so long waits, whatever call it waits in
_CHUNK_BYTES = 1 << 16


@dataclass(kw_only=True)
class Typed:
    """What comes from a descriptor, through all passes of a game.

    paced: a line goes out only when the interactor waits for one, so that a pass leaves the next its lines, however
    much lies in the pipe that they come from.
    """

    descriptor: int
    paced: bool
    _kept: bytes = field(default=b"", init=False)
    _over: bool = field(default=False, init=False)

    @property
    def wanting(self) -> bool:
        """Whether there may be more to read, and nothing lies here."""
        return not self._kept and not self._over

    @property
    def over(self) -> bool:
        """Whether all of it has gone out."""
        return not self._kept and self._over

    @property
    def waiting(self) -> bool:
        """Whether something lies here."""
        return bool(self._kept)

    def read(self) -> None:
        """Take what there is; the descriptor is ready."""
        data = os.read(self.descriptor, _CHUNK_BYTES)
        self._kept += data
        self._over = not data

    def next(self) -> bytes:
        """What goes out now: a line if paced, else all of it."""
        if not self.paced:
            data, self._kept = self._kept, b""
            return data
        line, end, self._kept = self._kept.partition(b"\n")
        return line + end


@dataclass(kw_only=True)
class Pace:
    """Tells when the interactor waits for a line. `hears`: our end of its pipe."""

    run: Running
    hears: int
    _still_since_s: float | None = field(default=None, init=False)

    def waits(self) -> bool:
        """Whether it has read all that was sent, and waits for more. The pipe is looked at first: only we fill it."""
        if unread_bytes(self.hears):
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
