"""Run the reference on inputs, with time limits from earlier runs: most of the time must not go to slow ones.

Only a share of the time is spent on slow runs of the reference. An input as large as those on which it was mostly too
slow is skipped, unless the time left for slow runs is twice the longest such run.
"""

import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from itertools import takewhile

from harness.errors import UsageError
from harness.host.batches import Call, Ran
from harness.host.run_many import Programs, Runnable, ending
from harness.sandbox.facts import Limits, Sandbox
from harness.search.policy import REFERENCE, RUNNING
from harness.values import dataclass


@dataclass(kw_only=True)
class ShortLimit:
    """The first time limit on a small input, which is short: on an invalid input both programs often loop.

    short_s: the limit, at least. least_s: CPU of the submission's shortest run that ended. lost_s: time lost on runs
    of the reference that exceeded its second limit, too.
    """

    short_s: float = RUNNING.short_s
    began_s: float = field(default_factory=time.monotonic)
    least_s: float = math.inf
    lost_s: float = 0.0

    def note(self, cpu_s: float) -> None:
        """Record a run of the submission that ended."""
        self.least_s = min(self.least_s, cpu_s)

    def cpu_s(self, reference_s: float) -> float:
        """Return the limit in CPU seconds. reference_s: CPU of the reference's shortest run."""
        least_s = max(self.least_s, reference_s) if self.least_s < math.inf else reference_s
        return max(self.short_s, RUNNING.short_factor * least_s)

    @property
    def may_be_longer(self) -> bool:
        """Return whether the reference may run again with its second limit: not too much time was lost on that."""
        return RUNNING.longer_short_share * self.lost_s <= time.monotonic() - self.began_s


@dataclass(kw_only=True)
class ReferenceLimit:
    """The time limit of the reference, from its earlier runs on inputs of similar size. Thread-safe.

    full_s: the limit, at most. least_s: CPU of the shortest run that ended; 0: none ended. Sizes are in bytes; the
    private counters are by the bit length of the size.
    """

    full_s: float
    least_s: float = 0.0
    now: Callable[[], float] = time.monotonic
    _in_time: Counter[int] = field(default_factory=Counter)
    _too_slow: Counter[int] = field(default_factory=Counter)
    _longest_s: dict[int, float] = field(default_factory=dict)
    _longest_late_s: dict[int, float] = field(default_factory=dict)
    _began_s: float | None = None
    _spent_s: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def next_batch(self, sizes: Sequence[int]) -> tuple[int, float]:
        """Return how many of the first inputs to run as one batch, and the limit of each in seconds; 0: skip it."""
        with self._lock:
            if self._began_s is None:
                self._began_s = self.now()
            joining = enumerate(sizes[: REFERENCE.together])
            count = sum(1 for _ in takewhile(lambda item: self._may_join(item[1], before=item[0]), joining))
            return (
                (count, min(self.full_s, REFERENCE.together_s)) if count > 1 else (1, self._seconds_for(sizes[0]))
            )

    def note(self, size_bytes: int, *, in_time: bool, cpu_s: float, wall_s: float) -> None:
        """Record a run."""
        order = size_bytes.bit_length()
        counter, longest_s = (
            (self._in_time, self._longest_s) if in_time else (self._too_slow, self._longest_late_s)
        )
        with self._lock:
            counter[order] += 1
            longest_s[order] = max(longest_s.get(order, 0.0), cpu_s)
            if in_time:
                self.least_s = min(self.least_s or cpu_s, cpu_s)
            if not in_time or cpu_s > REFERENCE.quick_s:
                self._spent_s += wall_s

    def _may_join(self, size: int, *, before: int) -> bool:
        """Return whether an input may join a batch of `before` others: as many of its size ran, all quick."""
        order = size.bit_length()
        return size < REFERENCE.alone_bytes and before <= self._in_time[order] and self._is_quick(order)

    def _is_quick(self, order: int) -> bool:
        return not self._too_slow[order] and self._longest_s.get(order, 0.0) <= REFERENCE.quick_s

    def _seconds_for(self, size: int) -> float:
        order = size.bit_length()
        left_s = (self.now() - (self._began_s or 0.0)) / REFERENCE.share - self._spent_s
        late_s = self._longest_late_s_up_to(order)
        if late_s and left_s < min(self.full_s, 2 * late_s):
            return 0.0
        least_s = REFERENCE.first_s if self._is_quick(order) else REFERENCE.moment_s
        shortest_s = min(REFERENCE.least_factor * self.least_s, REFERENCE.most_least_s)
        return min(self.full_s, max(least_s, shortest_s, left_s))

    def _longest_late_s_up_to(self, order: int) -> float:
        """Return the CPU of the longest run that was too slow, at a size up to this where most were; 0: none."""
        least = REFERENCE.least_bytes.bit_length()
        failed = (
            size for size, slow in self._too_slow.items() if least <= size <= order and slow > self._in_time[size]
        )
        return max((self._longest_late_s[size] for size in failed), default=0.0)


