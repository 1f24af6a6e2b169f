"""The base classes of all kinds of items, and what all kinds share: ranks, cuts, sequences by size."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar

from harness.shapes.drawing import Drawer
from harness.shapes.expressions import Env, Expression, Name, count_of
from harness.shapes.reader import Reader
from harness.values import dataclass

T = TypeVar("T")

# How simple a value is, compared in this order: its size; the distance of its letters and words from the first ones;
# the distance of the marks of a grid from the upper left corner.
Rank = tuple[int, int, int]


def total(ranks: Sequence[Rank]) -> Rank:
    """Return the sum of ranks, place by place."""
    sizes, letters, marks = zip((0, 0, 0), *ranks, strict=True)
    return sum(sizes), sum(letters), sum(marks)


def sequences(
    values: Callable[[int, int], Iterator[T]], times: int, size: int, least: int = 0
) -> Iterator[tuple[T, ...]]:
    """Yield all sequences of `times` values in which the sizes of the values, each plus 1, sum to `size`.

    values: yields the values of a given size; its second argument is how many values are left, this one included.
    least: the least size of a value.
    """
    if times == 0:
        if size == 0:
            yield ()
        return
    most = size - 1 - (times - 1) * (1 + least)
    for own in range(least, most + 1) if times > 1 else (most,):
        for first in values(own, times) if own >= 0 else ():
            yield from ((first, *others) for others in sequences(values, times - 1, size - 1 - own, least))


@dataclass(frozen=True, kw_only=True)
class Cut:
    """The removal of `count` indexes along an axis, from `start` on.

    axis: an integer that counts something. before, after: the known integers before and after the removal.
    """

    axis: str
    start: int
    count: int
    before: Env
    after: Env

    def span(self, expression: Expression) -> tuple[int, int]:
        """Return the removed indexes of what `expression` counts, as (start, end); (0, 0): there are none."""
        old, new = count_of(expression, self.before), count_of(expression, self.after)
        if self.axis not in expression.names or new >= old:
            return 0, 0
        whole = max(1, self.before[self.axis])
        start = self.start if expression == Name(name=self.axis) else self.start * old // whole
        start = max(0, min(start, new))
        return start, start + old - new


@dataclass(frozen=True, kw_only=True)
class Kind(ABC, Generic[T]):
    """A kind of item, the base class of all kinds. An instance is an item of a shape.

    T: the type of its values, which are also called parts of a record. env: the integers known before the item.
    """

    name: str = ""

    fills_lines: ClassVar[bool] = False  # whether it has lines of its own, so that nothing else is in them
    is_leaf: ClassVar[bool] = False  # whether it is an integer or a string: these have limits that can be changed

    # Text

    def parse(self, reader: Reader, env: Env) -> T:
        """Read a value.

        Raises InputError: at the first byte that does not fit, or at the start of a value that breaks a rule.
        """
        start, part = reader.at, self.read(reader, env)
        fault = self.fault(part, env)
        if fault:
            reader.fail(fault, start)
        return part

    @abstractmethod
    def read(self, reader: Reader, env: Env) -> T:
        """Read a value of the right size and letters, whether or not it keeps all rules."""

    def fault(self, part: T, env: Env) -> str | None:
        """Describe the rule that a value of the right size and letters breaks; None: it keeps all rules."""
        return None

    def text(self, part: T) -> bytes:
        """Return a value as printed in its line. For kinds that share a line with others."""
        raise TypeError(self)

    def write(self, part: T, lines: list[bytes]) -> None:
        """Append a value as lines. For kinds that fill lines."""
        raise TypeError(self)

    def is_empty(self, env: Env) -> bool:
        """Return whether the item prints nothing, and so has no space before it."""
        return False

    def may_be_empty(self, env: Env) -> bool:
        """Return whether the item may print nothing at the end of its line."""
        return False

    def may_begin(self, reader: Reader) -> bool:
        """Return False if clearly no value of the item begins at the cursor."""
        return True

    # Values

    @abstractmethod
    def values(self, env: Env, size: int) -> Iterator[T]:
        """Yield all values of a size, none twice."""

    @abstractmethod
    def rank(self, part: T, env: Env) -> Rank:
        """Return how simple a value is; the first number is its size."""

    def fits(self, part: T, env: Env) -> bool:
        """Return whether a value of the right type fits the item."""
        return True

    def least_cells(self, env: Env) -> int:
        """Return the least number of cells, letters and items of a value, for draws; unknown integers are lowest."""
        return 0

    def size_floor(self, env: Env) -> int:
        """Return a lower bound of the sizes, as in `rank`, for `values`; parts that unknown integers count add 0."""
        return 0

    def cut(self, part: T, cut: Cut) -> T:
        """Return the value without the parts that `cut` removes. The result need not fit the item."""
        return part

    def integers(self, part: T) -> Iterator[tuple[tuple[int, ...], Any]]:
        """Yield the Integer of each integer in a value, outside of records, with its path; the shrinker lowers it."""
        yield from ()

    # Counts

    @property
    def inner(self) -> tuple[Any, ...]:
        """Return the blocks in the item: the repeated block, or the blocks of a choice."""
        return ()

    def with_inner(self, blocks: Sequence[Any]) -> Self:
        """Return the item with other blocks in it."""
        return self

    def records(self, part: T, env: Env) -> "Iterator[tuple[tuple[int, ...], int, Any, Env]]":
        """Yield each record in a value: its path, the index of its block, the record, the integers known in it."""
        yield from ()

    @property
    def lengths(self) -> tuple[Expression, ...]:
        """Return the expressions that count the item's contents."""
        return ()

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """Return every expression whose value a cut may change, also those of inner items."""
        return (
            *self.lengths,
            *(each for block in self.inner for item in block.items for each in item.expressions),
        )

    @property
    def counting(self) -> frozenset[str]:
        """Return the integers that count something in the item."""
        return frozenset().union(
            *(expression.names for expression in self.lengths), *(block.counting for block in self.inner)
        )

    @property
    def length_name(self) -> str:
        """Return the name of the integer that a cut must set to the item's new length; "" if there is none."""
        return ""

    # Draws

    @abstractmethod
    def draw(self, drawer: Drawer, env: Env, budget: int) -> T:
        """Draw a random value of about `budget` cells, letters and items. Raises Infeasible."""

    @property
    def conversion(self) -> bytes | None:
        """Return the conversion with which `%` prints a value, such as b"%d"; None if there is none."""
        return None

    @property
    def is_column(self) -> bool:
        """Return whether many rows of the item can be drawn at once."""
        return False

    def draw_column(
        self, drawer: Drawer, env: Env, count: int, budget: int, before: Mapping[str, Sequence[Any]]
    ) -> Sequence[T]:
        """Draw a value for each of `count` rows. before: the preceding columns, by name."""
        return [self.draw(drawer, env, budget) for _ in range(count)]

    def narrowed(self, count: str, low: int, high: int, env: Env) -> tuple[int, int]:
        """Narrow the bounds of the earlier integer `count` to numbers for which the item has a value."""
        return low, high

    def value_count(self, env: Env) -> int | None:
        """Return how many values the item has; None: unknown, or very many."""
        return None

    def nth(self, number: int, env: Env) -> T:
        """Return a value by its number, from 0 to `value_count` - 1."""
        raise NotImplementedError

    # Other shapes

    def relaxed(self, flag: str) -> "Kind[Any]":
        """Return the item without the rule `flag`; the item itself if it has no such rule."""
        return self.with_inner([block.mapped(lambda item: item.relaxed(flag)) for block in self.inner])

    def loosest(self) -> "Kind[Any]":
        """Return the item without any limit, letter or rule that samples can only suggest."""
        return self.with_inner([block.mapped(lambda item: item.loosest()) for block in self.inner])

    def tightened(self, scope: Sequence[str]) -> Iterator[Self]:
        """Yield the item with each possible additional rule of its own. scope: the names of earlier integers."""
        yield from ()

    def without_repeats(self) -> Iterator[Self]:
        """Yield the item with each possible rule of its own against repetition: equal rows, loops, double edges."""
        yield from ()

    def with_leaves(self, change: Callable[[Any], Any]) -> Self:
        """Return the item with each Integer and String in it changed, in order."""
        if self.is_leaf:
            changed: Self = change(self)
            return changed
        return self.with_inner([block.with_leaves(change) for block in self.inner])

    def leaf_values(self, parts: Sequence[T]) -> list[list[Any]]:
        """Return, for each Integer and String in the item in order, all its values in these values of the item."""
        if self.is_leaf:
            return [list(parts)]
        records = [(form, record) for part in parts for _, form, record, _ in self.records(part, {})]
        return [
            held
            for index, block in enumerate(self.inner)
            for held in block.leaf_values([record for form, record in records if form == index])
        ]


