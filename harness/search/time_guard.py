"""Interrupt a computation of our own at its deadline: drawing, guessing, or changing a huge input."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from harness.host.run_many import OutOfTimeError
from harness.search.policy import HUNT


@contextmanager
def ended_by(deadline_s: float) -> Iterator[None]:
    """Raise OutOfTimeError inside the block once the deadline has passed.

    Of nested deadlines the earliest counts. Only the main thread can be interrupted; in other threads the block must
    check the clock itself. deadline_s: by time.monotonic().
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise OutOfTimeError

    outer_s, outer_again_s = signal.getitimer(signal.ITIMER_REAL)
    began_s = time.monotonic()
    before = signal.signal(signal.SIGALRM, interrupt)
    own_s = max(deadline_s - began_s, HUNT.least_timer_s)
    try:
        # Repeated: an exception inside a callback of the interpreter is lost.
        signal.setitimer(signal.ITIMER_REAL, min(own_s, outer_s or own_s), HUNT.timer_again_s)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if outer_s:
            left_s = outer_s - (time.monotonic() - began_s)
            signal.setitimer(signal.ITIMER_REAL, max(left_s, HUNT.least_timer_s), outer_again_s)
