"""Which of several readings a guess takes, so that others can be tried one after the other."""

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(kw_only=True)
class Choices:
    """Which reading to take wherever lines may be repeated in several ways; the first where nothing is said.

    offered: how many readings there were at each place, filled in by a guess.
    """

    wanted: tuple[int, ...] = ()
    offered: list[int] = field(default_factory=list)

    def pick(self, count: int) -> int:
        """The number of the reading to take of so many."""
        place = len(self.offered)
        self.offered.append(count)
        return self.wanted[place] if place < len(self.wanted) else 0

    def others(self) -> Iterator["Choices"]:
        """Those that differ from this one in one place, which no earlier `others` changed."""
        for place in range(len(self.wanted), len(self.offered)):
            before = (*self.wanted, *([0] * (place - len(self.wanted))))
            for number in range(1, self.offered[place]):
                yield Choices(wanted=(*before, number))
