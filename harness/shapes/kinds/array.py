"""Items of one kind on one line."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Self, TypeAlias

from harness.shapes.drawing import Drawer, Infeasible
from harness.shapes.expressions import Env, Expression, Name, count_of
from harness.shapes.kinds.integer import Integer
from harness.shapes.kinds.kind import Cut, Rank, Row, sequences, total
from harness.shapes.kinds.order import TIGHTER_ORDERS, UNREPEATED, order_fault, ordered, relaxed_order
from harness.shapes.kinds.words import Fields, String, Word
from harness.shapes.reader import Reader
from harness.values import dataclass

Scalar: TypeAlias = Integer | Word | String | Fields
Items: TypeAlias = tuple[Any, ...]  # int or bytes, as the item says


@dataclass(frozen=True, kw_only=True)
class Array(Row):
    """`count` items on one line. order: of integers, one of ORDERS, or "" for any."""

    item: Scalar
    order: str = ""

    def read_items(self, reader: Reader, env: Env, count: int) -> Items:
        if isinstance(self.item, Integer) and not self.item.decimals:
            return reader.integers(self.name, count, *self.item.bounds(env))
        return reader.spaced(count, lambda: self.item.parse(reader, env))

    def text(self, part: Items) -> bytes:
        if isinstance(self.item, Integer) and not self.item.decimals:  # much faster if there are many
            return super().text(part)
        return b" ".join(map(self.item.text, part))

    def values(self, env: Env, size: int) -> Iterator[Items]:
        count, least = count_of(self.count, env), self.item.size_floor(env)
        parts = sequences(lambda own, _: self.item.values(env, own), count, size, least)
        yield from (part for part in parts if self.fault(part, env) is None)

    def rank(self, part: Items, env: Env) -> Rank:
        if isinstance(self.item, Integer):
            inner = self.item.rank_of(part, env)
        else:
            inner = total([self.item.rank(value, env) for value in part])
        return (inner[0] + len(part), *inner[1:])

    def fits(self, part: Items, env: Env) -> bool:
        if not super().fits(part, env):
            return False
        if isinstance(self.item, Integer) and part:
            low, high = self.item.bounds(env)
            return bool(low <= min(part) and max(part) <= high)
        return all(self.item.fits(value, env) for value in part)

    def fault(self, part: Items, env: Env) -> str | None:
        return order_fault(self.order, part, "number")

    def integers(self, part: Items) -> Iterator[tuple[tuple[int, ...], Any]]:
        if isinstance(self.item, Integer):
            yield from (((at,), self.item) for at in range(len(part)))

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return (self.count, *self.item.expressions)

    @property
    def counting(self) -> frozenset[str]:
        return self.count.names | self.item.counting

    def least_cells(self, env: Env) -> int:
        return count_of(self.count, env) * (1 + self.item.least_cells(env))

    def size_floor(self, env: Env) -> int:
        return count_of(self.count, env) * (1 + self.item.size_floor(env)) if self.count.names <= env.keys() else 0

    def narrowed(self, count: str, low: int, high: int, env: Env) -> tuple[int, int]:
        """Limit a count of distinct integers to the size of their range."""
        if self.order not in ("rising", "distinct") or self.count != Name(name=count):
            return low, high
        most = self.item.value_count(env)
        return low, high if most is None else min(high, most)

    def cut(self, part: Items, cut: Cut) -> Items:
        start, end = cut.span(self.count)
        kept = (*part[:start], *part[end:])
        if isinstance(self.item, Integer) and self.item.high != Name(name=cut.axis):
            return kept
        return tuple(self.item.cut(value, cut) for value in kept)

    def draw(self, drawer: Drawer, env: Env, budget: int) -> Items:
        count = count_of(self.count, env)
        if not isinstance(self.item, Integer):
            return tuple(self.item.draw(drawer, env, budget // count) for _ in range(count))
        drawn = self.item.draw_many(drawer, env, count)
        if not self.order:
            return drawn
        numbers = ordered(self.order, drawn, *self.item.bounds(env))
        if numbers is None:
            raise Infeasible
        return numbers

    def relaxed(self, flag: str) -> Self:
        if flag == "numbers" and isinstance(self.item, Integer):
            return replace(self, item=self.item.unbound())
        return replace(self, order=relaxed_order(self.order, flag))

    def loosest(self) -> "Array":
        return replace(self, item=self.item.loosest(), order="")

    def tightened(self, scope: Sequence[str]) -> Iterator[Self]:
        if isinstance(self.item, Integer):
            yield from (replace(self, item=item) for item in self.item.tightened(scope))
            yield from (replace(self, order=order) for order in TIGHTER_ORDERS[self.order])

    def without_repeats(self) -> Iterator[Self]:
        if self.order == "sorted":  # unsorted numbers differ by chance
            yield replace(self, order=UNREPEATED[self.order])

    def with_leaves(self, change: Callable[[Any], Any]) -> Self:
        return replace(self, item=change(self.item)) if self.item.is_leaf else self

    def leaf_values(self, parts: Sequence[Items]) -> list[list[Any]]:
        return [list(chain.from_iterable(parts))] if self.item.is_leaf else []
