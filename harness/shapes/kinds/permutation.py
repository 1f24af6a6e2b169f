"""Permutations on one line."""

from collections.abc import Iterator
from itertools import permutations
from typing import Self, TypeAlias

from harness.shapes.drawing import Drawer
from harness.shapes.expressions import Env, Number, count_of
from harness.shapes.kinds.array import Array
from harness.shapes.kinds.integer import ANY_INTEGER, Integer
from harness.shapes.kinds.kind import Cut, Rank, Row
from harness.shapes.reader import Reader
from harness.shapes.steps import Steps, in_chunks
from harness.values import dataclass

Numbers: TypeAlias = tuple[int, ...]
_STYLES = ("nearly", "nearly", "backwards", "circles", "any", "any", "any", "any")


@dataclass(frozen=True, kw_only=True)
class Permutation(Row):
    """The integers base … base + count − 1 in any order on one line."""

    base: int = 1

    def read_items(self, reader: Reader, env: Env, count: int) -> Numbers:
        return reader.integers(self.name, count, self.base, self.base + count - 1)

    def values(self, env: Env, size: int) -> Iterator[Numbers]:
        length = count_of(self.count, env)
        yield from permutations(range(self.base, self.base + length)) if size == length else ()

    def rank(self, part: Numbers, env: Env) -> Rank:
        return (len(part), 0, sum(abs(number - at) for at, number in enumerate(part, self.base)))

    def fault(self, part: Numbers, env: Env) -> str | None:
        full = len(set(part)) == len(part) and (not part or min(part) == self.base)
        return None if full else f"expected each of {self.base} to {self.base + len(part) - 1} once"

    def cut(self, part: Numbers, cut: Cut) -> Numbers:
        start, end = cut.span(self.count)
        kept = (*part[:start], *part[end:])
        number_of = {number: index for index, number in enumerate(sorted(kept), self.base)}
        return tuple(number_of[number] for number in kept)

    def draw(self, drawer: Drawer, env: Env, budget: int) -> Numbers:
        """Draw a random, nearly sorted or reversed permutation, or one with cycles of many lengths."""
        bits, count = drawer.bits, count_of(self.count, env)
        numbers = list(range(self.base, self.base + count))
        match bits.style.choice(_STYLES):
            case "nearly" if count > 1:
                for _ in range(bits.between(0, 3)):
                    left, right = bits.below(count), bits.below(count)
                    numbers[left], numbers[right] = numbers[right], numbers[left]
            case "backwards":
                numbers.reverse()
            case "circles":
                _close_circles(numbers)
            case _:
                bits.shuffle(numbers)
        return tuple(numbers)

    def relaxed(self, flag: str) -> Array | Self:
        item = Integer(low=Number(amount=self.base), high=self.count)
        if flag not in ("once", "numbers"):
            return self
        return Array(name=self.name, count=self.count, item=item.unbound() if flag == "numbers" else item)

    def loosest(self) -> Array:
        return Array(name=self.name, count=self.count, item=ANY_INTEGER)

    def sort_numbers(self, numbers: Numbers, env: Env) -> Steps[Numbers]:
        """Sort chunks, first the whole; then swap neighbours that are out of order."""

        def in_order(now: Numbers, start: int, count: int) -> Numbers:
            return (*now[:start], *sorted(now[start : start + count]), *now[start + count :])

        numbers = yield from in_chunks(numbers, len, in_order)
        for at in range(len(numbers) - 1):
            swapped = in_order(numbers, at, 2)
            if swapped != numbers and (yield swapped):
                numbers = swapped
        return numbers


def _close_circles(numbers: list[int]) -> None:
    """Make cycles of 1, 2, 3, … indexes: applied repeatedly, the permutation comes back to its start very late."""
    first, size = 0, 1
    while first < len(numbers):
        numbers[first : first + size] = (*numbers[first + 1 : first + size], numbers[first])
        first, size = first + size, size + 1
