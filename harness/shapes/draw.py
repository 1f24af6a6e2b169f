"""Random values of a shape, of about the size that is asked for; same seed, same value."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from math import isqrt
from random import Random

from harness.shapes.block_kinds import are_cases, is_dear, is_plain
from harness.shapes.cells import frame_of
from harness.shapes.draw_graphs import draw_edges, draw_parents
from harness.shapes.draw_integers import Numbers, ordered
from harness.shapes.draw_lines import Forms, linked
from harness.shapes.draw_permutations import draw_permutation
from harness.shapes.errors import ShapeError
from harness.shapes.estimate import allowed, largest_within, least_size
from harness.shapes.expressions import Env, Expression, Name, count_of
from harness.shapes.fields import word_of
from harness.shapes.mark_counts import tallies_of
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
)
from harness.shapes.randomness import Bits

ATTEMPTS, _RETRIES = 200, 10
LARGEST = 10**8
_DENSITIES = (0, 8, 24, 48, 64, 80, 104, 128, 200)  # of cells that are not the first letter, of 256


class Infeasible(Exception):  # noqa: N818 (a dead end, not a fault)
    """No value goes on from the integers drawn so far."""


def draw(
    shape: Shape, source: Random, size: int, *, full: bool = False, many: int = 1, kinds: Random | None = None
) -> Record:
    """A random value of at most about `size` cells, letters, items and edges; small ones are likely too.

    full: mostly as large as that, for what breaks only near the limits. many: so many test cases of that size each,
    where the shape has any and allows it, for what breaks seldom: one run tries them all. kinds: chooses whether arrays
    are in order, trees are paths and so on, so that equal ones draw alike at all sizes; by default `source` does that,
    too.

    Integers that count nothing are mostly within `size` of the simplest, one in eight anywhere in its range.
    Raises ShapeError if no value is found.
    """
    if least_size(shape.block.items, {}) > LARGEST:
        raise ShapeError(f"shape: every value is larger than {LARGEST} cells, letters and items")
    for attempt in range(ATTEMPTS):
        # A shape may have no value this small: ask for larger ones by and by.
        budget = max(1, size) << (attempt // 20)
        bits = Bits(source=source, kinds=kinds)
        drawer = _Drawer(bits=bits, size=max(1, size), steady=bits.kind.one_in(2), full=full, many=many)
        try:
            return drawer.block(shape.block, {}, budget)
        except Infeasible:
            continue
    raise ShapeError(
        f"shape: no value found in {ATTEMPTS} attempts: do the ranges and counts contradict each other?"
    )


_SWITCHES = (1, 1, 2, 8, 64)
_MANY_ROWS = 100
_MOST_BLOCKS = 10_000


@dataclass(frozen=True, kw_only=True)
class _Drawer:
    """steady: an integer that comes again and again is drawn in one style; three large ones overflow together."""

    bits: Bits
    size: int
    steady: bool
    full: bool
    many: int
    numbers: dict[int, Numbers] = field(default_factory=dict)
    forms: dict[int, Forms] = field(default_factory=dict)
    letters: dict[bytes, bytes] = field(default_factory=dict)

    def block(self, block: Block, outer: Env, budget: int) -> Record:
        env, parts = dict(outer), []
        counting = block.counting
        for place, item in enumerate(block.items):
            later = block.items[place + 1 :]
            if isinstance(item, Integer) and item.name in counting:
                cases = self.many > 1 and not outer and any(are_cases(other, item) for other in later)
                count = self._many(item, later, env) if cases else self._count(item, later, env, budget)
                budget *= count if cases else 1
                part: Part = count
            else:
                part = self._item(item, env, budget)
            parts.append(part)
            if isinstance(item, Integer):
                env[item.name] = part
        return Record(names=block.names, parts=tuple(parts))

    def _many(self, item: Integer, later: tuple[Item, ...], env: Env) -> int:
        low, high = allowed(item, later, env)
        if low > high:
            raise Infeasible
        return max(low, min(self.many, high))

    def _count(self, item: Integer, later: tuple[Item, ...], env: Env, budget: int) -> int:
        kind, (low, high) = self.bits.kind, allowed(item, later, env)
        high = min(high, max(low, largest_within(item, later, env, budget)))
        if any(isinstance(other, Times) and is_dear(other, item) for other in later):
            high = min(high, max(low, _MOST_BLOCKS))
        if low > high:
            raise Infeasible
        if self.full and low <= 1 <= high and any(are_cases(other, item) for other in later) and kind.one_in(3):
            return 1  # all of the size for a single case
        if any(isinstance(other, Integer | Times | Choice) for other in later) and kind.one_in(2):
            high = max(low, min(high, isqrt(budget)))  # leave something to the other side
        if kind.one_in(4) or (self.full and kind.one_in(2)):
            return high
        return self.bits.between(low, high) if kind.one_in(3) else self.bits.small(low, high)

    def _item(self, item: Item, env: Env, budget: int) -> Part:  # noqa: PLR0911, PLR0912 (a case a kind of item)
        match item:
            case Integer():
                return self._integers(item, env, 1)[0]
            case Word():
                return self.bits.choice(item.words)
            case String():
                return self._string(item, env, budget)
            case Fields():
                return word_of(item, [self._field(each.low, each.high) for each in item.fields])
            case Array() if isinstance(item.item, Integer):
                return self._array(item, item.item, env)
            case Array():
                count = count_of(item.count, env)
                return tuple(self._item(item.item, env, budget // count) for _ in range(count))
            case Permutation():
                return draw_permutation(self.bits, item.base, count_of(item.count, env))
            case Parents():
                return draw_parents(self.bits, item, env)
            case Grid():
                return self._grid(item, env)
            case Edges():
                edges = draw_edges(self.bits, item, env, lambda weight, count: self._integers(weight, env, count))
                return _feasible(edges)
            case Choice():
                return self._choice(item, env, budget)
            case Times():
                count = count_of(item.count, env)
                if (count >= _MANY_ROWS or item.row) and is_plain(item.block):
                    return tuple(self._rows(item.block, env, count, budget // max(1, count), item.row))
                inner = (item.inner(env, number) for number in range(1, count + 1))
                return tuple(self._one_block(item.block, each, budget // count) for each in inner)

    def _one_block(self, block: Block, outer: Env, budget: int) -> Record:
        """One of several: a dead end in it is not one for all of them."""
        for _ in range(_RETRIES):
            with contextlib.suppress(Infeasible):
                return self.block(block, outer, budget)
        raise Infeasible

    def _array(self, item: Array, inner: Integer, env: Env) -> tuple[int, ...]:
        drawn = self._integers(inner, env, count_of(item.count, env))
        if not item.order:
            return drawn
        found = ordered(item.order, drawn, *inner.bounds(env))
        if found is None:
            raise Infeasible
        return found

    def _rows(self, block: Block, env: Env, count: int, budget: int, row: str = "") -> Iterator[Record]:
        """Many values of a block of single words, column by column: much faster, and a column is of one kind."""
        columns: list[Sequence[Part]] = []
        own = {*block.names, row}
        for item in block.items:
            if isinstance(item, Integer) and (item.low.names | item.high.names) & own:
                limits = self._within_rows(
                    item, {row: range(1, count + 1), **dict(zip(block.names, columns, strict=False))}, env
                )
                columns.append(self._between_limits(limits, hangs=row in item.high.names))
            elif isinstance(item, Integer):
                columns.append(self._integers(item, env, count))
            elif isinstance(item, Word):
                columns.append([item.words[at] for at in self.bits.many_between(0, len(item.words) - 1, count)])
            elif isinstance(item, String | Fields):
                columns.append([self._item(item, env, budget) for _ in range(count)])
            elif isinstance(item, Choice):
                columns.append(self._choices(item, env, count, budget))
        linked(self.bits, block, columns, env)
        parts = zip(*columns, strict=True) if columns else iter([()] * count)
        return (Record(names=block.names, parts=row) for row in parts)

    def _within_rows(self, item: Integer, before: Mapping[str, Sequence[Part]], env: Env) -> list[tuple[int, int]]:
        """The limits of a column that are in the columns before it."""
        return list(zip(_limits(item.low, before, env), _limits(item.high, before, env), strict=False))

    def _between_limits(self, limits: Sequence[tuple[int, int]], *, hangs: bool) -> list[int]:
        """A number within each of these limits. hangs: on an earlier row, so that a path and a star matter too."""
        if any(low > high for low, high in limits):
            raise Infeasible
        chances = self.bits.many_between(0, (1 << 62) - 1, len(limits))
        drawn = list(zip(limits, chances, strict=True))
        if not hangs:
            return [low + chance % (high - low + 1) for (low, high), chance in drawn]
        reach = self.bits.kind.choice((0, 1, 2, 4, self.size, self.size))  # 0: a star, 1: a path
        return [high - chance % min(high - low + 1, reach) if reach else low for (low, high), chance in drawn]

    def _choices(self, item: Choice, env: Env, count: int, budget: int) -> list[Record]:
        """A column of a choice: which form each is, then the values of each form."""
        forms = self._forms(item)
        order = [forms.next() for _ in range(count)]
        rows = {
            form: self._rows(item.blocks[form], env, order.count(form), budget) for form in dict.fromkeys(order)
        }
        return [replace(next(rows[form]), form=form) for form in order]

    def _choice(self, item: Choice, env: Env, budget: int) -> Record:
        """A value of one form. Where choices are repeated they may come in long runs: all of one kind, then queries."""
        form = self._forms(item).next()
        return replace(self.block(item.blocks[form], env, budget), form=form)

    def _forms(self, item: Choice) -> Forms:
        forms = self.forms.get(id(item))
        if forms is None:
            count, one_in = len(item.blocks), self.bits.kind.choice((*_SWITCHES, max(1, self.size // 2)))
            forms = Forms(bits=self.bits, count=count, one_in=one_in, form=self.bits.below(count))
            self.forms[id(item)] = forms
        return forms

    def _integers(self, item: Integer, env: Env, count: int) -> tuple[int, ...]:
        """So many integers of one range."""
        low, high = item.bounds(env)
        if low > high:
            raise Infeasible
        numbers = self.numbers.get(id(item))
        if numbers is None:
            numbers = Numbers(
                bits=self.bits, size=self.size * self._unit(item), steady=self.steady, full=self.full
            )
            self.numbers[id(item)] = numbers
        return numbers.draw(low, high, count)

    def _unit(self, item: Integer) -> int:
        """By what integers mostly lie apart: of numbers with decimal places, often by wholes."""
        return 10**item.decimals if item.decimals and self.bits.kind.one_in(2) else 1

    def _string(self, item: String, env: Env, budget: int) -> bytes:
        low, high = count_of(item.low, env), count_of(item.high, env)
        if low > high:
            raise Infeasible
        most = max(low, min(high, budget))
        length = most if self.full and self.bits.one_in(3) else self.bits.between(low, most)
        letters = (
            self.letters.setdefault(item.alphabet, self._letters(item)) if self.steady else self._letters(item)
        )
        return self._text(letters, length)

    def _field(self, low: int, high: int) -> int:
        """Anywhere in the range, or at an end of it."""
        return self.bits.choice((low, high)) if self.bits.one_in(4) else self.bits.between(low, high)

    def _letters(self, item: String) -> bytes:
        """All letters, or few: what matches much."""
        kind = self.bits.kind
        return item.alphabet if kind.one_in(2) else item.alphabet[: kind.between(1, 3)]

    def _text(self, letters: bytes, length: int) -> bytes:
        """Letters by chance; sometimes a word again and again, or a word and its mirror image."""
        style = self.bits.kind.below(8)
        own = (
            min(length, self.bits.kind.between(1, 4)) if style == 0 else -(-length // 2) if style == 1 else length
        )
        if len(letters) == 1:
            return letters * length
        word = bytes(map(letters.__getitem__, self.bits.many_between(0, len(letters) - 1, own)))
        if style == 0:
            return (word * (length // max(1, own) + 1))[:length]
        return word + word[: length - own][::-1] if style == 1 else word

    def _grid(self, item: Grid, env: Env) -> Rows:
        frame = frame_of(item, env)
        if item.border and min(frame.rows, frame.columns) < 2:
            raise Infeasible
        tally = self._tally(item, frame.cells, env)
        cells = bytearray(self.bits.bytes(frame.cells).translate(self._table(item.fillers or item.alphabet)))
        places = self.bits.sample(frame.cells, sum(tally))
        for letter, number in zip(item.marks, tally, strict=True):
            for _ in range(number):
                cells[places.pop()] = letter
        return frame.framed(bytes(cells))

    def _table(self, fillers: bytes) -> bytes:
        """From a uniform byte to a letter: the first one, but for a random density of the others."""
        others = fillers[1:]
        dense = self.bits.kind.choice(_DENSITIES) if others else 0
        return bytes(others[byte % len(others)] if byte < dense else fillers[0] for byte in range(256))

    def _tally(self, item: Grid, cells: int, env: Env) -> tuple[int, ...]:
        tallies = tallies_of(item, cells, env)
        tally: tuple[int, ...] = ()
        for _ in range(tallies.letters):
            choices = tallies.choices(tally)
            number = tallies.nearest(tally, self.bits.small(choices[0], choices[-1])) if choices else None
            if number is None:
                raise Infeasible
            tally = (*tally, number)
        if tallies.letters == 0 and not item.fillers and cells:
            raise Infeasible
        return tally


def _limits(limit: Expression, before: Mapping[str, Sequence[Part]], env: Env) -> Iterable[int]:
    """A limit in each row; without end where it is the same in all."""
    used = {name: column for name, column in before.items() if name in limit.names}
    if not used:
        return repeat(limit.value(env))
    if isinstance(limit, Name):  # much faster where there are many
        return used[limit.name]
    return [limit.value({**env, **dict(zip(used, row, strict=True))}) for row in zip(*used.values(), strict=True)]


def _feasible(edges: tuple[tuple[int, ...], ...] | None) -> tuple[tuple[int, ...], ...]:
    if edges is None:
        raise Infeasible
    return edges
