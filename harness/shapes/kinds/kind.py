"""What every kind of item can do: the base class of all kinds."""

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
    """An item of a shape, whose values are of type T. env: the integers that are known before the item."""

    name: str = ""

    fills_lines: ClassVar[bool] = False  # it stands alone, on lines of its own
    holds_blocks: ClassVar[bool] = False

    @abstractmethod
    def parse(self, reader: Reader, env: Env) -> T:
        """Read a value. Raises InputError at the first byte that does not fit."""

    def text(self, part: T) -> bytes:
        """Return a value as it stands in its line. For kinds that stand in a line with others."""
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
        """Return whether a value of the right type is one of the item."""
        return True

    def fault(self, part: T, env: Env) -> str | None:
        """Return which rule a value of the right size and letters breaks."""
        return None

    def least_size(self, env: Env) -> int:
        """Return how many cells, letters and items a value has at least."""
        return 0

    def cut(self, part: T, cut: Cut) -> T:
        """Return the value without what `cut` drops; it need not fit."""
        return part

    @property
    def lengths(self) -> tuple[Expression, ...]:
        """The expressions that say how many things the item holds."""
        return ()

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """Every expression that a cut may change, those of inner items too."""
        return ()

    @property
    def counting(self) -> frozenset[str]:
        """The integers that count something in the item."""
        return frozenset(name for expression in self.lengths for name in expression.names)

    @property
    def length_name(self) -> str:
        """The integer that is set to the item's length after a cut; "" if there is none."""
        return ""

    def is_empty(self, env: Env) -> bool:
        """Return whether the item prints nothing, so that no space stands before it."""
        return False

    def may_be_empty(self, env: Env) -> bool:
        """Return whether the item may print nothing at the end of its line."""
        return False

    def may_begin(self, reader: Reader) -> bool:
        """Return False if it is plain that no value of the item stands at the cursor."""
        return True

    def counts_cases(self, count: str) -> bool:
        """Return whether the item is `count` blocks that are of any size each."""
        return False

    def is_slow(self, count: str) -> bool:
        """Return whether the item is `count` blocks that are drawn one by one."""
        return False

    def narrowed(self, count: str, low: int, high: int, env: Env) -> tuple[int, int]:
        """Return the bounds of the earlier integer `count` without those for which the item has no value."""
        return low, high

    @property
    def is_column(self) -> bool:
        """Whether many rows of the item can be drawn at once."""
        return False

    def draw_column(
        self, drawer: Drawer, env: Env, count: int, budget: int, before: Mapping[str, Sequence[Any]]
    ) -> Sequence[T]:
        """Draw a value for each of `count` rows. before: the columns that precede it, by name."""
        return [self.draw(drawer, env, budget) for _ in range(count)]

    def relaxed(self, flag: str) -> "Kind[T]":
        """Return the item without the rule `flag`; the item itself if it has no such rule."""
        return self

    def loosest(self) -> "Kind[Any]":
        """Return the item without any limit, letter or rule that samples can only suggest."""
        return self

    def tightened(self, scope: Sequence[str]) -> Iterator["Kind[T]"]:
        """Yield the item with each rule it could have besides. scope: the names of earlier integers."""
        yield from ()

    def with_leaves(self, change: Callable[[Any], Any]) -> "Kind[T]":
        """Return the item with each Integer and String in it changed, in order."""
        return self

    def held(self, parts: Sequence[T]) -> list[bool]:
        """Return for each Integer and String in the item, in order, whether these values hold any of it."""
        return []