@dataclass(frozen=True, kw_only=True)
class ReferenceReply:
    """The reply of the reference. output None: no reply; `fault` gives the reason, `ending` how its run ended."""

    output: bytes | None
    fault: str = ""
    ending: str = ""


NOT_ASKED = ReferenceReply(output=None)
BEYOND = ReferenceReply(output=None, fault="the reference fails on it, or is too slow")
SKIPPED_AS_SLOW = ReferenceReply(output=None, fault="the reference is too slow for inputs of that size")


@dataclass(kw_only=True)
class Reference:
    """Runs the program whose answers count as right; program None: there is none. Shared by the workers.

    is_own: it is one of the package's submissions, which must keep the package's limits. limits: of a run.
    """

    programs: Programs
    program: Runnable | None
    limits: Limits
    is_own: bool

    def __post_init__(self) -> None:
        self.time_limit = ReferenceLimit(full_s=self.limits.cpu_s)

    def replies(self, sandbox: Sandbox, calls: Sequence[Call], *, full_time: bool = False) -> list[ReferenceReply]:
        """Return the reply to each call; b"" without a program. full_time: each run gets its full time."""
        if self.program is None:
            return [ReferenceReply(output=b"")] * len(calls)
        if full_time:
            return self._replies(sandbox, calls, self.time_limit.full_s)
        replies: list[ReferenceReply] = []
        while len(replies) < len(calls):
            left = calls[len(replies) :]
            count, limit_s = self.time_limit.next_batch([len(call.stdin) for call in left])
            replies += self._replies(sandbox, left[:count], limit_s) if limit_s else [SKIPPED_AS_SLOW] * count
        return replies

    def runs(self, sandbox: Sandbox, calls: Sequence[Call], limit_s: float) -> list[Ran]:
        """Run the reference on each input with `limit_s` CPU seconds. Raises UsageError without a program."""
        if self.program is None:
            raise UsageError("there is no reference to ask")
        began_s = time.monotonic()
        runs = self.programs.run(sandbox, self.program, calls, replace(self.limits, cpu_s=limit_s))
        took_s = time.monotonic() - began_s
        for ran, call in zip(runs, calls, strict=True):
            wall_s = min(took_s, ran.result.wall_s or took_s)
            self.time_limit.note(len(call.stdin), in_time=not ran.is_late, cpu_s=ran.result.cpu_s, wall_s=wall_s)
        return runs

    def reply_of(self, ran: Ran) -> ReferenceReply:
        """Return the reply that a run of the reference gives; without an output if it failed."""
        if ran.succeeded:
            return ReferenceReply(output=ran.output)
        path = self.program.executable.program.path if self.program is not None else ""
        how = ending(ran)
        return ReferenceReply(output=None, fault=f"the reference {path} fails: {how}", ending=how)

    def _replies(self, sandbox: Sandbox, calls: Sequence[Call], limit_s: float) -> list[ReferenceReply]:
        return [self.reply_of(ran) for ran in self.runs(sandbox, calls, limit_s)]
