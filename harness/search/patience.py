"""Limit the time that a search spends on slow runs, by earlier runs on similar inputs.

With a slow reference a search would only wait. So only a share of the time is spent on runs that are not quick. Large
inputs of a size at which the reference was mostly too slow are skipped until twice the longest such run is left.
"""

import math
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import field
from itertools import takewhile

from harness.search.policy import HUNT, REFERENCE, RUNNING
from harness.values import dataclass

_NUMBER = re.compile(rb"\d+")


@dataclass(kw_only=True)
class ShortLimit:
    """The short first time limit on a small input: if it is invalid, both programs often loop.

    short_s: the least limit, in seconds. least_s: CPU of the submission's shortest run that ended. in_vain_s: seconds
    lost on longer first runs.
    """

    short_s: float = RUNNING.short_s
    began_s: float = field(default_factory=time.monotonic)
    least_s: float = math.inf
    in_vain_s: float = 0.0

    def note(self, cpu_s: float) -> None:
        """Record a run of the submission that ended."""
        self.least_s = min(self.least_s, cpu_s)

    def cpu_s(self, reference_s: float) -> float:
        """Return the CPU limit in seconds. reference_s: of the reference's shortest run."""
        least_s = max(self.least_s, reference_s) if self.least_s < math.inf else reference_s
        return max(self.short_s, RUNNING.short_factor * least_s)

    @property
    def may_be_longer(self) -> bool:
        """Return whether time is left of the share for longer first runs."""
        return RUNNING.longer_short_share * self.in_vain_s <= time.monotonic() - self.began_s


@dataclass(kw_only=True)
class HopelessNumbers:
    """Counts small inputs on which the reference fails or is too slow, by the digits of their largest number.

    Where programs count up to a number, or make tables of its size, no large one is of use. lost_s: seconds on these.
    """

    began_s: float = field(default_factory=time.monotonic)
    lost_s: float = 0.0
    _failed: Counter[int] = field(default_factory=Counter)
    _ended: Counter[int] = field(default_factory=Counter)

    def note(self, data: bytes, *, lost_s: float) -> None:
        """Record an input on which the reference ended (lost_s 0), or failed after `lost_s` seconds."""
        if len(data) <= HUNT.middling_bytes:
            self.lost_s += lost_s
            (self._failed if lost_s else self._ended)[_digits(data)] += 1

    def has(self, data: bytes) -> bool:
        """Return whether the reference hardly ever ends with numbers as large, and enough time was lost on that.

        Not if it fails with shorter numbers, too: then these are not the cause.
        """
        is_large = len(data) > HUNT.middling_bytes
        if is_large or REFERENCE.hopeless_share * self.lost_s <= time.monotonic() - self.began_s:
            return False
        most = _digits(data)
        digits = [each for each in tuple(self._failed) if REFERENCE.hopeless_digits <= each <= most]
        return any(map(self._are_hopeless, digits))

    def _are_hopeless(self, digits: int) -> bool:
        """Return whether the reference hardly ever ended with numbers of so many digits, but did with shorter ones."""
        failed, ended = dict(self._failed), dict(self._ended)  # other workers add to them
        shorter = sum(count for each, count in ended.items() if each < digits)
        shorter -= sum(count for each, count in failed.items() if each < REFERENCE.hopeless_digits)
        failures = failed.get(digits, 0)
        return shorter > 0 and failures >= REFERENCE.hopeless * max(1, ended.get(digits, 0))


def _digits(data: bytes) -> int:
    """Return the digits of the longest number."""
    return max(map(len, _NUMBER.findall(data)), default=0)


@dataclass(kw_only=True)
class ReferencePatience:
    """Decides how long to wait for the reference, by its earlier runs on inputs of similar size. Thread-safe.

    full_s: longest wait. least_s: CPU of the shortest run that ended; 0: none ended. Sizes are in bytes; the private
    counters are by the binary order of magnitude of the size.
    """

    full_s: float
    least_s: float = 0.0
    now: Callable[[], float] = time.monotonic
    _in_time: Counter[int] = field(default_factory=Counter)
    _too_slow: Counter[int] = field(default_factory=Counter)
    _longest_s: dict[int, float] = field(default_factory=dict)
    _in_vain_s: dict[int, float] = field(default_factory=dict)
    _began_s: float | None = None
    _spent_s: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def first_of(self, sizes: Sequence[int]) -> tuple[int, float]:
        """Return how many of the next inputs to run in a batch, and the time limit for each in seconds; 0: skip it."""
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
        counter, longest_s = (self._in_time, self._longest_s) if in_time else (self._too_slow, self._in_vain_s)
        with self._lock:
            counter[order] += 1
            longest_s[order] = max(longest_s.get(order, 0.0), cpu_s)
            if in_time:
                self.least_s = min(self.least_s or cpu_s, cpu_s)
            if not in_time or cpu_s > REFERENCE.quick_s:
                self._spent_s += wall_s

    def _may_join(self, size: int, *, before: int) -> bool:
        """Return whether an input may join a batch of `before` others: if as many of its size were quick so far."""
        order = size.bit_length()
        return size < REFERENCE.alone_bytes and before <= self._in_time[order] and self._is_quick(order)

    def _is_quick(self, order: int) -> bool:
        return not self._too_slow[order] and self._longest_s.get(order, 0.0) <= REFERENCE.quick_s

    def _seconds_for(self, size: int) -> float:
        order = size.bit_length()
        left_s = (self.now() - (self._began_s or 0.0)) / REFERENCE.share - self._spent_s
        in_vain_s = self._hopeless_s(order)
        if in_vain_s and left_s < min(self.full_s, 2 * in_vain_s):
            return 0.0
        least_s = REFERENCE.first_s if self._is_quick(order) else REFERENCE.moment_s
        shortest_s = min(REFERENCE.least_factor * self.least_s, REFERENCE.most_least_s)
        return min(self.full_s, max(least_s, shortest_s, left_s))

    def _hopeless_s(self, order: int) -> float:
        """Return the CPU seconds lost on an input up to this size, if the reference was mostly too slow; else 0."""
        least = REFERENCE.least_bytes.bit_length()
        failed = (
            size for size, slow in self._too_slow.items() if least <= size <= order and slow > self._in_time[size]
        )
        return max((self._in_vain_s[size] for size in failed), default=0.0)
