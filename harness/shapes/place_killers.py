"""Put known killers (killers.py) into drawn inputs of a shape, wherever they fit."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import cycle
from math import isqrt

from harness.shapes.expressions import Env, Name, count_of, origin
from harness.shapes.killers import (
    EQUAL_TOO,
    GRAPHS,
    NAMES,
    NUMBERS,
    WORDS,
    GraphKiller,
    NumberKiller,
    WordKiller,
)
from harness.shapes.kinds import Array, Edges, Integer, Record, Shape, String, Times
from harness.shapes.limits import spans, with_limits
from harness.shapes.passes import PartPath, parts_in, put_all
from harness.shapes.reader import ShapeError
from harness.shapes.values import draw_large, fits, write
from harness.values import dataclass

_LEAST_COLUMN = 10  # numbers in a column
_TRIAL_SIZE = 300


def killer_inputs(
    shape: Shape, size: int, *, names: Sequence[str] = NAMES, seed: int = 0
) -> Iterator[tuple[str, bytes]]:
    """Yield, for each killer that fits, its name and an input of the shape with the killer wherever it fits.

    size: of the input, about, in cells, letters and items. seed: of the other parts of the input, which are drawn.
    """
    for name, value, changed in _changed_draws(shape, size, names, seed):
        if changed != value and fits(shape, changed):
            yield name, write(shape, changed)


def without_misfits(shape: Shape, names: Sequence[str]) -> list[str]:
    """Leave out the killers that break the shape in a small input: they would in a large one, which takes long."""
    tried = [(name, fits(shape, changed)) for name, _, changed in _changed_draws(shape, _TRIAL_SIZE, names, 0)]
    misfits = {name for name, _ in tried} - {name for name, does_fit in tried if does_fit}
    return [name for name in names if name not in misfits]


def _changed_draws(
    shape: Shape, size: int, names: Sequence[str], seed: int
) -> Iterator[tuple[str, Record, Record]]:
    """Yield, for each killer, its name, a drawn value, and that value with the killer in it; of graphs perhaps two."""
    graphs = [name for name in names if name in GRAPHS]
    others = [name for name in names if name not in GRAPHS]
    for fitting, forced in ((others, ()), (graphs, _graphs_of(shape, size) if graphs else ())):
        for value in _large_values(shape, forced, size, seed) if fitting else ():
            places = _Places(shape, value)
            for name in fitting:
                changed = put_all(value, changes) if (changes := _changes(name, value, places)) else value
                if isinstance(changed, Record):
                    yield name, value, changed


def _large_values(shape: Shape, forced: Sequence[Shape], size: int, seed: int) -> Iterator[Record]:
    """Yield a large draw of each of the forced shapes, if it fits the shape; if none does, a draw of the shape."""
    some_fit = False
    for tried in forced:
        with suppress(ShapeError):
            value = draw_large(tried, seed, size)
            if fits(shape, value):  # other limits may depend on the forced ones
                some_fit = True
                yield value
    if not some_fit:
        with suppress(ShapeError):
            yield draw_large(shape, seed, size)


def _changes(name: str, value: Record, places: "_Places") -> "Changes":
    if name in WORDS:
        return _with_words(value, places, WORDS[name])
    if name in GRAPHS:
        return _with_edges(value, places, GRAPHS[name])
    changes = _with_numbers(value, places, NUMBERS[name])
    if name != EQUAL_TOO:
        return changes
    single = [(at.path, origin(*item.bounds(at.env))) for item, at in places.single]
    return [*changes, *single] if changes and single else []


def _graphs_of(shape: Shape, size: int) -> list[Shape]:
    """Return the shape with the counts of a sparse and of a dense graph; none if no integers count its edges.

    Random counts often give a few vertices with all edges.
    """
    limits, graphs = {span.name: span for span in spans(shape) if span.outer}, list[Shape]()
    named = next((item for item in shape.block.items if isinstance(item, Edges) and not item.tree), None)
    if named is None or not (isinstance(named.vertices, Name) and isinstance(named.edges, Name)):
        return []
    vertices, edges = limits.get(named.vertices.name), limits.get(named.edges.name)
    if vertices is None or edges is None or vertices.name == edges.name:
        return []
    for most, wanted in ((size // 2, 1), (isqrt(2 * size), size)):
        count = min(most, vertices.high or most)
        count -= count % 3 if count > 3 else 0  # then the cliques of the sparse one are whole
        pairs = named.pairs(count) if named.simple else size
        many = min(size // 2, wanted * count, pairs, edges.high or size)
        forced = with_limits(shape, vertices.index, low=count, high=count)
        graphs.append(with_limits(forced, edges.index, low=many, high=many))
    return graphs


Changes = list[tuple[tuple[int, ...], object]]


@dataclass(frozen=True, kw_only=True)
class _Table:
    """Rows of integers: the part `at` of a value. env: the integers known in the first row."""

    at: int
    integers: Sequence[Integer]
    rows: Sequence[Record]
    env: Env

    def with_numbers(self, makes: Iterator[NumberKiller]) -> tuple[Record, ...]:
        """Return the rows with the next killer's numbers in each column; none if it has no numbers for them."""
        columns: list[Sequence[int]] = list(zip(*(row.parts for row in self.rows), strict=True))
        numbers = [next(makes)(len(self.rows), *integer.bounds(self.env)) for integer in self.integers]
        if not any(numbers):
            return ()
        columns = [(*new[: len(old)], *old[len(new) :]) for old, new in zip(columns, numbers, strict=True)]
        return tuple(Record(names=self.rows[0].names, parts=parts) for parts in zip(*columns, strict=True))


