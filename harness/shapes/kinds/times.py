"""Repeated blocks."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self, TypeAlias

from harness.shapes.drawing import Drawer, Infeasible
from harness.shapes.expressions import Env, Expression, Name, count_of
from harness.shapes.kinds.block import Block, Record, columns_of
from harness.shapes.kinds.integer import Integer
from harness.shapes.kinds.kind import Cut, Kind, Rank, nth_parts, sequences, total, value_count_of
from harness.shapes.kinds.order import TIGHTER_ORDERS, UNREPEATED, order_fault, ordered, relaxed_order
from harness.shapes.reader import Reader
from harness.values import dataclass

Records: TypeAlias = tuple[Record, ...]
_MANY_ROWS = 100  # blocks from which on they are drawn column by column
_RETRIES = 10  # draws of blocks, until there is one or enough different ones
_CROWDED = 3  # factor on the drawn blocks: if at most so many different ones are possible, draws are often equal


@dataclass(frozen=True, kw_only=True)
class Times(Kind[Records]):
    """A block, repeated `count` times. row: the name of the row number in the block, from 1.

    until: the line that ends the blocks, b"" for the end of the input. Then `count` is the hidden integer before it.
    order: "distinct": no two blocks are equal; "sorted" or "rising": so are their first words; "": any order.
    """

    fills_lines: ClassVar[bool] = True

    count: Expression
    block: Block
    row: str = ""
    until: bytes | None = None
    order: str = ""

    @property
    def inner(self) -> tuple[Block, ...]:
        return (self.block,)

    def with_inner(self, blocks: Sequence[Block]) -> Self:
        return replace(self, block=blocks[0])

    def scope(self, env: Env, number: int) -> Env:
        """Return the integers known within the `number`-th block."""
        return {**env, self.row: number} if self.row else env

    def records(self, part: Records, env: Env) -> Iterator[tuple[tuple[int, ...], int, Record, Env]]:
        for at, record in enumerate(part):
            yield (at,), 0, record, self.scope(env, at + 1)

    def read(self, reader: Reader, env: Env) -> Records:
        if self.until is not None:
            return self._parse_until(reader, self.until, env)
        count = count_of(self.count, env)
        if self._is_large_table(count) and (
            records := self.block.read_rows(reader, count, env, self._rows(count))
        ):
            return records
        return tuple(self.block.parse(reader, self.scope(env, number)) for number in range(1, count + 1))

    def _parse_until(self, reader: Reader, last: bytes, env: Env) -> Records:
        """Read the blocks and the line that ends them. In `env` the count is the least allowed number."""
        records: list[Record] = []
        least = self.count.value(env)
        what = f"`{last.decode()}`" if last else "the end of the input"
        while not (reader.starts_with(last + b"\n") if last else reader.at == len(reader.data)):
            if reader.at == len(reader.data):
                reader.expected(what)
            records.append(self.block.parse(reader, env))
        if len(records) < least:
            reader.fail(f"expected {least} or more blocks before {what}, found {len(records)}")
        reader.at += len(last) + 1 if last else 0
        return tuple(records)

    def write(self, part: Records, lines: list[bytes]) -> None:
        template = self.block.template
        if template is not None:  # much faster if there are many
            lines.extend([template % record.parts for record in part])
        else:
            for record in part:
                self.block.write(record, lines)
        lines.extend([self.until] if self.until else [])

    def values(self, env: Env, size: int) -> Iterator[Records]:
        count = count_of(self.count, env)

        def rows(own: int, left: int) -> Iterator[Record]:
            return self.block.values(self.scope(env, count - left + 1), own)

        parts = sequences(rows, count, size, self._floor_of_row(env))
        yield from (part for part in parts if self.fault(part, env) is None)

    def size_floor(self, env: Env) -> int:
        return count_of(self.count, env) * (1 + self._floor_of_row(env)) if self.count.names <= env.keys() else 0

    def _floor_of_row(self, env: Env) -> int:
        return 0 if self.row else self.block.size_floor(env)

    def rank(self, part: Records, env: Env) -> Rank:
        if self._is_large_table(len(part)):
            inner = self.block.rank_rows(part, env, self._rows(len(part)))
        else:
            inner = total([self.block.rank(record, scope) for _, _, record, scope in self.records(part, env)])
        return (inner[0] + len(part), *inner[1:])

    def fits(self, part: Records, env: Env) -> bool:
        return len(part) == count_of(self.count, env) and self._fit(part, env) and self.fault(part, env) is None

    def _fit(self, part: Records, env: Env) -> bool:
        if self._is_large_table(len(part)):
            return self.block.fits_columns(columns_of(part), env, self._rows(len(part)))
        return all(self.block.fits(record, scope) for _, _, record, scope in self.records(part, env))

    def _is_large_table(self, count: int) -> bool:
        return count >= _MANY_ROWS and self.block.is_table

    def _rows(self, count: int) -> dict[str, range]:
        """Return the column of row numbers by its name, if it has one."""
        return {self.row: range(1, count + 1)} if self.row else {}

    def fault(self, part: Records, env: Env) -> str | None:
        return order_fault(self.order, [self._key(record) for record in part], "block") if self.order else None

    def _key(self, record: Record) -> Any:
        """Return what the order compares."""
        return record.parts if self.order == "distinct" else record.parts[0]

    def narrowed(self, count: str, low: int, high: int, env: Env) -> tuple[int, int]:
        """Limit a count of different blocks to the number of possible ones."""
        most = self._possible_blocks(env) if self.count == Name(name=count) else None
        return low, high if most is None else min(high, most)

    def _possible_blocks(self, env: Env) -> int | None:
        """Return how many different blocks are possible; None: unknown, or without a limit."""
        if self.order not in ("rising", "distinct"):
            return None
        return value_count_of(self.block.items if self.order == "distinct" else self.block.items[:1], env)

    @property
    def lengths(self) -> tuple[Expression, ...]:
        return (self.count,)

    def least_cells(self, env: Env) -> int:
        times = count_of(self.count, env)
        return times * (1 + self.block.least_cells(self.scope(env, 1))) if times else 0

    def cut(self, part: Records, cut: Cut) -> Records:
        start, end = cut.span(self.count)
        moved = part[end:]
        if self.row and start < end:
            moved = tuple(self._hung(record, start, end) for record in moved)
        kept = part[:start] + moved
        if not self.block.depends_on(cut.axis):
            return kept
        if self._is_large_table(len(kept)):
            return self.block.cut_rows(kept, cut)
        return tuple(self._cut_inner(record, cut, number) for number, record in enumerate(kept, 1))

    def _hung(self, record: Record, start: int, end: int) -> Record:
        """Adapt a row after removed rows: a parent that was removed is replaced by the last row before these."""
        parts = list(record.parts)
        for index, item in enumerate(self.block.items):
            if isinstance(item, Integer) and item.high.names == {self.row}:
                first, last = (item.high.value({self.row: row}) for row in (start, end))
                value = parts[index]
                parts[index] = value - (last - first) if value > last else min(value, first)
        return record._replace(parts=tuple(parts))

    def _cut_inner(self, record: Record, cut: Cut, number: int) -> Record:
        before, after = self.scope(cut.before, number), self.scope(cut.after, number)
        return self.block.cut_within(record, replace(cut, before=before, after=after))

    def draw(self, drawer: Drawer, env: Env, budget: int) -> Records:
        count = count_of(self.count, env)
        part = self._drawn(drawer, env, budget // max(1, count), count)
        return self._arranged(drawer, env, budget, part) if self.order and part else part

    def _drawn(self, drawer: Drawer, env: Env, budget: int, count: int) -> Records:
        """Draw `count` blocks, each of about `budget` cells, letters and items."""
        if (count >= _MANY_ROWS or self.row) and self.block.is_plain:
            return tuple(self.block.draw_rows(drawer, env, count, budget, self._rows(count)))
        return tuple(self._draw_block(drawer, self.scope(env, number), budget) for number in range(1, count + 1))

    def _arranged(self, drawer: Drawer, env: Env, budget: int, part: Records) -> Records:
        """Return blocks that keep the order: the drawn ones, with new ones in place of duplicates."""
        count, possible = len(part), self._possible_blocks(env)
        if self.order == "sorted":
            return tuple(sorted(part, key=self._key))
        if self.order == "distinct" and possible is not None and possible <= _CROWDED * count:
            return self._sampled(drawer, env, count, possible)
        kept = {self._key(record): record for record in part}
        for _ in range(_RETRIES):
            if len(kept) == count:
                break
            missing = count - len(kept)
            more = self._drawn(drawer, env, budget // count, missing)
            kept |= {self._key(record): record for record in more}
            if missing >= _MANY_ROWS and (count - len(kept)) * _RETRIES > missing * (_RETRIES - 1):
                break  # hardly any new one: there may be no more
        if len(kept) == count:
            return tuple(kept.values() if self.order == "distinct" else (kept[key] for key in sorted(kept)))
        return self._moved_up(env, part)

    def _sampled(self, drawer: Drawer, env: Env, count: int, possible: int) -> Records:
        """Draw different blocks where few are possible: independent draws would often be equal."""
        if count > possible:
            raise Infeasible
        parts = (nth_parts(self.block.items, number, env) for number in drawer.bits.sample(possible, count))
        return tuple(Record(names=self.block.names, parts=tuple(each)) for each in parts)

    def _moved_up(self, env: Env, part: Records) -> Records:
        """Make the first integers of blocks different by raising some. Raises Infeasible if that is not possible."""
        first, *others = self.block.items
        names = {name for item in others for each in item.expressions for name in each.names}
        if self._possible_blocks(env) is None or not isinstance(first, Integer) or (first.name in names):
            raise Infeasible
        numbers = ordered(self.order, [record.parts[0] for record in part], *first.bounds(env))
        if numbers is None:
            raise Infeasible
        return tuple(record.with_part(0, number) for record, number in zip(part, numbers, strict=True))

    def relaxed(self, flag: str) -> Self:
        block = self.block.mapped(lambda item: item.relaxed(flag))
        return replace(self, block=block, order=relaxed_order(self.order, flag))

    def loosest(self) -> Self:
        return replace(self, block=self.block.mapped(lambda item: item.loosest()), order="")

    def tightened(self, scope: Sequence[str]) -> Iterator[Self]:
        yield from self._ordered(TIGHTER_ORDERS[self.order])

    def without_repeats(self) -> Iterator[Self]:
        is_number = len(self.block.items) == 1 and isinstance(self.block.items[0], Integer)
        if self.order == "sorted" or (not self.order and not is_number):  # unsorted numbers differ by chance
            yield from self._ordered((UNREPEATED[self.order],))

    def _ordered(self, orders: Sequence[str]) -> Iterator[Self]:
        """Yield the item with each of these orders that it can have."""
        if self.row or self.until is not None:
            return
        first = self.block.items[0]
        by_first = isinstance(first, Integer) and not first.hidden and first.name not in self.block.counting
        for order in orders:
            if self.block.is_plain if order == "distinct" else by_first:
                yield replace(self, order=order)

    def _draw_block(self, drawer: Drawer, outer: Env, budget: int) -> Record:
        """Draw a block; retry if it is infeasible, rather than give up the whole draw."""
        for _ in range(_RETRIES):
            with contextlib.suppress(Infeasible):
                return self.block.draw(drawer, outer, budget)
        raise Infeasible
