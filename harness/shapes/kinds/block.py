"""Blocks: lines of items, whose values are records. A shape is a block and its text."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, repeat
from typing import Any, NamedTuple, TypeAlias

from harness.shapes.drawing import Bits, Drawer
from harness.shapes.expressions import Env
from harness.shapes.kinds.counts import counts_cases, draw_case_count, draw_count, least_cells
from harness.shapes.kinds.integer import Integer
from harness.shapes.kinds.kind import Cut, Item, Rank, total
from harness.shapes.reader import Reader
from harness.values import dataclass

Change: TypeAlias = Callable[
    [Item, Sequence[str]], Iterator[Item]
]  # of an item, given the names of earlier integers

Part: TypeAlias = Any  # a value of an item; the item decides its type
Column: TypeAlias = Sequence[int]  # the values of an integer in the rows of a table
Line: TypeAlias = tuple[Item, ...]


class Record(NamedTuple):
    """A value of a block: the names of its items, and a part (a value) for each. A draw may have a million records.

    form: in a choice of several blocks, the index of the block.
    """

    names: tuple[str, ...]
    parts: tuple[Part, ...]
    form: int = 0

    def part(self, name: str) -> Part:
        """Return the part of the item with this name. Raises KeyError if there is none."""
        if not name or name not in self.names:
            raise KeyError(name)
        return self.parts[self.names.index(name)]

    def with_part(self, index: int, part: Part) -> "Record":
        """Return this record with one part replaced."""
        return self._replace(parts=(*self.parts[:index], part, *self.parts[index + 1 :]))


@dataclass(frozen=True, kw_only=True)
class Block:
    """Lines of items; an item that fills several lines stands alone in its line."""

    lines: tuple[Line, ...]

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """Return all items, in order."""
        return tuple(item for line in self.lines for item in line)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the items' names, "" for an item without a name."""
        return tuple(item.name for item in self.items)

    @cached_property
    def counting(self) -> frozenset[str]:
        """Return the integers that count something in this block or in an inner block."""
        return frozenset(name for item in self.items for name in item.counting)

    @cached_property
    def template(self) -> bytes | None:
        """Return a line that prints a record as `template % parts`; None if the block is not such a line."""
        marks = [item.conversion for item in self.items]
        formats = [mark for mark in marks if mark is not None]
        return b" ".join(formats) if len(self.lines) == 1 and formats == marks else None

    @property
    def axes(self) -> list[str]:
        """Return the integers of this block that count something."""
        return [item.name for item in self.items if isinstance(item, Integer) and item.name in self.counting]

    @property
    def is_plain(self) -> bool:
        """Return whether many records can be drawn at once: all items are single words, and none counts anything."""
        return all(item.is_column for item in self.items) and not self.counting & set(self.names)

    def pairs(self, record: Record) -> "zip[tuple[Item, Part]]":
        """Return the items, each with its part of a record."""
        return zip(self.items, record.parts, strict=True)

    def bound(self, record: Record, outer: Env) -> Env:
        """Return the integers known within a record: those from outside and its own."""
        own = {item.name: part for item, part in self.pairs(record) if isinstance(item, Integer) and item.name}
        return {**outer, **own}

    def parse(self, reader: Reader, outer: Env) -> Record:
        """Read a record. Raises InputError."""
        env, parts = dict(outer), list[Part]()
        for line in self.lines:
            first, *others = line
            previous = self.items[len(parts) - 1] if parts else None
            if isinstance(first, Integer) and first.hidden and not others:
                env[first.name] = first.low.value(env)  # the least, until its blocks are read
                parts.append(0)
            elif first.fills_lines:
                parts.append(first.parse(reader, env))
                if isinstance(previous, Integer) and previous.hidden:
                    parts[-2] = len(parts[-1])
            else:
                _parse_line(reader, line, env, parts)
        return Record(names=self.names, parts=tuple(parts))

    def write(self, record: Record, lines: list[bytes]) -> None:
        """Append a record as lines."""
        if self.template is not None:
            lines.append(self.template % record.parts)
            return
        at = 0
        for line in self.lines:
            parts = record.parts[at : at + len(line)]
            at += len(line)
            first = line[0] if len(line) == 1 else None
            if first is not None and first.fills_lines:
                first.write(parts[0], lines)
            elif not (isinstance(first, Integer) and first.hidden):
                words = (item.text(part) for item, part in zip(line, parts, strict=True))
                lines.append(b" ".join(word for word in words if word))

    def values(self, env: Env, size: int) -> Iterator[Record]:
        """Yield all records of a size."""
        for parts in _values(self.items, env, size):
            yield Record(names=self.names, parts=parts)

    def rank(self, record: Record, outer: Env) -> Rank:
        """Return the sum of the ranks of a record's parts."""
        env = self.bound(record, outer)
        return total([item.rank(part, env) for item, part in self.pairs(record)])

    def fits(self, record: Record, outer: Env) -> bool:
        """Return whether a record with parts of the right types is a value of the block."""
        env = self.bound(record, outer)
        return all(item.fits(part, env) for item, part in self.pairs(record))

    def least_cells(self, env: Env) -> int:
        """Return the least number of cells, letters and items of a record; see `counts.least_cells`."""
        return least_cells(self.items, env)

    def size_floor(self, env: Env) -> int:
        """Return a lower bound of the sizes of all records; see Kind."""
        return _size_floor(self.items, env)

    def drop(self, record: Record, outer: Env, axis: str, places: tuple[int, int]) -> Record:
        """Remove `places` (start, count) along the integer `axis`. The result need not fit the block."""
        start, count = places
        before = self.bound(record, outer)
        after = {**before, axis: before[axis] - count}
        return self._cut(record, Cut(axis=axis, start=start, count=count, before=before, after=after))

    def cut_within(self, record: Record, cut: Cut) -> Record:
        """Return an inner record without the parts that `cut` removes, whose axis is an outer integer."""
        if not self.depends_on(cut.axis):
            return record
        before, after = self.bound(record, cut.before), self.bound(record, cut.after)
        return self._cut(record, replace(cut, before=before, after=after))

    def depends_on(self, axis: str) -> bool:
        """Return whether a cut along `axis`, an outer integer, may change a record."""
        return any(axis in expression.names for item in self.items for expression in item.expressions)

    def _cut(self, record: Record, cut: Cut) -> Record:
        record = record._replace(parts=tuple(item.cut(part, cut) for item, part in self.pairs(record)))
        for item, part in self.pairs(record):
            if item.length_name in record.names and item.length_name:
                record = record.with_part(record.names.index(item.length_name), len(part))
        return record

    def draw(self, drawer: Drawer, outer: Env, budget: int) -> Record:
        """Draw a record. Raises Infeasible."""
        env, parts = dict(outer), list[Part]()
        for index, item in enumerate(self.items):
            later, own = self.items[index + 1 :], drawer.of(item)
            if isinstance(item, Integer) and drawer.many > 1 and not outer and counts_cases(later, item.name):
                part: Part = draw_case_count(own, item, later, env)
                budget *= part
            elif isinstance(item, Integer) and item.name in self.counting:
                part = draw_count(own, item, later, env, budget)
            else:
                part = item.draw(own, env, budget)
            parts.append(part)
            if isinstance(item, Integer):
                env[item.name] = part
        return Record(names=self.names, parts=tuple(parts))

    def draw_rows(
        self,
        drawer: Drawer,
        env: Env,
        count: int,
        budget: int,
        outer: Mapping[str, Sequence[Part]],
        *,
        form: int = 0,
    ) -> Iterator[Record]:
        """Draw many records of a plain block, column by column: much faster, and each column has one style.

        outer: earlier columns of the same rows, by name. form: of the records.
        """
        before = dict(outer)
        columns: list[Sequence[Part]] = []
        for item in self.items:
            columns.append(item.draw_column(drawer.of(item), env, count, budget, before))
            if item.name:
                before[item.name] = columns[-1]
        _link(drawer.bits, self, columns, env)
        rows = zip(*columns, strict=True) if columns else iter([()] * count)
        return map(Record, repeat(self.names), rows, repeat(form))

    @property
    def is_table(self) -> bool:
        """Return whether many records can be read and checked at once: all items are integers that count nothing."""
        return self.is_plain and all(isinstance(item, Integer) for item in self.items)

    def fits_columns(self, columns: Iterable[Column], env: Env, outer: Mapping[str, Column]) -> bool:
        """Return whether all rows of a table fit: much faster than one by one. outer: as in `draw_rows`."""
        before = dict(outer)
        for item, column in zip(self.items, columns, strict=True):
            if not (isinstance(item, Integer) and item.fits_column(column, env, before)):
                return False
            before[item.name] = column
        return True

    def read_rows(
        self, reader: Reader, count: int, env: Env, outer: Mapping[str, Column]
    ) -> tuple[Record, ...] | None:
        """Read the rows of a table; None: one does not fit, and the cursor stays."""
        start, width = reader.at, len(self.items)
        numbers = reader.rows_of_integers(count, width) if self.template is not None else []
        columns = [numbers[at::width] for at in range(width)]
        if numbers and self.fits_columns(columns, env, outer):
            return self._rows_of(columns)
        reader.at = start
        return None

    def rank_rows(self, records: Sequence[Record], env: Env, outer: Mapping[str, Column]) -> Rank:
        """Return the sum of the ranks of the rows of a table."""
        before, ranks = dict(outer), list[Rank]()
        for item, column in zip(self.items, columns_of(records), strict=True):
            if isinstance(item, Integer):  # as all items of a table
                ranks.append(item.rank_column(column, env, before))
            before[item.name] = column
        return total(ranks)

    def cut_rows(self, records: Sequence[Record], cut: Cut) -> tuple[Record, ...]:
        """Return the rows of a table without the parts that `cut` removes."""
        columns = zip(self.items, columns_of(records), strict=True)
        return self._rows_of([[item.cut(part, cut) for part in column] for item, column in columns])

    def _rows_of(self, columns: Sequence[Column]) -> tuple[Record, ...]:
        return tuple(map(Record, repeat(self.names), zip(*columns, strict=True)))

    def mapped(self, change: Callable[[Item], Item]) -> "Block":
        """Return the block with each item changed."""
        return Block(lines=tuple(tuple(change(item) for item in line) for line in self.lines))

    def with_leaves(self, change: Callable[[Any], Any]) -> "Block":
        """Return the block with each Integer and String in it changed, in order."""
        return self.mapped(lambda item: item.with_leaves(change))

    def variants(self, change: Change, outer: Sequence[str]) -> Iterator["Block"]:
        """Yield the block with each change of a single item, also of inner items."""
        scope = list(outer)
        for number, line in enumerate(self.lines):
            for index, item in enumerate(line):
                for other in chain(_inner_variants(item, change, scope), change(item, scope)):
                    changed = (*line[:index], other, *line[index + 1 :])
                    yield Block(lines=(*self.lines[:number], changed, *self.lines[number + 1 :]))
                if isinstance(item, Integer) and item.name and not (item.hidden or item.decimals):
                    scope.append(item.name)

    def leaf_values(self, records: Sequence[Record]) -> list[list[Any]]:
        """Return, for each Integer and String in the block in order, all its values in these records."""
        parts = ([record.parts[index] for record in records] for index in range(len(self.items)))
        return [held for item, own in zip(self.items, parts, strict=True) for held in item.leaf_values(own)]


