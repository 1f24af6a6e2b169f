"""Measure how much an input is like the samples: which relations between the values of all samples it keeps, too.

A few samples have many relations by chance; but of failing inputs of one size, the one that keeps most of them is most
probably valid. A relation has a weight: how often problems demand relations of its kind, counted on public problems
(harness.search.likeness_policy).
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, pairwise
from typing import Any, TypeAlias

from harness.search.likeness_policy import LIKENESS, RELATION_WORDS, RULES, column_of
from harness.shapes import Record, Shape, parsed, parsed_tidy, tidy_for
from harness.shapes.kinds import Block, Choice, Edges, Field, Fields, Grid, Integer, Times
from harness.values import dataclass

# Where a value is in the shape: from the outermost item inwards, the form of each record and the index of its item.
ItemPath: TypeAlias = tuple[int, ...]
# The name of a relation (a key of RULES), and the paths of the values that it relates.
Relation: TypeAlias = tuple[Any, ...]
Values: TypeAlias = Sequence[Any]
Numeric: TypeAlias = int | Fraction

# In place of the last index of a path: the lists of all rows, joined; the largest degree of a vertex.
_JOINED_ROWS = -1
_LARGEST_DEGREE = -2
_ITEM = -3  # before the length of a short list and the index of its item, at the end of a path
_SIGN = re.compile(rb"[^0-9A-Za-z]")
_SIGN_BESIDE = re.compile(
    rb"\A[^0-9A-Za-z]|[^0-9A-Za-z](?:[^0-9A-Za-z]|\Z)"
)  # another sign, or an end of the word
_EARLIEST_YEAR = 1000  # harness.shapes.guess_ranges
_ENDPOINTS = 2  # numbers of an edge before its weight


@dataclass(frozen=True, kw_only=True)
class Seen:
    """The numbers, or the letters of the words, that samples hold at one path. times: how many numbers or words."""

    numbers: frozenset[Numeric]
    letters: frozenset[int]
    times: int

    def compared(self, other: "Seen", path: ItemPath) -> Iterator[tuple[str, int, bool]]:
        """Yield the name of each relation to other values at this path, the number of comparisons, if it holds."""
        if self.letters and other.letters:
            yield "letters", self.times, other.letters <= self.letters
        if not (self.numbers and other.numbers):
            return
        yield "high", self.times, max(other.numbers) <= max(self.numbers)
        longer = _digits(other.numbers) - _digits(self.numbers)
        yield "digits", self.times, longer <= 0
        yield "more_digits", self.times, longer <= LIKENESS.many_digits
        if path[-1] == _LARGEST_DEGREE:
            return
        yield "low", self.times, min(other.numbers) >= min(self.numbers)
        parities = _parities(self.numbers)
        if len(parities) == 1:
            yield "parity", len(self.numbers), _parities(other.numbers) <= parities


def _digits(numbers: frozenset[Numeric]) -> int:
    """Return how many digits the largest number has before the decimal point; 0 if it is below 1."""
    most = int(max(*numbers, -min(numbers)))
    return math.floor(math.log10(most)) + 1 if most else 0  # nearly: str() refuses numbers of over 4,300 digits


def _parities(numbers: frozenset[Numeric]) -> set[Numeric]:
    return {number % 2 for number in numbers}


@dataclass(frozen=True, kw_only=True)
class Likeness:
    """The relations that all samples of a shape keep.

    times: for each relation, how often the samples could have broken it. seen: the samples' values.
    """

    shape: Shape
    times: dict[Relation, int]
    seen: dict[ItemPath, Seen]

    def faults(self, value: Record, *, with_items: bool = True) -> int:
        """Return the sum of the weights of the relations that a value breaks. with_items: also of single items."""
        return sum(
            _weight(relation, times)
            for relation, times, holds in self.compared(value)
            if not holds and (with_items or not any(_ITEM in path for path in relation[1:]))
        )

    def faults_of(self, data: bytes) -> float:
        """Return the faults of an input, up to a limit: 0 if it is too large to be compared, infinite if it misfits.

        The order of the items of short lists does not count, since longer lists are not compared by it.
        """
        if is_too_large(data):
            return 0
        value = parsed_tidy(self.shape, data)
        return math.inf if value is None else min(self.faults(value, with_items=False), LIKENESS.most_faults)

    def cost(self, data: bytes) -> float:
        """Return the logarithm of an input's length divided by the chance that it is valid: small is good.

        Inputs of any size can be compared, but those that are too large have no faults.
        """
        return math.log(1 + len(data)) + self.faults_of(data) / 100

    def broken_by(self, value: Record, better: Record) -> str:
        """Describe the relation of the largest weight that a value breaks and a better one keeps; "" if none."""
        kept = {relation for relation, _, holds in self.compared(better) if holds}
        broken = {
            relation: _weight(relation, times)
            for relation, times, holds in self.compared(value)
            if relation in kept and not holds
        }
        relation = max(broken, key=lambda each: broken[each], default=None)
        return f"in all samples {RELATION_WORDS[str(relation[0])]}" if relation else ""

    def compared(self, value: Record) -> Iterator[tuple[Relation, int, bool]]:
        """Yield each relation that a value could break, the number of comparisons in samples, and if it holds."""
        own = _relations_of(self.shape, [value])
        for relation, holds in own.holds.items():
            if relation in self.times:
                yield relation, self.times[relation], holds
        for path, seen in own.seen().items():
            for name, times, holds in self.seen[path].compared(seen, path) if path in self.seen else ():
                yield (name, path), times, holds


def is_too_large(data: bytes) -> bool:
    """Return whether no relations are looked for in an input."""
    return len(data) > LIKENESS.compared_bytes


def _weight(relation: Relation, times: int) -> int:
    """Return what it costs to break a relation, -100 · ln(1 - share); share: how often it is demanded."""
    return round(-100 * math.log1p(-RULES[str(relation[0])][column_of(times)] / 100))


def likeness_of(shape: Shape, samples: Sequence[bytes]) -> Likeness | None:
    """Return the relations that all samples of the shape keep; None if no sample fits it."""
    values = [value for data in samples if (value := parsed(shape, tidy_for(shape, data))) is not None]
    if not values:
        return None
    all_of = _relations_of(shape, values)
    times = {relation: all_of.times[relation] for relation, holds in all_of.holds.items() if holds}
    return Likeness(shape=shape, times=times, seen=all_of.seen())


def _relations_of(shape: Shape, values: Sequence[Record]) -> "_Relations":
    relations = _Relations()
    for value in values:
        relations.of_record(shape.block, value, ())
    return relations


class _Relations:
    """The relations in some records. holds: whether all rows and lists keep it. times: how often one could break it."""

    def __init__(self) -> None:
        self.holds: dict[Relation, bool] = {}
        self.times: dict[Relation, int] = {}
        self.values: dict[ItemPath, list[Numeric | bytes]] = {}

    def seen(self) -> dict[ItemPath, Seen]:
        """Return the values at each path."""
        return {path: _seen(values) for path, values in self.values.items()}

    def of_record(self, block: Block, record: Record, path: ItemPath) -> None:
        """Note the relations of the words and lists of a record, and of the records in it."""
        words: dict[ItemPath, Any] = {}
        lists: dict[ItemPath, Values] = {}
        self._collect(block, record, path, words, lists)
        self._compare_all(words)
        for where, values in lists.items():
            self._of_list(values, where)
            for one, word in list(words.items())[: LIKENESS.compared]:
                self._relate((one, where), word, values)

    def _collect(
        self,
        block: Block,
        record: Record,
        path: ItemPath,
        words: dict[ItemPath, Any],
        lists: dict[ItemPath, Values],
    ) -> None:
        for index, (item, part) in enumerate(block.pairs(record)):
            where = (*path, record.form, index)
            if isinstance(item, Choice):
                self._collect(item.blocks[part.form], part, where, words, lists)
            elif isinstance(item, Times) and part:
                for row in part:
                    self.of_record(item.block, row, where)
                lists |= {where: [row.parts for row in part], **_columns(item.block, part, where)}
            elif isinstance(item, Edges) and part:
                self._of_edges(part, where, lists)
            elif isinstance(item, Grid) and part:
                self._see_corners(part, where)
                lists[where] = part
            elif isinstance(part, tuple):
                self._of_items([_number(item, each) for each in part], where, words, lists)
            else:
                words[where] = _number(item, part)
                self._see(where, words[where])
                words |= {(*where, half): number for half, number in enumerate(_halves(item, part))}
                if isinstance(words[where], bytes) and (signs := len(_SIGN.findall(part))):
                    self._note((where,), signs, apart=_SIGN_BESIDE.search(part) is None)

    def _of_edges(self, edges: Values, where: ItemPath, lists: dict[ItemPath, Values]) -> None:
        lists[where] = edges
        for index, column in enumerate(zip(*edges, strict=True)):
            lists[*where, index] = column
            for value in column:
                self._see((*where, index), value)
        degrees = Counter(chain.from_iterable(edge[:_ENDPOINTS] for edge in edges))
        self._see((*where, _LARGEST_DEGREE), max(degrees.values()))
        for edge in edges:
            self._compare_all({(*where, index): value for index, value in enumerate(edge)})

    def _of_items(
        self, values: Values, where: ItemPath, words: dict[ItemPath, Any], lists: dict[ItemPath, Values]
    ) -> None:
        if values:
            lists[where] = values
        for value in values:
            self._see(where, value)
        if len(values) <= LIKENESS.few_items:
            words |= {(*where, _ITEM, len(values), index): value for index, value in enumerate(values)}

    def _see_corners(self, rows: Sequence[bytes], where: ItemPath) -> None:
        for row in rows:
            self._see(where, row)
        corners = [row[end : end + 1 or None] for row in (rows[0], rows[-1]) for end in (0, -1)]
        for number, cell in enumerate(corners):
            self._see((*where, number), cell)

    def _see(self, where: ItemPath, value: Numeric | bytes) -> None:
        self.values.setdefault(where, []).append(value)

    def _note(self, places: Sequence[ItemPath], times: int, **relations: bool) -> None:
        """Note which relations hold. times: how many comparisons each of them needs."""
        for name, holds in relations.items():
            relation = (name, *places)
            self.holds[relation] = holds and self.holds.get(relation, True)
            self.times[relation] = times + self.times.get(relation, 0)

    def _compare_all(self, words: dict[ItemPath, Any]) -> None:
        for (one, left), (other, right) in combinations(list(words.items())[: LIKENESS.compared], 2):
            if isinstance(left, bytes) is not isinstance(right, bytes) or other[: len(one)] == one:
                continue  # or `other` is a half of `one`
            self._note((one, other), 1, different=left != right, same=left == right)
            if isinstance(left, bytes):
                self._note((one, other), 1, as_long=len(left) == len(right))
                continue
            self._note((one, other), 1, below=left < right, at_most=left <= right)
            self._note((one, other), 1, above=left > right, at_least=left >= right)
            self._note((one, other), 1, neighbours=abs(left - right) == 1)

    def _of_list(self, values: Values, where: ItemPath) -> None:
        times = len(values) - 1
        if not times:
            return
        different = len(set(values))
        self._note((where,), times, distinct=different == len(values), not_all_equal=different > 1)
        if not isinstance(values[0], tuple):
            pairs = list(pairwise(values))
            self._note((where,), times, rising=all(left < right for left, right in pairs))
            self._note((where,), times, in_order=all(left <= right for left, right in pairs))
            self._note((where,), times, changing=all(left != right for left, right in pairs))

    def _relate(self, places: Sequence[ItemPath], word: Numeric | bytes, values: Values) -> None:
        """Note the relations of a number, or a word, and a list."""
        if not isinstance(word, bytes):
            letters = {letter for value in values if isinstance(value, bytes) for letter in value}
            self._note(places, 1, counts_letters=len(letters) == word, counts_values=len(set(values)) == word)
        if isinstance(values[0], tuple) or isinstance(word, bytes) is not isinstance(values[0], bytes):
            return
        self._note(places, 1, first=values[0] == word, last=values[-1] == word)
        self._note(places, 1, one_of=word in values, none_of=word not in values)
        if not isinstance(word, bytes):
            self._note(places, 1, most=max(values) <= word, beyond=max(values) < word, sum=sum(values) == word)


def _seen(values: Sequence[Numeric | bytes]) -> Seen:
    return Seen(
        numbers=frozenset(value for value in values if not isinstance(value, bytes)),
        letters=frozenset(chain.from_iterable(value for value in values if isinstance(value, bytes))),
        times=len(values),
    )


def _columns(block: Block, rows: Sequence[Record], where: ItemPath) -> dict[ItemPath, list[Any]]:
    """Return the words of rows by column, and the lists of a column as one list."""
    columns: dict[ItemPath, list[Any]] = {}
    for row in rows:
        for index, (item, part) in enumerate(block.pairs(row)):
            path = (*where, row.form, index)
            if isinstance(item, Choice):
                inner = _columns(item.blocks[part.form], [part], path)
                for other, values in inner.items():
                    columns.setdefault(other, []).extend(values)
            elif isinstance(part, int | bytes):
                columns.setdefault(path, []).append(_number(item, part))
            elif part and isinstance(part[0], int | bytes):
                columns.setdefault((*path, _JOINED_ROWS), []).extend(_number(item, each) for each in part)
    return columns


def _number(item: Any, part: int | bytes) -> Numeric | bytes:
    """Return a number as it is printed: an integer with decimals counts units of the last place.

    A word of numbers, such as a clock time or a date, is one number: the later the larger.
    """
    integer = getattr(item, "item", item)
    if isinstance(integer, Fields) and isinstance(part, bytes) and _are_numbers(integer):
        return _joined(integer.fields, integer.parts_of(part))
    if isinstance(part, bytes) or not isinstance(integer, Integer) or not integer.decimals:
        return part
    return Fraction(part, 10**integer.decimals)


def _are_numbers(item: Fields) -> bool:
    return all(isinstance(field, Field) for field in item.fields)


def _joined(fields: Sequence[Field], parts: Sequence[int]) -> int:
    """Return one number for several, of which the first counts most; of a date that ends with the year, the last."""
    pairs = list(zip(fields, parts, strict=True))
    number = 0
    for field, part in reversed(pairs) if fields[-1].ends[0] >= _EARLIEST_YEAR else pairs:
        number = number * (field.ends[1] + 1) + part
    return number


def _halves(item: Any, part: Any) -> Iterator[int]:
    """Yield the numbers of both halves of a word, if they are alike as in `09:00-10:30`."""
    if not isinstance(item, Fields) or not _are_numbers(item):
        return
    half = len(item.fields) // 2
    first, second = item.fields[:half], item.fields[half:]
    if half and first == second:
        parts = item.parts_of(part)
        yield _joined(first, parts[:half])
        yield _joined(second, parts[half:])
