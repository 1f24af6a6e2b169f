"""The passes of the shrinker, in the order in which they are applied: large cuts first.

Each kind has passes of its own, in its file. Those here cut along counts, and lower integers that count nothing.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

from harness.shapes.expressions import Env, origin
from harness.shapes.kinds import (
    Array,
    Block,
    Edges,
    Fields,
    Grid,
    Integer,
    Item,
    Parents,
    Part,
    Permutation,
    Record,
    String,
    Word,
)
from harness.shapes.kinds.grid_steps import lower_cells, move_cells, on_cells, open_cells
from harness.shapes.steps import Steps, at_places, in_chunks, lifted, lowered


class PartPath(NamedTuple):
    """Where a record or a part is in a root: indexes of parts, tuples and records. env: the integers known there."""

    path: tuple[int, ...]
    env: Env

    def get(self, root: Part) -> Part:
        """Return the part at this path."""
        for index in self.path:
            root = (root.parts if isinstance(root, Record) else root)[index]
        return root

    def put(self, root: Part, new: Part) -> Part:
        """Return the root with the part at this path replaced."""
        return put_all(root, [(self.path, new)])


def put_all(root: Part, changes: Sequence[tuple[tuple[int, ...], Part]]) -> Part:
    """Return the root with the parts at these paths replaced; no path may lead through another."""
    if changes and not changes[0][0]:
        return changes[0][1]
    inner: dict[int, list[tuple[tuple[int, ...], Part]]] = {}
    for path, new in changes:
        inner.setdefault(path[0], []).append((path[1:], new))
    parts = list(root.parts if isinstance(root, Record) else root)
    for index, some in inner.items():
        parts[index] = put_all(parts[index], some)
    return root._replace(parts=tuple(parts)) if isinstance(root, Record) else tuple(parts)


def records_in(
    block: Block, record: Record, outer: Env, path: tuple[int, ...] = ()
) -> Iterator[tuple[Block, PartPath]]:
    """Yield this record and all inner ones, the outermost first. The env of each is what is known outside of it."""
    yield block, PartPath(path=path, env=outer)
    env = block.bound(record, outer)
    for index, (item, part) in enumerate(block.pairs(record)):
        for below, form, inner, scope in item.records(part, env):
            yield from records_in(item.inner[form], inner, scope, (*path, index, *below))


def parts_in(block: Block, root: Record) -> Iterator[tuple[Item, PartPath]]:
    """Yield every part of every record, except blocks; after an array of words, also each word of it."""
    for inner, record_path in records_in(block, root, {}):
        record = record_path.get(root)
        env = inner.bound(record, record_path.env)
        for index, (item, part) in enumerate(inner.pairs(record)):
            here = PartPath(path=(*record_path.path, index), env=env)
            if not item.inner:
                yield item, here
            if isinstance(item, Array) and not isinstance(item.item, Integer):
                yield from ((item.item, PartPath(path=(*here.path, at), env=env)) for at in range(len(part)))


_LARGE = 200  # a count, or a number of cells, from which on it is cut in large chunks first
_PARTS = 4  # such a chunk is at least one part of this many
_FEW = 16  # integers, at most, of a value in which pairs of them are tried
_VERY_FEW = 6  # most frequent numbers whose integers are lowered together
_SOME = 1000  # integers, at most, of a value in which equal ones are lowered together: each step takes long

Pass = Callable[[Block, Record], Steps[Record]]


def simplify_halves(block: Block, value: Record) -> Steps[Record]:
    """Cut halves and quarters of large values, along each count: early large cuts make the later passes cheap."""
    root, before = PartPath(path=(), env={}), None
    while before is not value:
        before = value
        for axis in block.axes:
            if value.part(axis) >= _LARGE:
                value = yield from _drop_along(block, root, axis, value, _PARTS)
        if any(before.part(axis) >= _LARGE for axis in block.axes):
            value = yield from to_the_origin(block, value, _PARTS)
        value = yield from _open_halves(block, value)
    return value


def _open_halves(block: Block, value: Record) -> Steps[Record]:
    """Open many walls of large grids at once: a grid that still fails can mostly be cut further."""
    for index, item in enumerate(block.items):
        rows = value.parts[index]
        if isinstance(item, Grid) and len(rows) * len(rows[0] if rows else b"") >= _LARGE:
            steps = on_cells(partial(open_cells, parts=_PARTS))(item, rows, {})
            value = yield from lifted(steps, value, partial(value.with_part, index))
    return value


def drop_places(block: Block, value: Record) -> Steps[Record]:
    """Remove chunks of what an integer counts: repeated blocks, rows, columns, items, vertices, edges."""
    done: set[tuple[int, ...]] = set()
    while True:
        places = (
            (inner, record_path)
            for inner, record_path in records_in(block, value, {})
            if record_path.path not in done
        )
        record = next(places, None)
        if record is None:
            return value
        done.add(record[1].path)
        for axis in record[0].axes:
            value = yield from _drop_along(*record, axis, value)


def _drop_along(block: Block, record_path: PartPath, axis: str, value: Record, parts: int = 0) -> Steps[Record]:
    index = block.names.index(axis)

    def length(root: Record) -> int:
        return int(record_path.get(root).parts[index])

    def cut(root: Record, start: int, count: int) -> Record:
        new: Record = record_path.put(
            root, block.drop(record_path.get(root), record_path.env, axis, (start, count))
        )
        return new

    return (yield from in_chunks(value, length, cut, parts))


def of_parts(kind: type, steps_of: Callable[..., Steps[Any]]) -> Pass:
    """Return the pass that takes the steps `steps_of(item, part, env)` on each part of a kind."""

    def run(block: Block, value: Record) -> Steps[Record]:
        for item, part_path in list(parts_in(block, value)):
            if isinstance(item, kind):
                steps = steps_of(item, part_path.get(value), part_path.env)
                value = yield from lifted(steps, value, partial(part_path.put, value))
        return value

    return run


class _Slot(NamedTuple):
    """An integer in a value, and its simplest number."""

    part_path: PartPath
    origin: int


def _slots(block: Block, value: Record) -> list[_Slot]:
    """Return all integers in a value that count nothing."""
    slots: list[_Slot] = []
    for inner, record_path in records_in(block, value, {}):
        record = record_path.get(value)
        env, counting = inner.bound(record, record_path.env), inner.axes
        for index, item in enumerate(inner.items):
            if isinstance(item, Integer) and item.name in counting:
                continue
            for path, integer in item.integers(record.parts[index]):
                here = PartPath(path=(*record_path.path, index, *path), env=env)
                slots.append(_Slot(part_path=here, origin=origin(*integer.bounds(env))))
    return slots


def to_the_origin(block: Block, value: Record, parts: int = 0) -> Steps[Record]:
    """Set chunks of integers to their simplest numbers. parts: see `steps.in_chunks`."""
    slots = [slot for slot in _slots(block, value) if slot.part_path.get(value) != slot.origin]
    return at_places([(slot.part_path.path, slot.origin) for slot in slots], value, put_all, parts)


def lower_each(block: Block, value: Record) -> Steps[Record]:
    """Move each integer towards its simplest number, in halving steps; first try to change a negative sign."""
    for slot in _slots(block, value):
        number = slot.part_path.get(value)
        if number < slot.origin:
            candidate = slot.part_path.put(value, -number)
            if (yield candidate):
                value, number = candidate, -number
        value = yield from lowered(value, number, slot.origin, slot.part_path.put)
    return value


def lower_equal(block: Block, value: Record) -> Steps[Record]:
    """Move equal integers together towards their simplest number, if that is the same, in halving steps."""
    slots = _slots(block, value)
    if len(slots) > _SOME:
        return value
    counts = Counter(slot.part_path.get(value) for slot in slots)
    for number in [number for number, count in counts.most_common(_VERY_FEW) if count > 1]:
        alike = [slot for slot in slots if slot.part_path.get(value) == number]
        if len({slot.origin for slot in alike}) == 1 and number != alike[0].origin:
            value = yield from _lowered_together(value, [(slot, 1) for slot in alike])
    return value


def lower_pairs(block: Block, value: Record) -> Steps[Record]:
    """Lower two integers by the same amount; or lower one and raise the other, the sum unchanged."""
    slots = _slots(block, value)
    if len(slots) > _FEW:
        return value
    for left, right in combinations(slots, 2):
        for sign in (1, -1):
            value = yield from _lowered_together(value, [(left, 1), (right, sign)])
    return value


def _lowered_together(value: Record, slots: Sequence[tuple[_Slot, int]]) -> Steps[Record]:
    """Move the first of some integers towards its simplest number, the others with it. slots: integers with a sign.

    An integer with the sign 1 is lowered by as much as the first, one with the sign -1 is raised by as much.
    """
    numbers = [slot.part_path.get(value) for slot, _ in slots]

    def make(now: Record, number: int) -> Record:
        by = numbers[0] - number
        changes = [
            (slot.part_path.path, old - sign * by) for (slot, sign), old in zip(slots, numbers, strict=True)
        ]
        changed: Record = put_all(now, changes)
        return changed

    return (yield from lowered(value, numbers[0], slots[0][0].origin, make))


PASSES: tuple[Pass, ...] = (
    simplify_halves,
    drop_places,
    of_parts(String, String.drop_letters),
    of_parts(Grid, on_cells(open_cells)),
    of_parts(String, String.lower_letters),
    of_parts(Word, Word.earlier_words),
    of_parts(Fields, Fields.simpler_fields),
    to_the_origin,
    lower_each,
    lower_equal,
    of_parts(Permutation, Permutation.sort_numbers),
    of_parts(Parents, Parents.hang_on_the_root),
    of_parts(Edges, Edges.tidy_edges),
    of_parts(Grid, on_cells(move_cells)),
    of_parts(Grid, on_cells(lower_cells)),
    of_parts(Edges, Edges.hang_higher),
    lower_pairs,
)