@dataclass(frozen=True, kw_only=True)
class Shape:
    """An input format: its text and its block."""

    text: str
    block: Block


def columns_of(records: Sequence[Record]) -> "zip[tuple[Part, ...]]":
    """Return the columns of rows: of each item its parts."""
    return zip(*(record.parts for record in records), strict=True)


def _inner_variants(item: Item, change: Change, scope: Sequence[str]) -> Iterator[Item]:
    """Yield the item with each change of a single item in its blocks."""
    for index, block in enumerate(item.inner):
        for other in block.variants(change, scope):
            yield item.with_inner((*item.inner[:index], other, *item.inner[index + 1 :]))


def _parse_line(reader: Reader, line: Line, env: dict[str, int], parts: list[Part]) -> None:
    begun = False
    for index, item in enumerate(line):
        start = reader.at
        if isinstance(item, Integer) and item.hidden:
            env[item.name] = item.items_left(reader, env, begun=begun, behind=len(line) - index - 2)
            parts.append(env[item.name])
            continue
        if begun and not item.is_empty(env):
            if item.may_be_empty(env) and not reader.starts_with(b" "):
                parts.append(b"")
                continue
            reader.space()
        first = reader.at
        part = item.parse(reader, env)
        if begun and reader.at == first != start:
            reader.fail("expected the end of the line, found a space", start)
        begun = begun or reader.at > first
        parts.append(part)
        if isinstance(item, Integer) and item.name and not item.decimals:
            env[item.name] = part
    reader.newline()


