"""Whether it is worth asking a slow reference about inputs of some size."""

import threading
from collections import Counter
from dataclasses import dataclass, field

_LEAST_BYTES = 256  # below, a run that is too slow tells of a value, not of the size
_AGAIN = 16  # even where there is no hope, one in so many is asked


@dataclass(kw_only=True)
class Patience:
    """What became of earlier questions, by the input's order of magnitude. Shared by the workers."""

    _in_time: Counter[int] = field(default_factory=Counter)
    _too_slow: Counter[int] = field(default_factory=Counter)
    _passed_over: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def is_worth_asking(self, size_bytes: int) -> bool:
        """False where inputs of this size or smaller ones were mostly too much."""
        with self._lock:
            order = size_bytes.bit_length()
            hopeless = any(slow > self._in_time[known] for known, slow in self._too_slow.items() if known <= order)
            if not hopeless:
                return True
            self._passed_over += 1
            return self._passed_over % _AGAIN == 0

    def note(self, size_bytes: int, *, in_time: bool) -> None:
        """How a question ended."""
        with self._lock:
            if in_time:
                self._in_time[size_bytes.bit_length()] += 1
            elif size_bytes >= _LEAST_BYTES:
                self._too_slow[size_bytes.bit_length()] += 1
