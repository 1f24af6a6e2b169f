"""What many lines in a row have to do with one another: of which form each is, and pairs of places that form a path."""

from collections.abc import Sequence
from dataclasses import dataclass

from harness.shapes.expressions import Env
from harness.shapes.model import Block, Integer, Part
from harness.shapes.randomness import Bits

_PAIR = 2


@dataclass(kw_only=True)
class Forms:
    """Which form of a choice comes next: any, or the same for long."""

    bits: Bits
    count: int
    one_in: int
    form: int = 0

    def next(self) -> int:
        """Another one, once in so many times."""
        if self.one_in == 1 or self.bits.one_in(self.one_in):
            self.form = self.bits.below(self.count)
        return self.form


def linked(bits: Bits, block: Block, columns: list[Sequence[Part]], env: Env) -> None:
    """Now and then turn pairs of places into a path or a star: joined one after the other they are a long chain."""
    if not bits.kind.one_in(3):
        return
    places = [
        place for place, item in enumerate(block.items) if isinstance(item, Integer) and item.low != item.high
    ][:_PAIR]
    items = [block.items[place] for place in places]
    first, second = (item for item in (*items, None, None)[:_PAIR])
    if not isinstance(first, Integer) or not isinstance(second, Integer) or first.high != second.high:
        return
    if not first.high.names or not (first.low.names | first.high.names) <= env.keys():
        return  # no places
    others = [item for place, item in enumerate(block.items) if isinstance(item, Integer) and place not in places]
    if any((item.low.names | item.high.names) & {first.name, second.name} for item in others):
        return
    low, high = first.bounds(env)
    span, star = high - low, bits.kind.one_in(3)
    if span > 0:
        count = len(columns[places[0]])
        columns[places[0]] = [low if star else low + number % span for number in range(count)]
        columns[places[1]] = [low + 1 + number % span for number in range(count)]
