"""Count the tries of each input."""

import hashlib
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import field

from harness.values import dataclass


@dataclass(kw_only=True)
class TriedInputs:
    """How often each input was tried. distinct: the different answers of all cases. Shared by the workers."""

    distinct: Sequence[bytes] = (b"",)
    _times: Counter[bytes] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count_try(self, data: bytes, answer: bytes | None, *, played: bool) -> bool:
        """Count a try of the input (with `answer`, if given); return False if it was tried enough.

        An input is tried once, in games without a given answer once for each distinct answer.
        """
        with self._lock:
            times = self._times[_digest(data, answer or b"")]
            self._times[_digest(data, answer or b"")] += 1
        return times < (len(self.distinct) if played and answer is None else 1)

    @property
    def count(self) -> int:
        """Return how many different inputs were tried."""
        return len(self._times)

    def was_tried(self, data: bytes) -> bool:
        """Return whether the input was tried before, with any answer of the package's cases."""
        with self._lock:
            return self._times[_digest(data, b"")] > 0

    def forget(self) -> None:
        """Treat every input as new again."""
        with self._lock:
            self._times.clear()

    def in_turn(self, data: bytes, first: bytes | None = None) -> list[bytes]:
        """Return all answers in the order to try them on an input; it depends on how often the input was tried.

        `first` comes first. If an answer does not fit the input, others with the same first word rarely do: so next
        come answers with different first words.
        """
        start = max(0, self._times[_digest(data, b"")] - 1) % len(self.distinct)
        mixed = sorted(self.distinct, key=lambda answer: _digest(data, answer))
        given = [] if first is None else [first]
        seen: Counter[bytes] = Counter()
        ranks = []
        for answer in [*given, *(answer for answer in mixed[start:] + mixed[:start] if answer != first)]:
            word = b"".join(answer.split()[:1])
            ranks.append((seen[word], answer))
            seen[word] += 1
        return [answer for _, answer in sorted(ranks, key=lambda ranked: ranked[0])]


def _digest(data: bytes, answer: bytes) -> bytes:
    return hashlib.blake2b(b"%d " % len(data) + data + answer, digest_size=16).digest()
