"""Dropping along an integer: all that it counts (rows, columns, items, vertices, blocks) loses the same places."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from harness.shapes.cells import frame_around
from harness.shapes.expressions import Env, Expression, Name, Number, count_of
from harness.shapes.graphs import contracted, without_vertices
from harness.shapes.model import (
    Array,
    Block,
    Choice,
    Edge,
    Edges,
    Grid,
    Integer,
    Item,
    Parents,
    Part,
    Permutation,
    Record,
    Rows,
    String,
    Times,
    bound,
)
from harness.shapes.parents import without
from harness.shapes.violations import constraint_fault


@dataclass(frozen=True, kw_only=True)
class Cut:
    """`count` places from `start` on leave the axis; the integers before and after."""

    axis: str
    start: int
    count: int
    before: Env
    after: Env

    def span(self, expression: Expression) -> tuple[int, int]:
        """Which places leave something that counts `expression`, as start and end; none if it does not depend."""
        old, new = count_of(expression, self.before), count_of(expression, self.after)
        if self.axis not in expression.names or new >= old:
            return 0, 0
        whole = max(1, self.before[self.axis])
        start = self.start if expression == Name(name=self.axis) else self.start * old // whole
        start = max(0, min(start, new))
        return start, start + old - new


def axes_of(block: Block) -> list[str]:
    """The integers of a block that count something."""
    counting = block.counting
    return [item.name for item in block.items if isinstance(item, Integer) and item.name in counting]


def drop(block: Block, record: Record, outer: Env, axis: str, places: tuple[int, int]) -> Record:
    """The record with some places, given as start and count, dropped along `axis`; it need not fit the shape."""
    start, count = places
    before = bound(block, record, outer)
    after = {**before, axis: before[axis] - count}
    return _cut_block(block, record, Cut(axis=axis, start=start, count=count, before=before, after=after))


def _cut_block(block: Block, record: Record, cut: Cut) -> Record:
    parts = tuple(_cut_item(item, part, cut) for item, part in zip(block.items, record.parts, strict=True))
    return settled(block, replace(record, parts=parts))


def settled(block: Block, record: Record) -> Record:
    """The record with the number of edges of each graph put right, where an integer of the record says it."""
    for item, part in zip(block.items, record.parts, strict=True):
        if isinstance(item, Edges) and isinstance(item.edges, Name) and item.edges.name in record.names:
            record = record.with_part(record.names.index(item.edges.name), len(part))
    return record


def _cut_item(item: Item, part: Part, cut: Cut) -> Part:  # noqa: PLR0911 (a case a kind of item)
    match item:
        case Integer():
            return cut.after[item.name] if item.name == cut.axis else _renumbered(item, part, cut)
        case Array():
            start, end = cut.span(item.count)
            kept = (*part[:start], *part[end:])
            if isinstance(item.item, Integer) and item.item.high != Name(name=cut.axis):
                return kept
            return tuple(_cut_item(item.item, each, cut) for each in kept)
        case String():
            start, end = cut.span(item.high)
            return part[:start] + part[end:] if item.low == item.high else part[: count_of(item.high, cut.after)]
        case Permutation():
            start, end = cut.span(item.count)
            return _ranked((*part[:start], *part[end:]), item.base)
        case Parents():
            return without(item, part, range(*cut.span(item.vertices)))
        case Grid():
            return _cut_grid(item, part, cut)
        case Edges():
            return _cut_edges(item, part, cut)
        case Times():
            start, end = cut.span(item.count)
            kept = (*part[:start], *(_hung(item, record, start, end) for record in part[end:]))
            return tuple(_cut_inner(item, record, cut, number) for number, record in enumerate(kept, 1))
        case Choice():
            return _cut_within(item.blocks[part.form], part, cut)
        case _:
            return part


def _hung(item: Times, record: Record, start: int, end: int) -> Record:
    """A row behind rows that are gone: what hung on one of them hangs on the last before them."""
    parts = list(record.parts)
    for place, one in enumerate(item.block.items):
        if item.row and isinstance(one, Integer) and one.high.names == {item.row}:
            first, last = (one.high.value({item.row: row}) for row in (start, end))
            value = parts[place]
            parts[place] = value - (last - first) if value > last else min(value, first)
    return replace(record, parts=tuple(parts))


def _cut_inner(item: Times, record: Record, cut: Cut, number: int) -> Record:
    before, after = item.inner(cut.before, number), item.inner(cut.after, number)
    return _cut_within(item.block, record, replace(cut, before=before, after=after))


def _cut_within(block: Block, record: Record, cut: Cut) -> Record:
    if not any(cut.axis in expression.names for item in block.items for expression in _expressions(item)):
        return record
    before, after = bound(block, record, cut.before), bound(block, record, cut.after)
    return _cut_block(block, record, replace(cut, before=before, after=after))


def _expressions(item: Item) -> list[Expression]:  # noqa: PLR0911 (a case a kind of item)
    """Every expression of an item, those of what it holds too."""
    match item:
        case Integer() | String():
            return [item.low, item.high]
        case Array():
            return [item.count, *_expressions(item.item)]
        case Permutation() | Parents():
            return [item.count]
        case Grid():
            return [item.rows, item.columns, *(side for count in item.counts for side in (count.low, count.high))]
        case Edges():
            return [item.vertices, item.edges]
        case Times():
            return [item.count, *(each for inner in item.block.items for each in _expressions(inner))]
        case Choice():
            return [each for block in item.blocks for inner in block.items for each in _expressions(inner)]
        case _:
            return []


def _renumbered(item: Integer, value: int, cut: Cut) -> int:
    """An integer up to the axis itself is a place on it: places behind the cut move up."""
    if item.high != Name(name=cut.axis):
        return value
    first = item.low.amount if isinstance(item.low, Number) else 1
    if value - first >= cut.start + cut.count:
        return value - cut.count
    return max(first, min(value, cut.after[cut.axis]))


def _ranked(numbers: Sequence[int], base: int) -> tuple[int, ...]:
    rank = {number: place for place, number in enumerate(sorted(numbers), base)}
    return tuple(rank[number] for number in numbers)


def _cut_grid(item: Grid, rows: Rows, cut: Cut) -> Rows:
    top, bottom = _within_border(item, *cut.span(item.rows))
    left, right = _within_border(item, *cut.span(item.columns))
    kept = (*rows[:top], *rows[bottom:])
    plain = tuple(row[:left] + row[right:] for row in kept)
    if not item.counts or constraint_fault(item, plain, cut.after) is None:
        return plain
    return _with_marks(item, rows, plain, (top, bottom), (left, right))


def _within_border(item: Grid, start: int, end: int) -> tuple[int, int]:
    return (start + 1, end + 1) if item.border and start == 0 and end > 0 else (start, end)


def _with_marks(item: Grid, rows: Rows, plain: Rows, down: tuple[int, int], across: tuple[int, int]) -> Rows:
    """`plain` with the marks of what was cut laid over the nearest cells that stay."""
    edge = 1 if item.border else 0
    frame = frame_around(item, plain)
    cells = [bytearray(row) for row in plain]
    marks = item.marks.replace(item.alphabet[:1], b"")
    for number, row in enumerate(rows):
        for at, letter in enumerate(row) if row.translate(None, item.fillers) else ():
            lost = down[0] <= number < down[1] or across[0] <= at < across[1]
            if lost and letter in marks and frame.cells:
                row_at = max(edge, min(_moved(number, down), frame.rows - 1 - edge))
                cells[row_at][max(edge, min(_moved(at, across), frame.columns - 1 - edge))] = letter
    return tuple(map(bytes, cells))


def _moved(place: int, span: tuple[int, int]) -> int:
    if place < span[0]:
        return place
    return place - (span[1] - span[0]) if place >= span[1] else span[0]


def _cut_edges(item: Edges, edges: tuple[Edge, ...], cut: Cut) -> tuple[Edge, ...]:
    if cut.axis in item.vertices.names:
        start, end = cut.span(item.vertices)
        dropped = range(start + item.base, end + item.base)
        if item.connected:
            return contracted(edges, dropped, simple=item.simple, directed=item.directed)
        return without_vertices(edges, dropped)
    start, end = cut.span(item.edges)
    return (*edges[:start], *edges[end:])