Item: TypeAlias = Kind[Any]


def value_count_of(items: Iterable[Any], env: Env) -> int | None:
    """Return how many ways there are to choose a value of each item; None: unknown, or very many."""
    counts = [item.value_count(env) for item in items]
    return None if None in counts else prod(counts)


def nth_parts(items: Iterable[Any], number: int, env: Env) -> Iterator[Any]:
    """Yield a value of each item: the choice with this number, from 0 to `value_count_of` - 1."""
    for item in items:
        number, index = divmod(number, item.value_count(env))
        yield item.nth(index, env)


@dataclass(frozen=True, kw_only=True)
class SingleWord(Kind[bytes]):
    """A single word; a value is the word itself."""

    def text(self, part: bytes) -> bytes:
        return part

    @property
    def is_column(self) -> bool:
        return True


@dataclass(frozen=True, kw_only=True)
class Row(Kind[tuple[Any, ...]]):
    """`count` items on one line."""

    count: Expression

    def read(self, reader: Reader, env: Env) -> tuple[Any, ...]:
        count = count_of(self.count, env)
        return self.read_items(reader, env, count) if count else ()

    @abstractmethod
    def read_items(self, reader: Reader, env: Env, count: int) -> tuple[Any, ...]:
        """Read `count` items, at least one."""

    def text(self, part: tuple[Any, ...]) -> bytes:
        return " ".join(map(str, part)).encode()

    def is_empty(self, env: Env) -> bool:
        return count_of(self.count, env) == 0

    def fits(self, part: tuple[Any, ...], env: Env) -> bool:
        return len(part) == count_of(self.count, env) and self.fault(part, env) is None

    @property
    def lengths(self) -> tuple[Expression, ...]:
        return (self.count,)

    def least_cells(self, env: Env) -> int:
        return count_of(self.count, env)
