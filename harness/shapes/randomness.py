"""Random choices made of nothing but `getrandbits` of the source that is passed in: same seed, same choices."""

import sys
from array import array
from collections.abc import MutableSequence, Sequence
from random import Random
from typing import Any, TypeVar

from harness.values import dataclass

T = TypeVar("T")

_MANY = 1000


@dataclass(frozen=True, kw_only=True)
class Bits:
    """Choices from a random source. (Random's own choices may change between versions of Python; its bits do not.)

    kinds: a source of its own for what kind of value comes, so that the same kind can be drawn at other sizes.
    """

    source: Random
    kinds: Random | None = None

    @property
    def kind(self) -> "Bits":
        """Choices of a kind: made as often whatever the size."""
        return self if self.kinds is None else Bits(source=self.kinds)

    def below(self, end: int) -> int:
        """Uniform from 0 to end − 1."""
        width = (end - 1).bit_length()
        while True:
            chosen = self.source.getrandbits(width) if width else 0
            if chosen < end:
                return chosen

    def between(self, low: int, high: int) -> int:
        """Uniform from low to high."""
        return low + self.below(high - low + 1)

    def small(self, low: int, high: int) -> int:
        """From low to high, every order of magnitude of the distance from low about as likely."""
        span = high - low + 1
        return low + self.below(min(span, 1 << self.below(span.bit_length() + 1)))

    def one_in(self, times: int) -> bool:
        """True once in so many times."""
        return self.below(times) == 0

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def bytes(self, count: int) -> bytes:
        """So many uniform bytes."""
        return self.source.getrandbits(8 * count).to_bytes(count, "little") if count else b""

    def many_between(self, low: int, high: int, count: int) -> list[int]:
        """So many from low to high, fast where they are many; then a tiny bit less than uniform."""
        if count < _MANY or high - low >= 1 << 63:
            return [self.between(low, high) for _ in range(count)]
        span, words = high - low + 1, array("Q", self.bytes(8 * count))
        if sys.byteorder != "little":
            words.byteswap()
        return [low + word % span for word in words]

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Put the items into uniform random order."""
        for at in range(len(items) - 1, 0, -1):
            other = self.below(at + 1)
            items[at], items[other] = items[other], items[at]

    def sample(self, end: int, count: int) -> list[int]:
        """`count` distinct integers from 0 to end − 1, in random order."""
        if 3 * count > end:
            numbers = list(range(end))
            self.shuffle(numbers)
            return numbers[:count]
        chosen: dict[int, None] = {}
        while len(chosen) < count:
            chosen[self.below(end)] = None
        return list(chosen)
