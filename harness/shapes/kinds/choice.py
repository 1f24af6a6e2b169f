"""Choices of one of several blocks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress, islice
from typing import Any, ClassVar, Self

from harness.shapes.drawing import Drawer
from harness.shapes.expressions import Env
from harness.shapes.kinds.block import Block, Record
from harness.shapes.kinds.kind import Cut, Kind, Rank
from harness.shapes.reader import InputError, Reader
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Choice(Kind[Record]):
    """One of several blocks, as for queries of different kinds. The reader takes the first block that fits."""

    fills_lines: ClassVar[bool] = True

    blocks: tuple[Block, ...]

    @property
    def inner(self) -> tuple[Block, ...]:
        return self.blocks

    def with_inner(self, blocks: Sequence[Block]) -> Self:
        return replace(self, blocks=tuple(blocks))

    def records(self, part: Record, env: Env) -> Iterator[tuple[tuple[int, ...], int, Record, Env]]:
        yield (), part.form, part, env

    def read(self, reader: Reader, env: Env) -> Record:
        """Read the first block that fits; if none does, raise the error that is furthest in the input."""
        start, faults = reader.at, []
        # Trying a block that cannot begin here costs much more than checking its first word.
        likely = [form for form, block in enumerate(self.blocks) if block.items[0].may_begin(reader)]
        for form in likely or range(len(self.blocks)):
            try:
                return self.blocks[form].parse(reader, env)._replace(form=form)
            except InputError as error:
                faults.append(error)
                reader.at = start
        raise max(faults, key=lambda fault: (fault.line, fault.column))

    def write(self, part: Record, lines: list[bytes]) -> None:
        self.blocks[part.form].write(part, lines)

    def values(self, env: Env, size: int) -> Iterator[Record]:
        for form, block in enumerate(self.blocks):
            yield from (record._replace(form=form) for record in block.values(env, size))

    def rank(self, part: Record, env: Env) -> Rank:
        own = self.blocks[part.form].rank(part, env)
        return (own[0], own[1] + part.form, own[2])

    def fits(self, part: Record, env: Env) -> bool:
        return self.blocks[part.form].fits(part, env)

    def least_cells(self, env: Env) -> int:
        return min(block.least_cells(env) for block in self.blocks)

    def size_floor(self, env: Env) -> int:
        return min(block.size_floor(env) for block in self.blocks)

    def cut(self, part: Record, cut: Cut) -> Record:
        return self.blocks[part.form].cut_within(part, cut)

    def draw(self, drawer: Drawer, env: Env, budget: int) -> Record:
        form = next(drawer.forms_of(self, len(self.blocks)))
        return self.blocks[form].draw(drawer, env, budget)._replace(form=form)

    @property
    def is_column(self) -> bool:
        return all(block.is_plain for block in self.blocks)

    def draw_column(
        self, drawer: Drawer, env: Env, count: int, budget: int, before: Mapping[str, Sequence[Any]]
    ) -> Sequence[Record]:
        """Draw the form of each row, then the values of each form."""
        order = list(islice(drawer.forms_of(self, len(self.blocks)), count))
        rows = {
            form: self.blocks[form].draw_rows(
                drawer, env, order.count(form), budget, _rows_of(before, order, form), form=form
            )
            for form in dict.fromkeys(order)
        }
        return [next(rows[form]) for form in order]

    def loosest(self) -> Self:
        """Return the choice with all items made loosest, except the word that identifies a form."""
        return self.with_inner([_loosest_form(block) for block in self.blocks])


def _loosest_form(block: Block) -> Block:
    first = block.items[0]
    return block.mapped(lambda item: item if item is first else item.loosest())


def _rows_of(columns: Mapping[str, Sequence[Any]], forms: Sequence[int], form: int) -> dict[str, Sequence[Any]]:
    """Return the columns with only the rows of one form."""
    chosen = [of_form == form for of_form in forms]
    return {name: list(compress(column, chosen)) for name, column in columns.items()}
