"""Hypothesis strategies for shapes; needs Hypothesis.

A grid is an open grid with a list of wall strokes, not a draw per cell, so that it shrinks well and stays cheap.
"""

from dataclasses import replace

from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from harness.shapes.expressions import Env, count_of
from harness.shapes.grammar import read_shape
from harness.shapes.graphs import Edge
from harness.shapes.kinds import (
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
)
from harness.shapes.kinds.array import ordered
from harness.shapes.kinds.block import allowed, largest_within
from harness.shapes.kinds.edges import pair_of
from harness.shapes.kinds.grid import Frame
from harness.shapes.kinds.parents import Above, relabelled
from harness.shapes.values import write

Pair = tuple[int, int]

STROKES = 60  # of wall in a grid, at most


def values_of(shape: Shape | str, max_size: int = 100) -> SearchStrategy[Record]:
    """Return the strategy for values of a shape of at most about `max_size` cells, letters, items and edges."""
    known = read_shape(shape) if isinstance(shape, str) else shape
    return _values(known.block, max_size)


def inputs_of(shape: Shape | str, max_size: int = 100) -> SearchStrategy[bytes]:
    """Return the strategy for inputs of a shape, of the sizes of `values_of`."""
    known = read_shape(shape) if isinstance(shape, str) else shape
    return values_of(known, max_size).map(lambda value: write(known, value))


@st.composite
def _values(draw: DrawFn, block: Block, max_size: int) -> Record:
    return _block(draw, block, {}, max_size)


def _block(draw: DrawFn, block: Block, outer: Env, budget: int) -> Record:
    env, parts = dict(outer), []
    counting = block.counting
    for place, item in enumerate(block.items):
        if isinstance(item, Integer) and item.name in counting:
            later = block.items[place + 1 :]
            low, high = allowed(item, later, env)
            part: Part = _between(draw, low, min(high, max(low, largest_within(item, later, env, budget))))
        else:
            part = _item(draw, item, env, budget)
        parts.append(part)
        if isinstance(item, Integer):
            env[item.name] = part
    return Record(names=block.names, parts=tuple(parts))


def _between(draw: DrawFn, low: int, high: int) -> int:
    assume(low <= high)
    return draw(st.integers(low, high))


