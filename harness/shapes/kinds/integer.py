"""Integers, and numbers with decimal places: integers in units of the last place, printed with a point.

The lower limit of a range gives how many places are always printed, the limit with the most gives the maximum:
`0.00..9.99` is 0.50, `0..9.99` is 0.5, `0.0..9.99` is 1.0 or 0.25.
"""

import operator
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Any, ClassVar, Self

from harness.shapes.drawing import Drawer, Infeasible
from harness.shapes.expressions import SIGNS, Env, Expression, Name, Number, Operation, origin, product_of, scaled
from harness.shapes.kinds.kind import Cut, Kind, Rank
from harness.shapes.reader import Reader
from harness.values import dataclass

_DECIMAL = re.compile(rb"(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?")
_LONGEST = 200  # characters of a number with decimal places
DEFAULT_LOW, DEFAULT_HIGH = 1, 10**9  # of an integer without a range
MORE_PLACES, MORE_DIGITS = 20, 6  # of a number with decimal places whose samples may have too few
ANY_COUNT, ANY_DIGITS, ANY_PLACES = 10**6, 1000, 100  # of the loosest integer


@dataclass(frozen=True, kw_only=True)
class Integer(Kind[int]):
    """An integer from low to high; a name binds it for the later items.

    decimals: the most decimal places that are printed; the value counts units of the last of them. least_decimals:
    the decimal places that are printed even if they are 0. hidden: it is not printed: it is the number of blocks
    of a `Times` with `until`, or of the items of an `Array` that goes on to the end of its line.
    """

    is_leaf: ClassVar[bool] = True

    low: Expression
    high: Expression
    decimals: int = 0
    least_decimals: int = 0
    hidden: bool = False

    def bounds(self, env: Env) -> tuple[int, int]:
        """Return the lowest and the highest value."""
        return self.low.value(env), self.high.value(env)

    def value_count(self, env: Env) -> int | None:
        if not (self.low.names | self.high.names) <= env.keys():
            return None
        low, high = self.bounds(env)
        return max(0, high - low + 1)

    def nth(self, number: int, env: Env) -> int:
        return self.low.value(env) + number

    def integers(self, part: int) -> Iterator[tuple[tuple[int, ...], Any]]:
        yield (), self

    def parse(self, reader: Reader, env: Env) -> int:
        return self.read(reader, env)

    def read(self, reader: Reader, env: Env, name: str = "") -> int:
        """Read a value. name: another name in errors."""
        name, (low, high) = name or self.name, self.bounds(env)
        if not self.decimals:
            return reader.integer(name, low, high)
        number = self._number_at(reader.data, reader.at)
        if number is None or not low <= number[0] <= high:
            least, most = (self.text(limit).decode() for limit in (low, high))
            reader.expected(f"{name or 'a number'} from {least} to {most}")
        reader.at = number[1]
        return number[0]

    def _number_at(self, data: bytes, at: int) -> tuple[int, int] | None:
        """Return the value and the end of the number at `at`; None: there is no number with as many decimal places.

        Optional places may be printed: 1.50 is as good as 1.5.
        """
        match = _DECIMAL.match(data, at, at + _LONGEST)
        if match is None or match.end() == at + _LONGEST:
            return None
        places = match[3] or b""
        if not self.least_decimals <= len(places) <= self.decimals:
            return None
        value = int(match[2] + places.ljust(self.decimals, b"0"))
        return (-value if match[1] else value), match.end()

    def items_left(self, reader: Reader, env: Env, *, begun: bool, behind: int) -> int:
        """Count the items left in the line. begun: others precede them; behind: number of words that follow."""
        rest = reader.rest_of_line()
        left = (rest.count(b" ") + (not begun) if rest else 0) - behind
        low, high = self.bounds(env)
        if not low <= left <= high:
            what = f" before the last {behind}" if behind else ""
            reader.fail(f"expected {low} to {high} more items in the line{what}, found {max(0, left)}")
        return left

    def may_begin(self, reader: Reader) -> bool:
        if self.low != self.high or self.low.names or self.hidden:
            return True
        return reader.starts_with(self.text(self.low.value({})))

    def text(self, part: int) -> bytes:
        if self.hidden:
            return b""
        if self.decimals == 0:
            return b"%d" % part
        digits = b"%0*d" % (self.decimals + 1, abs(part))
        whole, places = digits[: -self.decimals], digits[-self.decimals :]
        places = places[: self.least_decimals] + places[self.least_decimals :].rstrip(b"0")
        sign = b"-" if part < 0 else b""
        return sign + whole + (b"." + places if places else b"")

    def values(self, env: Env, size: int) -> Iterator[int]:
        low, high = self.bounds(env)
        start = origin(low, high)
        for value in (start,) if size == 0 else (start + size, start - size):
            if low <= value <= high:
                yield value

    def sizes(self, env: Env, most: int) -> range:
        """Return the possible sizes of a value, up to `most`."""
        low, high = self.bounds(env)
        start = origin(low, high)
        return range(min(most, max(high - start, start - low)) + 1)

    def rank(self, part: int, env: Env) -> Rank:
        return self.rank_of((part,), env)

    def rank_of(self, values: Sequence[int], env: Env) -> Rank:
        """Return the rank of several values together."""
        start = origin(*self.bounds(env))
        return (sum(abs(value - start) for value in values), sum(value < start for value in values), 0)

    def rank_column(self, column: Sequence[int], env: Env, before: Mapping[str, Sequence[int]]) -> Rank:
        """Return the rank of the integers of many rows together. before: the earlier columns of the rows, by name."""
        if not (self.low.names | self.high.names) & before.keys():
            return self.rank_of(column, env)
        limits = zip(_limits(self.low, before, env), _limits(self.high, before, env), strict=False)
        starts = [origin(low, high) for (low, high), _ in zip(limits, column, strict=False)]
        away = sum(map(abs, map(operator.sub, column, starts)))
        return away, sum(map(operator.lt, column, starts)), 0

    def fits(self, part: int, env: Env) -> bool:
        low, high = self.bounds(env)
        return low <= part and (part <= high or self.hidden)

    def fits_column(self, column: Sequence[int], env: Env, before: Mapping[str, Sequence[int]]) -> bool:
        """Return whether the integers of many rows fit. before: the earlier columns of the rows, by name."""
        lows, highs = _limits(self.low, before, env), _limits(self.high, before, env)
        return all(map(operator.le, lows, column)) and (self.hidden or all(map(operator.le, column, highs)))

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return (self.low, self.high)

    def cut(self, part: int, cut: Cut) -> int:
        """Treat an integer whose limit is the axis as an index along it: indexes after the cut become smaller."""
        if self.name == cut.axis:
            return cut.after[self.name]
        if self.high != Name(name=cut.axis):
            return part
        first = self.low.amount if isinstance(self.low, Number) else 1
        if part - first >= cut.start + cut.count:
            return part - cut.count
        return max(first, min(part, cut.after[cut.axis]))

    def draw(self, drawer: Drawer, env: Env, budget: int) -> int:
        return self.draw_many(drawer, env, 1)[0]

    def draw_many(self, drawer: Drawer, env: Env, count: int) -> tuple[int, ...]:
        """Draw `count` values, in a style that the drawer may keep for this item."""
        low, high = self.bounds(env)
        if low > high:
            raise Infeasible
        return drawer.integer_drawer(self, self.decimals).draw(low, high, count)

    @property
    def conversion(self) -> bytes | None:
        return None if self.decimals or self.hidden else b"%d"

    @property
    def is_column(self) -> bool:
        return True

    def draw_column(
        self, drawer: Drawer, env: Env, count: int, budget: int, before: Mapping[str, Sequence[Any]]
    ) -> Sequence[int]:
        if not (self.low.names | self.high.names) & before.keys():
            return self.draw_many(drawer, env, count)
        limits = list(zip(_limits(self.low, before, env), _limits(self.high, before, env), strict=False))
        rows = {name for name, column in before.items() if isinstance(column, range)}
        return _between_limits(drawer, limits, hangs=bool(rows & self.high.names))

    def relaxed(self, flag: str) -> Self:
        if flag != "places" or not self.decimals:
            return self
        factor = Number(amount=10 ** (MORE_PLACES + MORE_DIGITS))
        low, high = (product_of(limit, factor) for limit in (self.low, self.high))
        return replace(self, low=low, high=high, decimals=self.decimals + MORE_PLACES, least_decimals=0)

    def unbound(self) -> "Integer":
        """Return the integer; with a number as its upper limit, if that is another integer."""
        return self if isinstance(self.high, Number) else replace(self, high=Number(amount=DEFAULT_HIGH))

    def loosest(self) -> "Integer":
        if self.hidden:
            return replace(self, low=Number(amount=0), high=Number(amount=ANY_COUNT))
        places = ANY_PLACES if self.decimals else 0
        most = 10 ** (ANY_DIGITS + places)
        return replace(self, low=Number(amount=-most), high=Number(amount=most), decimals=places, least_decimals=0)

    def tightened(self, scope: Sequence[str]) -> Iterator[Self]:
        if self.decimals or self.hidden or self.low == self.high:
            return
        for name in (Name(name=name) for name in reversed(scope)):
            if isinstance(self.high, Number):
                yield replace(self, high=name)
            if isinstance(self.high, Number) or self.high == name:
                yield replace(self, high=Operation(sign="-", left=name, right=Number(amount=1)))
            if isinstance(self.low, Number):
                yield replace(self, low=name)
            if isinstance(self.low, Number) or self.low == name:
                yield replace(self, low=Operation(sign="+", left=name, right=Number(amount=1)))


