"""Interrupt a computation of our own at its deadline: drawing, guessing, or changing a huge input."""

import gc
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from harness.host.run_many import OutOfTimeError
from harness.search.policy import HUNT


@contextmanager
def ended_by(deadline_s: float, *, anywhere: bool = False) -> Iterator[None]:
    """Raise OutOfTimeError inside the block once the deadline has passed.

    Code that starts or ends a program is not interrupted, since its sandbox would stay busy; programs have deadlines
    of their own. anywhere: interrupt even that, because no sandbox is used afterwards. Of nested deadlines the
    earliest counts, with the `anywhere` of the innermost block. Only the main thread can be interrupted; in other
    threads the block must check the clock itself. deadline_s: by time.monotonic().
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    is_over = False

    def interrupt(_number: int, frame: FrameType | None) -> None:
        if is_over:
            return
        if _must_go_on(frame) or (not anywhere and _runs_programs(frame)):
            signal.setitimer(signal.ITIMER_REAL, HUNT.timer_soon_s, HUNT.timer_again_s)
            return
        raise OutOfTimeError

    outer_s, outer_again_s = signal.getitimer(signal.ITIMER_REAL)
    began_s = time.monotonic()
    before = signal.signal(signal.SIGALRM, interrupt)
    own_s = max(deadline_s - began_s, HUNT.least_timer_s)
    try:
        # Repeated: an exception inside a destructor is lost.
        signal.setitimer(signal.ITIMER_REAL, min(own_s, outer_s or own_s), HUNT.timer_again_s)
        yield
    finally:
        is_over = True
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if outer_s:
            left_s = outer_s - (time.monotonic() - began_s)
            signal.setitimer(signal.ITIMER_REAL, max(left_s, HUNT.least_timer_s), outer_again_s)


_RUNNING = frozenset(
    f"harness.{room}" for room in ("build", "check", "files", "host", "judge", "sandbox", "store")
)


def _runs_programs(frame: FrameType | None) -> bool:
    """Return whether the code of ours that is running belongs to a room that runs programs or keeps files."""
    while frame is not None:
        room = ".".join(str(frame.f_globals.get("__name__", "")).split(".")[:2])
        if room.startswith("harness."):
            return room in _RUNNING
        frame = frame.f_back
    return False


def _must_go_on(frame: FrameType | None) -> bool:
    """Return whether an exception here would be lost, or become another one.

    In a callback of the garbage collector it is lost, or a SystemError; a signal that came during a long call in C,
    such as `ast.parse`, is mostly handled there. In the start of a thread that runs already it becomes a KeyError.
    """
    codes = {threading.Thread.start.__code__, *(getattr(callback, "__code__", None) for callback in gc.callbacks)}
    while frame is not None:
        if frame.f_code in codes:
            return True
        frame = frame.f_back
    return False
