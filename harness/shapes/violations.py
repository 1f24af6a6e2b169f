"""What a value breaks of its shape, in words; None where it breaks nothing."""

from collections.abc import Sequence
from itertools import pairwise

from harness.shapes.cells import frame_around
from harness.shapes.errors import quoted
from harness.shapes.expressions import Env, count_of
from harness.shapes.graphs import components, is_acyclic, is_simple
from harness.shapes.model import (
    Array,
    Block,
    Choice,
    Count,
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
    Shape,
    String,
    Times,
    bound,
)
from harness.shapes.parents import parents_fault


def fits(shape: Shape, value: Record) -> bool:
    """Whether a value with parts of the right types is one of the shape."""
    return _fits_block(shape.block, value, {})


def _fits_block(block: Block, record: Record, outer: Env) -> bool:
    env = bound(block, record, outer)
    return all(_fits(item, part, env) for item, part in zip(block.items, record.parts, strict=True))


def _fits(item: Item, part: Part, env: Env) -> bool:  # noqa: PLR0911 (a case a kind of item)
    match item:
        case Integer():
            low, high = item.bounds(env)
            return bool(low <= part and (part <= high or item.hidden))
        case String():
            return max(0, item.low.value(env)) <= len(part) <= max(0, item.high.value(env))
        case Array():
            right = len(part) == count_of(item.count, env) and _fit_all(item, part, env)
            return right and constraint_fault(item, part, env) is None
        case Choice():
            return _fits_block(item.blocks[part.form], part, env)
        case Times():
            right = len(part) == count_of(item.count, env)
            inner = (
                _fits_block(item.block, record, item.inner(env, number)) for number, record in enumerate(part, 1)
            )
            return right and all(inner)
        case Permutation() | Parents():
            return len(part) == count_of(item.count, env) and constraint_fault(item, part, env) is None
        case Grid() | Edges():
            return _has_size(item, part, env) and constraint_fault(item, part, env) is None
        case _:
            return True


def _fit_all(item: Array, part: Sequence[Part], env: Env) -> bool:
    if isinstance(item.item, Integer) and part:
        low, high = item.item.bounds(env)
        return bool(low <= min(part) and max(part) <= high)
    return all(_fits(item.item, each, env) for each in part)


def _has_size(item: Grid | Edges, part: Part, env: Env) -> bool:
    if isinstance(item, Grid):
        columns = count_of(item.columns, env)
        return len(part) == count_of(item.rows, env) and all(len(row) == columns for row in part)
    low, high = item.base, item.base + count_of(item.vertices, env) - 1
    weighed = item.weight is None or all(_fits(item.weight, edge[2], env) for edge in part)
    inside = all(low <= edge[0] <= high and low <= edge[1] <= high for edge in part)
    return len(part) == count_of(item.edges, env) and inside and weighed


def constraint_fault(item: Item, part: Part, env: Env) -> str | None:
    """What part of the right size and letters breaks: counts, the border, being a permutation, a tree, connected."""
    match item:
        case Grid():
            return _grid_fault(item, part, env)
        case Edges():
            return _edges_fault(item, part, env)
        case Array():
            return order_fault(item.order, part)
        case Permutation():
            full = len(set(part)) == len(part) and (not part or min(part) == item.base)
            return None if full else f"expected each of {item.base} to {item.base + len(part) - 1} once"
        case Parents():
            return parents_fault(item, part)
        case _:
            return None


def order_fault(order: str, part: Sequence[Part]) -> str | None:
    """What breaks the order of an array."""
    if order == "distinct":
        return None if len(set(part)) == len(part) else "expected different numbers, found one twice"
    if order == "sorted":
        return None if all(one <= other for one, other in pairwise(part)) else "expected numbers in order"
    rises = order != "rising" or all(one < other for one, other in pairwise(part))
    return None if rises else "expected each number to be larger than the one before it"


def _grid_fault(grid: Grid, rows: Rows, env: Env) -> str | None:
    name = grid.name or "the grid"
    if grid.border and not _has_border(grid.border, rows):
        return f"expected {quoted(grid.border)} all along the border of {name}"
    if not grid.counts:
        return None
    cells = frame_around(grid, rows).inner(rows)
    faults = (_count_fault(count, cells, env) for count in grid.counts)
    return next((f"{name}: {fault}" for fault in faults if fault), None)


def _has_border(letter: bytes, rows: Rows) -> bool:
    ends = all(row[:1] == letter == row[-1:] for row in rows)
    return ends and not (rows[0] + rows[-1]).strip(letter) if rows else True


def _count_fault(count: Count, cells: bytes, env: Env) -> str | None:
    found = _occurrences(cells, count.letters)
    if count.same:
        other = _occurrences(cells, count.same)
        same = f"expected as many {quoted(count.letters)} as {quoted(count.same)}, found {found} and {other}"
        return None if found == other else same
    low, high = count.low.value(env), count.high.value(env)
    if low <= found <= high:
        return None
    wanted = f"exactly {low}" if low == high else f"{low} to {high}"
    return f"expected {wanted} of {quoted(count.letters)}, found {found}"


def _occurrences(cells: bytes, letters: bytes) -> int:
    return sum(cells.count(letter) for letter in letters)


def _edges_fault(item: Edges, edges: Sequence[Edge], env: Env) -> str | None:
    name, vertices = item.name or "the edges", count_of(item.vertices, env)
    if item.simple and not is_simple(edges, directed=item.directed):
        return f"{name}: a loop, or two edges between the same vertices"
    if item.loopless and any(edge[0] == edge[1] for edge in edges):
        return f"{name}: a loop"
    if item.acyclic and not is_acyclic(edges):
        return f"{name}: a way along the edges comes back to where it began"
    if item.rising and any(edge[0] >= edge[1] for edge in edges):
        return f"{name}: an edge does not go from a smaller vertex to a larger one"
    if item.connected and vertices and components(vertices, edges, item.base) > 1:
        return f"{name}: the vertices do not hang together"
    return None
