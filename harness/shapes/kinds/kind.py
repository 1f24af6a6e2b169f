"""The base class of all kinds of items."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from harness.shapes.drawing import Drawer
from harness.shapes.expressions import Env, Expression
from harness.shapes.measure import Cut, Rank
from harness.shapes.reader import Reader
from harness.values import dataclass

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Kind(ABC, Generic[T]):
    """An item of a shape, whose values are of type T. env: the integers known before the item."""

    name: str = ""

    fills_lines: ClassVar[bool] = False  # it has lines of its own
    holds_blocks: ClassVar[bool] = False

    @abstractmethod
    def parse(self, reader: Reader, env: Env) -> T:
        """Read a value. Raises InputError at the first byte that does not fit."""

    def text(self, part: T) -> bytes:
        """Return a value as printed in its line. For kinds that share a line with others."""
        raise TypeError(self)

    def write(self, part: T, lines: list[bytes]) -> None:
        """Append a value as lines. For kinds that fill lines."""
        raise TypeError(self)

    @abstractmethod
    def values(self, env: Env, size: int) -> Iterator[T]:
        """Yield all values of a size, none twice."""

    @abstractmethod
    def draw(self, drawer: Drawer, env: Env, budget: int) -> T:
        """Draw a random value of about `budget` cells, letters and items. Raises Infeasible."""

    @abstractmethod
    def rank(self, part: T, env: Env) -> Rank:
        """Return how simple a value is; the first number is its size."""

    def fits(self, part: T, env: Env) -> bool:
        """Return whether a value of the right type fits the item."""
        return True

    def fault(self, part: T, env: Env) -> str | None:
        """Return the rule that a value of the right size and letters breaks; None: it keeps all."""
        return None

    def least_size(self, env: Env) -> int:
        """Return the least number of cells, letters and items of a value."""
        return 0

    def cut(self, part: T, cut: Cut) -> T:
        """Return the value without the parts that `cut` drops; it need not fit."""
        return part

    @property
    def lengths(self) -> tuple[Expression, ...]:
        """Return the expressions that count the item's contents."""
        return ()

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """Return every expression that a cut may change, also of inner items."""
        return ()

    @property
    def counting(self) -> frozenset[str]:
        """Return the integers that count something in the item."""
        return frozenset(name for expression in self.lengths for name in expression.names)

    @property
    def length_name(self) -> str:
        """Return the integer that a cut sets to the item's new length; "" if there is none."""
        return ""

    def is_empty(self, env: Env) -> bool:
        """Return whether the item prints nothing, and so has no space before it."""
        return False

    def may_be_empty(self, env: Env) -> bool:
        """Return whether the item may print nothing at the end of its line."""
        return False

    def may_begin(self, reader: Reader) -> bool:
        """Return False if clearly no value of the item begins at the cursor."""
        return True

    def counts_cases(self, count: str) -> bool:
        """Return whether the item is `count` blocks, each of any size."""
        return False

    def is_slow(self, count: str) -> bool:
        """Return whether the item is `count` blocks that are drawn one by one."""
        return False

    def narrowed(self, count: str, low: int, high: int, env: Env) -> tuple[int, int]:
        """Return the bounds of the earlier integer `count` without numbers for which the item has no value."""
        return low, high

    @property
    def is_column(self) -> bool:
        """Return whether many rows of the item can be drawn at once."""
        return False

    def draw_column(
        self, drawer: Drawer, env: Env, count: int, budget: int, before: Mapping[str, Sequence[Any]]
    ) -> Sequence[T]:
        """Draw a value for each of `count` rows. before: the preceding columns, by name."""
        return [self.draw(drawer, env, budget) for _ in range(count)]

    def relaxed(self, flag: str) -> "Kind[T]":
        """Return the item without the rule `flag`; the item itself if it has no such rule."""
        return self

    def loosest(self) -> "Kind[Any]":
        """Return the item without any limit, letter or rule that samples can only suggest."""
        return self

    def tightened(self, scope: Sequence[str]) -> Iterator["Kind[T]"]:
        """Yield the item with each possible additional rule. scope: the names of earlier integers."""
        yield from ()

    def with_leaves(self, change: Callable[[Any], Any]) -> "Kind[T]":
        """Return the item with each Integer and String in it changed, in order."""
        return self

    def held(self, parts: Sequence[T]) -> list[bool]:
        """Return for each Integer and String in the item, in order, whether these values hold a value of it."""
        return []
