"""The passes that make a value smaller, in the order in which they pay: the large cuts first."""

from collections.abc import Callable
from functools import partial
from typing import Any

from harness.shapes.model import Array, Block, Edges, Fields, Grid, Parents, Permutation, Record, String, Word
from harness.shapes.reduce_counts import axes_of, drop
from harness.shapes.reduce_grids import change_pairs, lower_cells, mirror, move_cells, open_cells
from harness.shapes.reduce_integers import lower_each, lower_pairs, to_round_numbers, to_the_origin
from harness.shapes.reduce_parts import (
    drop_letters,
    earlier_words,
    hang_higher,
    hang_on_the_root,
    lower_fields,
    lower_letters,
    merge_items,
    sort_numbers,
    tidy_edges,
)
from harness.shapes.reduce_protocol import Place, Steps, in_chunks, lifted, parts_in, records_in

_LARGE = 200  # so much along an integer is much
_PARTS = 4

Pass = Callable[[Block, Record], Steps[Record]]


def simplify_halves(block: Block, value: Record) -> Steps[Record]:
    """Of large values halves and quarters, along each integer in turn: what goes at once makes all the rest cheap."""
    root, before = Place(path=(), env={}), None
    while before is not value:
        before = value
        for axis in axes_of(block):
            if value[axis] >= _LARGE:
                value = yield from _drop_along(block, root, axis, value, _PARTS)
        if any(before[axis] >= _LARGE for axis in axes_of(block)):
            value = yield from to_the_origin(block, value, _PARTS)
        value = yield from _open_halves(block, value)
    return value


def _open_halves(block: Block, value: Record) -> Steps[Record]:
    """Large grids without their walls, or without a part of them: what fails then can mostly be cut once more."""
    for index, item in enumerate(block.items):
        rows = value.parts[index]
        if isinstance(item, Grid) and len(rows) * len(rows[0] if rows else b"") >= _LARGE:
            steps = open_cells(item, rows, {}, _PARTS)
            value = yield from lifted(steps, value, partial(value.with_part, index))
    return value


def drop_places(block: Block, value: Record) -> Steps[Record]:
    """Repeated blocks, rows, columns, items, vertices, edges: in chunks, along each integer that counts them."""
    done: set[tuple[int, ...]] = set()
    while True:
        places = ((inner, place) for inner, place in records_in(block, value, {}) if place.path not in done)
        found = next(places, None)
        if found is None:
            return value
        done.add(found[1].path)
        for axis in axes_of(found[0]):
            value = yield from _drop_along(*found, axis, value)


def _drop_along(block: Block, place: Place, axis: str, value: Record, parts: int = 0) -> Steps[Record]:
    index = block.names.index(axis)

    def length(root: Record) -> int:
        return int(place.get(root).parts[index])

    def cut(root: Record, start: int, count: int) -> Record:
        new: Record = place.put(root, drop(block, place.get(root), place.env, axis, (start, count)))
        return new

    return (yield from in_chunks(value, length, cut, length(value), length(value) // parts if parts else 1))


def of_parts(kind: type, steps_of: Callable[..., Steps[Any]]) -> Pass:
    """The pass that does something to each part of a kind; `steps_of` is given the item, the part and its env."""

    def run(block: Block, value: Record) -> Steps[Record]:
        for item, place in list(parts_in(block, value)):
            if isinstance(item, kind):
                steps = steps_of(item, place.get(value), place.env)
                value = yield from lifted(steps, value, partial(place.put, value))
        return value

    return run


PASSES: tuple[Pass, ...] = (
    simplify_halves,
    drop_places,
    of_parts(String, drop_letters),
    of_parts(Grid, open_cells),
    of_parts(String, lower_letters),
    of_parts(Word, earlier_words),
    of_parts(Fields, lower_fields),
    to_the_origin,
    lower_each,
    of_parts(Permutation, sort_numbers),
    of_parts(Parents, hang_on_the_root),
    of_parts(Edges, tidy_edges),
    of_parts(Grid, move_cells),
    of_parts(Grid, lower_cells),
    of_parts(Grid, change_pairs),
    of_parts(Grid, mirror),
    of_parts(Array, merge_items),
    of_parts(Edges, hang_higher),
    lower_pairs,
    to_round_numbers,
)