def _values(items: tuple[Item, ...], env: Env, size: int) -> Iterator[tuple[Part, ...]]:
    """Yield the values of the items whose sizes sum to `size`."""
    if not items:
        if size == 0:
            yield ()
        return
    first, rest = items[0], items[1:]
    if isinstance(first, Integer):
        for own in first.sizes(env, size) if rest else (size,):
            for value in first.values(env, own):
                inner = {**env, first.name: value}
                yield from ((value, *parts) for parts in _values(rest, inner, size - own))
        return
    most = size - _size_floor(rest, env)
    for own in range(first.size_floor(env), most + 1) if rest else (size,):
        for part in first.values(env, own):
            has_rest = False
            for parts in _values(rest, env, size - own):
                has_rest = True
                yield (part, *parts)
            if not has_rest:
                break  # nor is there one for another part


def _size_floor(items: Sequence[Item], env: Env) -> int:
    """Return a lower bound of the sizes of all values of these items together."""
    own = {item.name for item in items if isinstance(item, Integer)}
    outer = {name: value for name, value in env.items() if name not in own} if own & env.keys() else env
    return sum(item.size_floor(outer) for item in items)


def _link(bits: Bits, block: Block, columns: list[Sequence[Part]], env: Mapping[str, int]) -> None:
    """Sometimes replace two columns of indexes by the edges of a path or of a star, which make programs slow."""
    if not bits.style.one_in(3):
        return
    integers = [(index, item) for index, item in enumerate(block.items) if isinstance(item, Integer)]
    ranges = [(index, item) for index, item in integers if item.low != item.high]
    if len(ranges) < 2:
        return
    (index, first), (other_index, second) = ranges[:2]
    if first.high != second.high or not first.high.names or not (first.low.names | first.high.names) <= env.keys():
        return  # no indexes
    others = [item for at, item in integers if at not in (index, other_index)]
    if any((item.low.names | item.high.names) & {first.name, second.name} for item in others):
        return
    low, high = first.bounds(env)
    span, star = high - low, bits.style.one_in(3)
    if span > 0:
        count = len(columns[index])
        columns[index] = [low if star else low + number % span for number in range(count)]
        columns[other_index] = [low + 1 + number % span for number in range(count)]
