"""The two pipes between a submission and an interactor, with the judge's own duplicates of their ends."""

import contextlib
import os
from collections.abc import Iterator

from harness.sandbox.streams import unread_bytes
from harness.sandbox.transcript import Speaker, Tap
from harness.values import dataclass

DRAIN_BYTES = 1 << 16


@dataclass(kw_only=True)
class PipeEnds:
    """The judge's own duplicates of the four pipe ends of a game; None once closed."""

    submission_in: int | None
    interactor_out: int | None
    interactor_in: int | None
    submission_out: int | None
    tap: Tap | None = None

    def release(self, name: str) -> None:
        """Close one end. Idempotent."""
        descriptor = getattr(self, name)
        if descriptor is not None:
            os.close(descriptor)
            setattr(self, name, None)

    def empty(self) -> bool:
        """Return whether both pipes are empty."""
        if self.tap is not None and not self.tap.quiet:
            return False
        return _unread(self.submission_in) == _unread(self.interactor_in) == 0

    def drain(self, name: str) -> bool:
        """Discard what lies in a pipe whose reader has ended, so that its writer goes on; say if there was any."""
        descriptor = getattr(self, name)
        return bool(_unread(descriptor) and os.read(descriptor, DRAIN_BYTES))


@contextlib.contextmanager
def open_pipes(tap: Tap | None) -> Iterator[PipeEnds]:
    """Open the two pipes of a game, recorded by `tap` if there is one; close all four ends at the end."""
    submission_in, interactor_out = tap.pipe(Speaker.INTERACTOR) if tap else os.pipe()
    interactor_in, submission_out = tap.pipe(Speaker.SUBMISSION) if tap else os.pipe()
    ends = PipeEnds(
        submission_in=submission_in,
        interactor_out=interactor_out,
        interactor_in=interactor_in,
        submission_out=submission_out,
        tap=tap,
    )
    try:
        yield ends
    finally:
        for name in ("submission_in", "interactor_out", "interactor_in", "submission_out"):
            ends.release(name)


def _unread(descriptor: int | None) -> int:
    """Return how many bytes lie in a pipe; 0 if its end is closed."""
    return 0 if descriptor is None else unread_bytes(descriptor)


def held(descriptor: int | None) -> int:
    """Return an end that is still open. Raises ValueError if it was closed."""
    if descriptor is None:
        raise ValueError("a pipe end was used after it was closed")
    return descriptor