class _Places:
    """The parts of a value that killers change: lists, tables and columns of integers, words, edges."""

    def __init__(self, shape: Shape, value: Record) -> None:
        self.tables = list(_tables(shape, value))
        for table in self.tables:  # much faster than cell by cell
            value = value.with_part(table.at, ())
        self.single: list[tuple[Integer, PartPath]] = []  # those that count nothing
        self.lists: list[tuple[Integer, PartPath]] = []
        self.strings: list[tuple[String, PartPath]] = []
        self.edges: list[tuple[Edges, PartPath]] = []
        columns: dict[int, tuple[Integer, list[PartPath]]] = {}
        for item, part_path in parts_in(shape.block, value):
            match item:
                case Integer():
                    if len(part_path.path) == 1 and item.name not in shape.block.counting:
                        self.single.append((item, part_path))
                    if len(part_path.path) > 1:
                        columns.setdefault(id(item), (item, []))[1].append(part_path)
                case Array(item=Integer() as integer):
                    self.lists.append((integer, part_path))
                case String():
                    self.strings.append((item, part_path))
                case Edges():
                    self.edges.append((item, part_path))
        self.columns = [column for column in columns.values() if len(column[1]) >= _LEAST_COLUMN]

    @property
    def count_of_numbers(self) -> int:
        """Return how many lists and columns of integers there are."""
        return sum(len(table.integers) for table in self.tables) + len(self.lists) + len(self.columns)


def _tables(shape: Shape, value: Record) -> Iterator[_Table]:
    env = shape.block.bound(value, {})
    for at, (item, part) in enumerate(shape.block.pairs(value)):
        if isinstance(item, Times) and len(part) >= _LEAST_COLUMN and item.block.is_table:
            integers = [inner for inner in item.block.items if isinstance(inner, Integer)]
            yield _Table(at=at, integers=integers, rows=part, env=item.block.bound(part[0], item.scope(env, 1)))


def _with_numbers(value: Record, places: _Places, killers: Sequence[NumberKiller]) -> Changes:
    """Return the changes that put the numbers of these killers, in turn, into lists and columns of integers."""
    if len(killers) > places.count_of_numbers:
        return []
    makes = cycle(killers)
    changes: Changes = [((table.at,), rows) for table in places.tables if (rows := table.with_numbers(makes))]
    for integer, part_path in places.lists:
        part = part_path.get(value)
        numbers = next(makes)(len(part), *integer.bounds(part_path.env)) if part else ()
        changes += [(part_path.path, tuple(numbers))] if numbers else []
    for integer, column in places.columns:
        numbers = next(makes)(len(column), *integer.bounds(column[0].env))
        changes += [(part_path.path, number) for part_path, number in zip(column, numbers, strict=False)]
    return changes


def _with_words(value: Record, places: _Places, spell: WordKiller) -> Changes:
    changes: Changes = []
    for number, (item, part_path) in enumerate(places.strings):
        words = spell(len(part_path.get(value)), item.alphabet)
        changes += [(part_path.path, words[number % len(words)])] if words else []
    return changes


def _with_edges(value: Record, places: _Places, connect: GraphKiller) -> Changes:
    changes: Changes = []
    for item, part_path in places.edges:
        weight = item.weight.bounds(part_path.env)[1] if item.weight is not None else 1 << 30
        drawn = connect(count_of(item.vertices, part_path.env), len(part_path.get(value)), weight)
        step = item.base - 1
        ends = [(first + step, second + step, weight) for first, second, weight in drawn]
        edges = tuple(edge if item.weight is not None else edge[:2] for edge in ends)
        changes += [(part_path.path, edges)] if edges else []
    return changes
