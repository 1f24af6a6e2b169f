"""What an interactor is told beside the input: of the cases' answers one after the other, each time the input comes."""

import hashlib
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(kw_only=True)
class Answers:
    """The answers of a package's cases, each once, and how often each input has come already."""

    known: Sequence[bytes] = (b"",)
    _times: Counter[bytes] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def is_new(self, data: bytes, answer: bytes | None, *, played: bool) -> bool:
        """Whether the input, with that answer if one is given, is to be tried: once, in games once for each answer."""
        with self._lock:
            times = self._times[_digest(data, answer or b"")]
            self._times[_digest(data, answer or b"")] += 1
        return times < (len(self.known) if played and answer is None else 1)

    def forget(self) -> None:
        """Count every input as new again."""
        with self._lock:
            self._times.clear()

    def in_turn(self, data: bytes, first: bytes | None = None) -> list[bytes]:
        """All answers in an order that depends on the input and on how often it came; `first` before all others.

        Where one does not go with the input, those that begin with the same word hardly will: the first of each word
        come before the second.
        """
        start = max(0, self._times[_digest(data, b"")] - 1) % len(self.known)
        mixed = sorted(self.known, key=lambda one: _digest(data, one))
        given = [] if first is None else [first]
        seen: Counter[bytes] = Counter()
        ranks = []
        for one in [*given, *(each for each in mixed[start:] + mixed[:start] if each != first)]:
            word = b"".join(one.split()[:1])
            ranks.append((seen[word], one))
            seen[word] += 1
        return [one for _, one in sorted(ranks, key=lambda ranked: ranked[0])]


def _digest(data: bytes, answer: bytes) -> bytes:
    return hashlib.blake2b(b"%d " % len(data) + data + answer, digest_size=16).digest()
