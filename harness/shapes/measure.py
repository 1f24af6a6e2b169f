"""How large a value is (for the order of enumeration), and which of two is the simpler (for shrinking)."""

from collections.abc import Sequence
from functools import reduce

from harness.shapes.cells import frame_around
from harness.shapes.expressions import Env
from harness.shapes.fields import numbers_of
from harness.shapes.model import (
    Array,
    Block,
    Choice,
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
    bound,
)
from harness.shapes.writing import write

Rank = tuple[int, int, int]


def origin(low: int, high: int) -> int:
    """The simplest integer of a range: the one nearest to 0."""
    return max(low, min(0, high))


def size(shape: Shape, value: Record) -> int:
    """Cells, letters, array items, edges and repeated blocks count 1 each, integers their distance from the origin."""
    return _block(shape.block, value, {})[0]


def rank(shape: Shape, value: Record) -> Rank:
    """Size; then how far letters and words are from the first ones; then how far marks are from the upper left."""
    return _block(shape.block, value, {})


def is_simpler(shape: Shape, one: Record, other: Record) -> bool:
    """Whether `one` ranks before `other`: by rank, then by the bytes. A total order on the values of a shape."""
    mine, theirs = rank(shape, one), rank(shape, other)
    return mine < theirs or (mine == theirs and write(shape, one) < write(shape, other))


def _block(block: Block, record: Record, outer: Env) -> Rank:
    env = bound(block, record, outer)
    return _sum([_item(item, part, env) for item, part in zip(block.items, record.parts, strict=True)])


def _sum(ranks: Sequence[Rank]) -> Rank:
    return reduce(lambda one, other: (one[0] + other[0], one[1] + other[1], one[2] + other[2]), ranks, (0, 0, 0))


def _item(item: Item, part: Part, env: Env) -> Rank:  # noqa: PLR0911 (a case a kind of item)
    match item:
        case Integer():
            return _integers(item, (part,), env)
        case Word():
            return (0, item.words.index(part), 0)
        case String():
            return (len(part), sum(map(item.alphabet.index, part)), 0)
        case Fields():
            numbers = zip(numbers_of(item, part), item.fields, strict=True)
            return (sum(number - field.low for number, field in numbers), 0, 0)
        case Array():
            return _array(item, part, env)
        case Permutation():
            return (len(part), 0, sum(abs(each - at) for at, each in enumerate(part, item.base)))
        case Parents():
            return (len(part), 0, sum(each - item.base + 1 for each in part if each != item.root))
        case Grid():
            return _grid(item, part)
        case Edges():
            return _edges(item, part, env)
        case Choice():
            own = _block(item.blocks[part.form], part, env)
            return (own[0], own[1] + part.form, own[2])
        case Times():
            inner = _sum([_block(item.block, one, item.inner(env, number)) for number, one in enumerate(part, 1)])
            return (inner[0] + len(part), *inner[1:])


def _integers(item: Integer, values: Sequence[int], env: Env) -> Rank:
    start = origin(*item.bounds(env))
    return (sum(abs(value - start) for value in values), sum(value < start for value in values), 0)


def _array(item: Array, part: Sequence[Part], env: Env) -> Rank:
    if isinstance(item.item, Integer):
        inner = _integers(item.item, part, env)
    else:
        inner = _sum([_item(item.item, each, env) for each in part])
    return (inner[0] + len(part), *inner[1:])


def _grid(grid: Grid, rows: Rows) -> Rank:
    frame = frame_around(grid, rows)
    cells = frame.inner(rows)
    letters = sum(place * cells.count(letter) for place, letter in enumerate(grid.alphabet))
    if letters == 0:
        return (frame.rows * frame.columns, 0, 0)
    free, width, height = grid.alphabet[:1], frame.width, frame.height
    down = sum(at * (width - cells.count(free, at * width, (at + 1) * width)) for at in range(height))
    right = sum(at * (height - cells[at::width].count(free)) for at in range(width))
    return (frame.rows * frame.columns, letters, down + right)


def _edges(item: Edges, edges: Sequence[Sequence[int]], env: Env) -> Rank:
    flipped = 0 if item.directed else sum(edge[0] > edge[1] for edge in edges)
    ends = sum(edge[0] + edge[1] for edge in edges)
    if item.weight is None:
        return (len(edges), flipped, ends)
    weights = _integers(item.weight, [edge[2] for edge in edges], env)
    return (len(edges) + weights[0], flipped + weights[1], ends)
