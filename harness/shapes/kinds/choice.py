"""One of several blocks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from typing import Any, ClassVar

from harness.shapes.drawing import Drawer
from harness.shapes.errors import InputError
from harness.shapes.expressions import Env, Expression
from harness.shapes.kinds.block import Block, Record
from harness.shapes.kinds.kind import Kind
from harness.shapes.measure import Cut, Rank
from harness.shapes.reader import Reader
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Choice(Kind[Record]):
    """One of several blocks, as for queries of different kinds. The reader takes the first block that fits."""

    fills_lines: ClassVar[bool] = True
    holds_blocks: ClassVar[bool] = True

    blocks: tuple[Block, ...]

    def block_of(self, part: Record) -> Block:
        """Return the block of a record."""
        return self.blocks[part.form]

    def parse(self, reader: Reader, env: Env) -> Record:
        """Read the first block that fits; if none does, raise the error that is furthest in the input."""
        start, faults = reader.at, []
        # Trying a block that cannot begin here costs much more than checking its first word.
        likely = [form for form, block in enumerate(self.blocks) if block.items[0].may_begin(reader)]
        for form in likely or range(len(self.blocks)):
            try:
                return replace(self.blocks[form].parse(reader, env), form=form)
            except InputError as error:
                faults.append(error)
                reader.at = start
        raise max(faults, key=lambda fault: (fault.line, fault.column))

    def write(self, part: Record, lines: list[bytes]) -> None:
        self.block_of(part).write(part, lines)

    def values(self, env: Env, size: int) -> Iterator[Record]:
        for form, block in enumerate(self.blocks):
            yield from (replace(record, form=form) for record in block.values(env, size))

    def rank(self, part: Record, env: Env) -> Rank:
        own = self.block_of(part).rank(part, env)
        return (own[0], own[1] + part.form, own[2])

    def fits(self, part: Record, env: Env) -> bool:
        return self.block_of(part).fits(part, env)

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return tuple(each for block in self.blocks for item in block.items for each in item.expressions)

    @property
    def counting(self) -> frozenset[str]:
        return frozenset(name for block in self.blocks for name in block.counting)

    def least_size(self, env: Env) -> int:
        return min(block.least_size(env) for block in self.blocks)

    def cut(self, part: Record, cut: Cut) -> Record:
        return self.block_of(part).cut_within(part, cut)

    def draw(self, drawer: Drawer, env: Env, budget: int) -> Record:
        form = drawer.forms_of(self, len(self.blocks)).next()
        return replace(self.blocks[form].draw(drawer, env, budget), form=form)

    @property
    def is_column(self) -> bool:
        return all(block.is_plain for block in self.blocks)

    def draw_column(
        self, drawer: Drawer, env: Env, count: int, budget: int, before: Mapping[str, Sequence[Any]]
    ) -> Sequence[Record]:
        """Draw the form of each row, then the values of each form."""
        forms = drawer.forms_of(self, len(self.blocks))
        order = [forms.next() for _ in range(count)]
        rows = {
            form: self.blocks[form].draw_rows(
                drawer, env, order.count(form), budget, _rows_of(before, order, form)
            )
            for form in dict.fromkeys(order)
        }
        return [replace(next(rows[form]), form=form) for form in order]

    def relaxed(self, flag: str) -> "Choice":
        return replace(self, blocks=tuple(block.relaxed(flag) for block in self.blocks))

    def loosest(self) -> "Choice":
        return replace(self, blocks=tuple(map(_loosest_form, self.blocks)))

    def tightened(self, scope: Sequence[str]) -> Iterator["Choice"]:
        for place, block in enumerate(self.blocks):
            for other in block.tightened(scope):
                yield replace(self, blocks=(*self.blocks[:place], other, *self.blocks[place + 1 :]))

    def with_leaves(self, change: Callable[[Any], Any]) -> "Choice":
        return replace(self, blocks=tuple(block.with_leaves(change) for block in self.blocks))

    def held(self, parts: Sequence[Record]) -> list[bool]:
        own = ([part for part in parts if part.form == form] for form in range(len(self.blocks)))
        return [held for block, records in zip(self.blocks, own, strict=True) for held in block.held(records)]


def _loosest_form(block: Block) -> Block:
    """Return the block with its items made loosest, except the word that identifies the form."""
    (first, *others), *lines = block.lines
    rest = Block(lines=(tuple(others), *lines)).loosest().lines
    return Block(lines=((first, *rest[0]), *rest[1:]))


def _rows_of(columns: Mapping[str, Sequence[Any]], forms: Sequence[int], form: int) -> dict[str, Sequence[Any]]:
    """Return the columns with only the rows of one form."""
    chosen = [of_form == form for of_form in forms]
    return {name: list(compress(column, chosen)) for name, column in columns.items()}
