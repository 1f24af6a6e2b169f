"""All values of a shape in order of size, lazily, none twice.

Of trees and graphs every structure comes once, not every order of its edges: edges ascend, undirected ones have the
smaller vertex first.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product
from typing import Any

from harness.shapes.cells import Frame, frame_of
from harness.shapes.expressions import Env, count_of
from harness.shapes.fields import of_size, word_of
from harness.shapes.mark_counts import tallies_of
from harness.shapes.measure import origin
from harness.shapes.model import (
    Array,
    Block,
    Choice,
    Edge,
    Edges,
    Fields,
    Grid,
    Integer,
    Item,
    Parents,
    Part,
    Permutation,
    Record,
    Rows,
    Shape,
    String,
    Times,
    Word,
)
from harness.shapes.violations import constraint_fault


def enumerate_values(shape: Shape, max_size: int, min_size: int = 0) -> Iterator[Record]:
    """All values from one size to another (measure.py), both included, the smallest first."""
    for size in range(min_size, max_size + 1):
        yield from _block(shape.block, {}, size)


def _block(block: Block, env: Env, size: int) -> Iterator[Record]:
    for parts in _items(block.items, env, size):
        yield Record(names=block.names, parts=parts)


def _items(items: tuple[Item, ...], env: Env, size: int) -> Iterator[tuple[Part, ...]]:
    """Values of the items, of this size in all."""
    if not items:
        if size == 0:
            yield ()
        return
    first, rest = items[0], items[1:]
    if isinstance(first, Integer):
        for own in _sizes(first, env, size) if rest else (size,):
            for value in _integers(first, env, own):
                inner = {**env, first.name: value}
                yield from ((value, *parts) for parts in _items(rest, inner, size - own))
        return
    for own in range(size + 1) if rest else (size,):
        if next(_items(rest, env, size - own), None) is not None:
            for part in _item(first, env, own):
                yield from ((part, *parts) for parts in _items(rest, env, size - own))


def _sizes(item: Integer, env: Env, most: int) -> range:
    """The sizes that an integer may have, up to this one."""
    low, high = item.bounds(env)
    start = origin(low, high)
    return range(min(most, max(high - start, start - low)) + 1)


def _item(item: Item, env: Env, size: int) -> Iterator[Part]:
    match item:
        case Integer():
            yield from _integers(item, env, size)
        case Word():
            yield from item.words if size == 0 else ()
        case String():
            yield from _strings(item, env, size)
        case Fields():
            yield from (word_of(item, numbers) for numbers in of_size(item.fields, size))
        case Array():
            parts = _repeated(item.item, env, count_of(item.count, env), size)
            yield from (part for part in parts if not item.order or constraint_fault(item, part, env) is None)
        case Permutation():
            length = count_of(item.count, env)
            yield from permutations(range(item.base, item.base + length)) if size == length else ()
        case Parents():
            yield from _parents(item, env) if size == count_of(item.count, env) else ()
        case Grid():
            yield from _grids(item, env, size)
        case Edges():
            yield from _edge_lists(item, env, size)
        case Choice():
            for form, block in enumerate(item.blocks):
                yield from (replace(record, form=form) for record in _block(block, env, size))
        case Times():
            yield from _repeated(item, env, count_of(item.count, env), size)


def _integers(item: Integer, env: Env, size: int) -> Iterator[int]:
    low, high = item.bounds(env)
    start = origin(low, high)
    for value in (start,) if size == 0 else (start + size, start - size):
        if low <= value <= high:
            yield value


def _strings(item: String, env: Env, size: int) -> Iterator[bytes]:
    if max(0, item.low.value(env)) <= size <= item.high.value(env) or (size == 0 >= item.high.value(env)):
        yield from map(bytes, product(item.alphabet, repeat=size))


def _repeated(item: Any, env: Env, times: int, size: int) -> Iterator[tuple[Part, ...]]:
    """`times` values of an item or a block; each counts 1 besides its own size."""
    if times == 0:
        if size == 0:
            yield ()
        return
    for own in range(size - times + 1) if times > 1 else (size - 1,):
        firsts = _row(item, env, own, times) if isinstance(item, Times) else _item(item, env, own)
        for first in firsts if own >= 0 else ():
            yield from ((first, *others) for others in _repeated(item, env, times - 1, size - 1 - own))


def _row(item: Times, env: Env, size: int, left: int) -> Iterator[Record]:
    """Values of a repeated block that comes so many times more, this time included."""
    yield from _block(item.block, item.inner(env, count_of(item.count, env) - left + 1), size)


def _parents(item: Parents, env: Env) -> Iterator[tuple[int, ...]]:
    vertices, root = count_of(item.vertices, env), () if item.root is None else (item.root,)
    places = range(item.base + (item.root is None), item.base + vertices)
    ends = (item.base + vertices if item.anywhere else place for place in places)
    lines = product(*((*root, *range(item.base, end)) for end in ends))
    yield from (line for line in lines if constraint_fault(item, line, env) is None)


def _grids(grid: Grid, env: Env, size: int) -> Iterator[Rows]:
    frame = frame_of(grid, env)
    if size == frame.rows * frame.columns:
        for tally in tallies_of(grid, frame.cells, env).all():
            yield from _filled(grid, frame, tally)


def _filled(grid: Grid, frame: Frame, tally: tuple[int, ...]) -> Iterator[Rows]:
    marks, fillers = grid.marks, grid.fillers
    for cells, free in _marked(bytearray(frame.cells), tuple(range(frame.cells)), marks, tally):
        for letters in product(fillers, repeat=len(free)):
            for at, letter in zip(free, letters, strict=True):
                cells[at] = letter
            yield frame.framed(bytes(cells))


def _marked(
    cells: bytearray, free: tuple[int, ...], marks: bytes, tally: tuple[int, ...]
) -> Iterator[tuple[bytearray, tuple[int, ...]]]:
    """Every way to set the marks, as the cells and the places that are left over."""
    if not marks:
        yield cells, free
        return
    for places in combinations(free, tally[0]):
        for at in places:
            cells[at] = marks[0]
        taken = set(places)
        yield from _marked(cells, tuple(at for at in free if at not in taken), marks[1:], tally[1:])


def _edge_lists(item: Edges, env: Env, size: int) -> Iterator[tuple[Edge, ...]]:
    vertices, edges = count_of(item.vertices, env), count_of(item.edges, env)
    if edges > size or (item.weight is None and size != edges):
        return
    pairs = _pairs(item, vertices)
    choose = combinations if item.simple else combinations_with_replacement
    for chosen in choose(pairs, edges):
        if constraint_fault(item, chosen, env) is None:
            yield from _weighted(item, chosen, env, size - edges)


def _pairs(item: Edges, vertices: int) -> list[Edge]:
    numbers = range(item.base, item.base + vertices)
    either = item.directed or item.acyclic
    ordered = ((one, other) for one in numbers for other in numbers if either or one <= other)
    return [pair for pair in ordered if item.has_loops or pair[0] != pair[1]]


def _weighted(item: Edges, chosen: tuple[Edge, ...], env: Env, size: int) -> Iterator[tuple[Edge, ...]]:
    if item.weight is None:
        yield chosen
        return
    for weights in _repeated(item.weight, env, len(chosen), size + len(chosen)):
        edges = tuple((*edge, weight) for edge, weight in zip(chosen, weights, strict=True))
        if item.simple or all(one <= other for one, other in pairwise(edges)):
            yield edges
