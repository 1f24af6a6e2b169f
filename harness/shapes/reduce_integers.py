"""Passes that lower integers which count nothing: scalars, array items, weights; one at a time, in chunks, in pairs."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from harness.shapes.measure import origin
from harness.shapes.model import Array, Block, Edges, Integer, Record, bound
from harness.shapes.reduce_counts import axes_of
from harness.shapes.reduce_protocol import Place, Steps, in_chunks, lowered, put_all, records_in

FEW = 16  # integers, for what tries pairs of them
_VERY_FEW = 6
_ROUND = sorted({1 << power for power in range(4, 64)} | {10**power for power in range(1, 19)})


@dataclass(frozen=True, kw_only=True)
class _Slot:
    """One integer of a value, and its bounds."""

    place: Place
    low: int
    high: int

    @property
    def origin(self) -> int:
        return origin(self.low, self.high)


def _slots(block: Block, value: Record) -> list[_Slot]:
    """Every integer that counts nothing."""
    found: list[_Slot] = []
    for inner, place in records_in(block, value, {}):
        record = place.get(value)
        env, counting = bound(inner, record, place.env), axes_of(inner)
        for index, item in enumerate(inner.items):
            if isinstance(item, Integer) and item.name in counting:
                continue
            for path, integer in _integers(item, record.parts[index]):
                low, high = integer.bounds(env)
                found.append(_Slot(place=Place(path=(*place.path, index, *path), env=env), low=low, high=high))
    return found


def _integers(item: object, part: tuple[object, ...]) -> Iterator[tuple[tuple[int, ...], Integer]]:
    """The integers in a part, as paths within it."""
    if isinstance(item, Integer):
        yield (), item
    elif isinstance(item, Array) and isinstance(item.item, Integer):
        yield from (((at,), item.item) for at in range(len(part)))
    elif isinstance(item, Edges) and item.weight is not None:
        yield from (((at, 2), item.weight) for at in range(len(part)))


def _set(value: Record, slots: list[_Slot], numbers: list[int]) -> Record:
    changed: Record = put_all(
        value, [(slot.place.path, number) for slot, number in zip(slots, numbers, strict=True)]
    )
    return changed


def to_the_origin(block: Block, value: Record, parts: int = 0) -> Steps[Record]:
    """Set chunks of integers to the simplest ones; down to so many `parts` of all, or to single ones."""
    slots = [slot for slot in _slots(block, value) if slot.place.get(value) != slot.origin]

    def cut(now: Record, start: int, count: int) -> Record:
        chosen = slots[start : start + count]
        return _set(now, chosen, [slot.origin for slot in chosen])

    return (
        yield from in_chunks(value, lambda _: len(slots), cut, len(slots), len(slots) // parts if parts else 1)
    )


def lower_each(block: Block, value: Record) -> Steps[Record]:
    """Lower each integer towards the simplest one, in steps that halve; below 0, try the positive one first."""
    for slot in _slots(block, value):
        number = slot.place.get(value)
        if number < slot.origin:
            candidate = slot.place.put(value, -number)
            if (yield candidate):
                value, number = candidate, -number
        value = yield from lowered(value, number, slot.origin, slot.place.put)
    return value


def to_round_numbers(block: Block, value: Record) -> Steps[Record]:
    """Try powers of two and ten, the smallest first: where it is a certain bit or digit that matters."""
    slots = _slots(block, value)
    for slot in slots if len(slots) <= _VERY_FEW else ():
        for number in _ROUND:
            if slot.low <= number <= slot.high and slot.origin <= number < slot.place.get(value):
                candidate = slot.place.put(value, number)
                if (yield candidate):
                    value = candidate
    return value


def lower_pairs(block: Block, value: Record) -> Steps[Record]:
    """Lower two integers by the same amount; or lower one and raise the other, the sum unchanged."""
    slots = _slots(block, value)
    if len(slots) > FEW:
        return value
    for one, other in combinations(slots, 2):
        for sign in (1, -1):
            value = yield from _pair(value, one, other, sign)
    return value


def _pair(value: Record, one: _Slot, other: _Slot, sign: int) -> Steps[Record]:
    first, second = one.place.get(value), other.place.get(value)

    def make(now: Record, number: int) -> Record:
        return _set(now, [one, other], [number, second - sign * (first - number)])

    return (yield from lowered(value, first, one.origin, make))