ANY_INTEGER = Integer(low=Number(amount=-(10**ANY_DIGITS)), high=Number(amount=10**ANY_DIGITS))


def integer_between(low: Expression, high: Expression) -> Integer:
    """Return the integer, or the number with decimal places, that a range describes."""
    least, most = (limit.decimals if isinstance(limit, Number) else 0 for limit in (low, high))
    most = max(least, most)
    return Integer(low=scaled(low, most), high=scaled(high, most), decimals=most, least_decimals=least)


def _limits(limit: Expression, before: Mapping[str, Sequence[int]], env: Env) -> Iterable[int]:
    """Return a limit in each row; an endless iterable if it is the same in all rows."""
    if isinstance(limit, Name) and limit.name in before:
        return before[limit.name]
    if isinstance(limit, Operation) and limit.names & before.keys():
        return map(SIGNS[limit.sign], _limits(limit.left, before, env), _limits(limit.right, before, env))
    return repeat(limit.value(env))


def _between_limits(drawer: Drawer, limits: Sequence[tuple[int, int]], *, hangs: bool) -> list[int]:
    """Draw a number within each of these limits. hangs: it is an earlier row: also draw paths and stars."""
    if any(low > high for low, high in limits):
        raise Infeasible
    chances = drawer.bits.many_between(0, (1 << 62) - 1, len(limits))
    drawn = list(zip(limits, chances, strict=True))
    if not hangs:
        return [low + chance % (high - low + 1) for (low, high), chance in drawn]
    reach = drawer.bits.style.choice((0, 1, 2, 4, drawer.size, drawer.size))  # 0: a star, 1: a path
    return [high - chance % min(high - low + 1, reach) if reach else low for (low, high), chance in drawn]