def _item(draw: DrawFn, item: Item, env: Env, budget: int) -> Part:  # noqa: PLR0911 (a case a kind of item)
    match item:
        case Integer():
            return _between(draw, *item.bounds(env))
        case Word():
            return draw(st.sampled_from(item.words))
        case String():
            low, high = count_of(item.low, env), count_of(item.high, env)
            assume(low <= high)
            letters = st.text(item.alphabet.decode(), min_size=low, max_size=max(low, min(high, budget)))
            return draw(letters).encode()
        case Fields():
            return item.word_of([_between(draw, each.low, each.high) for each in item.fields])
        case Array():
            count = count_of(item.count, env)
            drawn = tuple(_item(draw, item.item, env, budget // count) for _ in range(count))
            return _in_order(item, drawn, env)
        case Permutation():
            numbers = range(item.base, item.base + count_of(item.count, env))
            return tuple(draw(st.permutations(numbers)))
        case Parents():
            return _parents(draw, item, env)
        case Grid():
            return _grid(draw, item, env)
        case Edges():
            return _edges(draw, item, env)
        case Choice():
            form = draw(st.integers(0, len(item.blocks) - 1))
            return replace(_block(draw, item.blocks[form], env, budget), form=form)
        case Times():
            count = count_of(item.count, env)
            return tuple(_block(draw, item.block, item.known(env, at + 1), budget // count) for at in range(count))
        case _:
            raise TypeError(item)


def _in_order(item: Array, drawn: tuple[Part, ...], env: Env) -> tuple[Part, ...]:
    """Return the drawn items in the array's order."""
    if not item.order or not isinstance(item.item, Integer):
        return drawn
    numbers = ordered(item.order, drawn, *item.item.bounds(env))
    assume(numbers is not None)
    return numbers or ()


def _grid(draw: DrawFn, item: Grid, env: Env) -> Rows:
    frame = item.frame(env)
    assume(not item.border or min(frame.rows, frame.columns) > 1)
    tally = _tally(draw, item, frame.cells, env)
    fillers = item.fillers or item.alphabet
    cells = bytearray(fillers[:1] * frame.cells)
    if len(fillers) > 1 and frame.cells:
        _draw_strokes(draw, cells, frame, fillers)
    free = list(range(frame.cells))
    for letter, number in zip(item.marks, tally, strict=True):
        for _ in range(number):
            cells[free.pop(draw(st.integers(0, len(free) - 1)))] = letter
    return frame.framed(bytes(cells))


def _draw_strokes(draw: DrawFn, cells: bytearray, frame: Frame, fillers: bytes) -> None:
    width = frame.width
    stroke = st.tuples(
        st.integers(0, frame.cells - 1),
        st.integers(1, max(frame.height, width)),
        st.sampled_from((1, width)),
        st.sampled_from(fillers[1:]),
    )
    least = draw(st.sampled_from((0, 0, min(4, frame.cells), min(20, frame.cells))))
    for start, length, step, letter in draw(st.lists(stroke, min_size=least, max_size=STROKES)):
        end = start - start % width + width if step == 1 else frame.cells
        for at in range(start, min(end, start + length * step), step):
            cells[at] = letter


def _tally(draw: DrawFn, item: Grid, cells: int, env: Env) -> tuple[int, ...]:
    tallies = item.tallies(cells, env)
    tally: tuple[int, ...] = ()
    for _ in range(tallies.letters):
        choices = tallies.choices(tally)
        assume(choices)
        number = tallies.nearest(tally, draw(st.integers(choices[0], choices[-1])))
        assume(number is not None)
        tally = (*tally, number or 0)
    return tally


def _edges(draw: DrawFn, item: Edges, env: Env) -> tuple[Edge, ...]:
    vertices, edges = count_of(item.vertices, env), count_of(item.edges, env)
    assume(not (item.simple and edges > item.pairs(vertices)))
    assume(edges == 0 or vertices > (0 if item.has_loops else 1))
    assume(not (item.connected and edges < vertices - 1))
    pairs = _tree(draw, vertices) if item.connected else []
    pairs += _more(draw, item, vertices, edges, pairs)
    if vertices and draw(st.booleans()):
        label = draw(st.permutations(range(vertices)))
        pairs = [(label[u], label[v]) for u, v in pairs]
    if item.rising or item.acyclic:
        place = draw(st.permutations(range(vertices))) if vertices and not item.rising else range(vertices)
        pairs = [(u, v) if place[u] < place[v] else (v, u) for u, v in pairs]
    based = [(u + item.base, v + item.base) for u, v in pairs]
    if item.weight is None:
        return tuple(based)
    return tuple((*pair, _between(draw, *item.weight.bounds(env))) for pair in based)


def _tree(draw: DrawFn, vertices: int) -> list[Pair]:
    """Draw a tree in which every vertex has an earlier parent; a star is the simplest."""
    return [(draw(st.integers(0, vertex - 1)), vertex) for vertex in range(1, vertices)]


def _parents(draw: DrawFn, item: Parents, env: Env) -> tuple[int, ...]:
    """Draw parents; in a forest each vertex after the first may be a root, too."""
    vertices = count_of(item.vertices, env)
    own = st.none() if item.forest else st.nothing()
    above: Above = [None, *(draw(own | st.integers(0, vertex - 1)) for vertex in range(1, vertices))][:vertices]
    if item.anywhere:
        first = 1 if item.root is None else 0
        above = relabelled(above, [*range(first), *draw(st.permutations(range(first, vertices)))])
    return item.numbered(above)


def _more(draw: DrawFn, item: Edges, vertices: int, edges: int, pairs: list[Pair]) -> list[Pair]:
    """Draw the edges beyond those of the tree."""
    missing = edges - len(pairs)
    if missing == 0:
        return []
    if item.has_loops:
        vertex = st.integers(0, vertices - 1)
        return draw(st.lists(st.tuples(vertex, vertex), min_size=missing, max_size=missing))
    every = [pair_of(number, vertices, item.both_ways) for number in range(item.pairs(vertices))]
    if not item.simple:
        return draw(st.lists(st.sampled_from(every), min_size=missing, max_size=missing))
    taken = set(pairs)
    free = [pair for pair in every if pair not in taken]
    return [free.pop(draw(st.integers(0, len(free) - 1))) for _ in range(missing)]
