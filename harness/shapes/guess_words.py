"""Guess what the words of one line are, from the same line of several instances: arrays, integers, words."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import chain, pairwise

from harness.shapes.guess_ranges import (
    are_indexes,
    are_parents,
    fields_text,
    is_integer,
    is_number,
    letters_text,
    numbers_text,
    quoted_text,
    range_text,
    seen_text,
    string_text,
    upper_name,
)
from harness.shapes.guess_rules import are_a_vocabulary, are_of_two_kinds, own_count, text_span
from harness.values import dataclass

_NAMES: Sequence[str] = ("n", "m", "k", "q", *"abcdefghijlopruvwxyz", *(f"x{number}" for number in range(1, 100)))
MANY = 4  # integers in every line that are an array
_SHORT_WORD = 2  # letters
_AGREEING = 3  # values that are no accident
_SPANS = 5  # rising pairs that are no accident
_MOST_APART = 6  # integers of a line that may each mean something else


class NoGuess(Exception):  # noqa: N818 (a dead end, not a fault)
    """No shape can describe what the instances have in common."""


@dataclass(kw_only=True)
class LineGuess:
    """Guesses lines by reading all instances in parallel. integers: their values, one for each instance."""

    integers: dict[str, list[int]] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    repeats: str = ""  # the integer that counts the instances, if they are the repeated lines of a group
    likely: str = ""  # an integer that seems to be the upper limit of others
    plain: bool = False  # a few words in each line are no array, whatever their number
    across: bool = False  # a line of as many words as an integer says is an array; lines are no grid
    heads: dict[str, int] = field(default_factory=dict)  # the index of the line of each integer of `integers`
    owns: bool = False  # an earlier line gives its own number of words
    used: set[str] = field(default_factory=set)  # the counts of words of earlier lines
    is_beyond: bool = False  # the last array had `n+1` words
    joined_by: str = ""  # the count of the edges of a tree or a graph that was read
    vertices: str = ""  # the integer that counts the vertices of that tree or graph
    at: list[int] = field(default_factory=list)  # the index of the next line, in each instance
    indexes: dict[str, set[str]] = field(default_factory=dict)  # for a range, the integers that are indexes in it

    def __post_init__(self) -> None:
        self.inner = bool(self.repeats)  # whether the instances are the repeated lines of a group
        self.outer = tuple(self.integers)  # names that are known before the group

    def _sums(self, names: Iterable[str], *, factor: int = 1, by: int = 0) -> Iterator[tuple[str, list[int]]]:
        """Yield `factor` times each of these integers plus `by`, as (text, values)."""
        for name in names:
            text = name if factor == 1 else f"{factor}*{name}"
            yield f"{text}{by:+d}" if by else text, [factor * value + by for value in self.integers[name]]

    def _counters(self) -> Iterator[tuple[str, list[int]]]:
        """Yield the earlier integers, the latest first, then each minus 1, as (text, values)."""
        latest_first = list(reversed(self.integers))
        return chain(self._sums(latest_first), self._sums(latest_first, by=-1))

    def _lengths(self) -> Iterator[tuple[str, list[int]]]:
        """Yield the possible lengths of a line, as (text, values): counters, some plus 1 or doubled.

        Of the integers of one line the first comes first, as n in `n k`.
        """
        if self.inner:
            yield from chain(self._counters(), self._sums(self.integers, factor=2))
            return
        if self.is_beyond:
            yield from self._sums([name for name in self.integers if f"{name}+1" not in self.used], by=1)
        names = sorted(self.integers, key=lambda name: -self.heads.get(name, 0))
        telling = [name for name in names if len(set(self.integers[name])) > 1]
        yield from chain(self._sums(names), self._sums(names, by=-1), self._sums(telling, by=1))
        yield from chain(self._sums(telling, factor=2), self._sums(telling, by=-2))

    def _array(self, rows: list[list[bytes]]) -> str | None:
        numbers = all(is_number(token) for row in rows for token in row)
        if not numbers and are_of_two_kinds(rows):
            return None
        for count, values in self._lengths():
            are_counted = [len(row) for row in rows] == values
            are_several = max(values) >= 2 or (numbers and self._are_single(values))
            is_usual = count.isidentifier() or numbers
            if are_counted and are_several and is_usual and not self._is_chance(count, values):
                self.used = {*self.used, count}
                self.is_beyond = count.endswith("+1")
                return self._array_text(count, values, rows)
        return self._array_of_one_length(rows)

    def _array_of_one_length(self, rows: list[list[bytes]]) -> str | None:
        """Return the array of integers that has the same length in all inputs, as `n+1` if that fits."""
        length = len(rows[0])
        if length and not self.integers and length <= _MOST_APART and all(row[:1] != [b"0"] for row in rows):
            return None  # `n m s t`: the following lines may depend on each of them
        if self.inner and length <= _MOST_APART:
            return None
        if length < MANY or not all(len(row) == length and all(map(is_integer, row)) for row in rows):
            return None
        telling = len(rows) > 1 and not self.inner
        more = [text for text, values in self._sums(self.integers, by=1) if set(values) == {length}]
        return self._array_text(more[0] if more and telling else str(length), [length] * len(rows), rows)

    def _is_chance(self, count: str, values: Sequence[int]) -> bool:
        """Return whether lines may have the length that an integer says by chance, as lines of two or three words."""
        if not self.inner:
            return count.endswith("-1") and len(values) > len(set(values)) == 1 and values[0] < MANY
        if self.plain and values[0] < MANY:
            return True
        if len(set(values)) > 1:
            return False
        if count == self.repeats and count != next(iter(self.integers)):
            return True
        if values[0] >= MANY:
            return False
        are_pairs = count == self.repeats and values[0] == 2  # two lines of two words, rather than a square
        names = [*self.integers, ""]
        beside = names[names.index(self.repeats) + 1] if self.repeats in names else ""
        return are_pairs or count not in (self.repeats, beside)

    def _array_text(self, count: str, values: list[int], rows: list[list[bytes]]) -> str:
        if not all(is_integer(token) for row in rows for token in row):
            words = [token for row in rows for token in row]
            if all(map(is_number, words)):
                return f"{count} * ({numbers_text(words)})"
            kind = fields_text(words) or f"string(1..{max(map(len, words))}, {letters_text(words)})"
            return f"{count} * ({kind})"
        numbers = [[int(token) for token in row] for row in rows]
        ordered = all(
            sorted(row) == list(range(1, length + 1)) for row, length in zip(numbers, values, strict=True)
        )
        if ordered and max(values) > 2:
            return f"permutation({count})"
        if count.endswith("-1") and are_parents(numbers):
            return f"parents({count.removesuffix('-1')})"
        flat = [value for row in numbers for value in row]
        return f"{count} * ({self._range(numbers)})" + seen_text(flat)

    def _text(self, rows: list[list[bytes]]) -> str | None:
        """Return the text for uncounted words, as in names and sentences; numbers may stand around them."""
        span = text_span(rows)
        if span is None:
            return None
        before, behind = span
        texts = [row[before : len(row) - behind] for row in rows]
        words = [word for text in texts for word in text]
        most, longest = (max(map(len, each)) for each in (texts, words))
        head = self._scalars([row[:before] for row in rows]) if before else ""
        tail = self._scalars([row[len(row) - behind :] for row in rows]) if behind else ""
        least = min(1, *map(len, texts))
        text = f"{least}..{most} * (string(1..{longest}, {letters_text(words)}))"
        return " ".join(each.partition("  #")[0] for each in (head, text, tail) if each)

    def _range(self, numbers: list[list[int]]) -> str:
        name = upper_name(numbers, self.integers, self._opposite())
        if name is None and self.likely and are_indexes(numbers, self.integers[self.likely]):
            name = self.likely
        return f"1..{name}" if name else range_text([value for row in numbers for value in row])

    def _opposite(self) -> str:
        """Return the likely upper limit of the next column of `a b` after `n m`: n, then m unless it counts lines."""
        index = len(self.integers) - len(self.outer)
        name = self.outer[index] if self.inner and index < len(self.outer) else ""
        return "" if name == self.repeats else name

    def _own_count(self, rows: list[list[bytes]]) -> str | None:
        """Return the text for `k` and then k items or pairs in the same line; up to two words precede k."""
        counted = own_count(rows)
        if counted is None:
            return None
        index, each = counted
        head = self._scalars([row[: index + 1] for row in rows])
        count, counts = next(self._sums([next(reversed(self.integers))], factor=each))
        tail = self._array_text(count, counts, [row[index + 1 :] for row in rows])
        return f"{head.partition('  #')[0]} {tail}"

    def _scalars(self, rows: list[list[bytes]]) -> str:
        columns = [[row[index] for row in rows] for index in range(len(rows[0]))]
        texts, seen = [], []
        whole = [list(map(int, column)) if all(map(is_integer, column)) else [] for column in columns]
        for index, column in enumerate(columns):
            if len(columns) == 1 and self._are_digits(column):
                texts.append(self._word(column, lone=True))
            elif whole[index]:
                values = whole[index]
                if index < 2 and self._are_vertices(whole[:2]):
                    texts.append(f"{self._bind(values)}: 1..{self.vertices}")
                    continue
                ends = self._ends(whole[max(0, index - 1) : index + 2], values)
                texts.append(self._scalar(values, ends))
                seen.append(f"{min(values)}..{max(values)}")
            elif all(map(is_number, column)):
                texts.append(f"({numbers_text(column)})")
            else:
                texts.append(self._word(column, lone=len(columns) == 1))
        comment = f"  # seen {', '.join(seen)}" if seen else ""
        return " ".join(texts) + comment

    def _are_single(self, values: Sequence[int]) -> bool:
        """Return whether the only integer so far is 1 in all of several inputs: then it is likely a count."""
        alone = not self.inner and len(self.integers) == 1
        return alone and list(values) in self.integers.values() and set(values) == {1} and len(values) > 1

    def _are_digits(self, column: list[bytes]) -> bool:
        """Return whether a number, alone in its line, has an earlier integer as its number of digits."""
        lengths = [len(token) for token in column]
        is_length = not self.inner and lengths in self.integers.values()
        long = max(lengths) >= MANY or (len(set(lengths)) > 1 < max(lengths) - 1)
        return is_length and long and all(token.isdigit() for token in column)

    def _are_vertices(self, pair: list[list[int]]) -> bool:
        """Return whether lines after a tree or a graph begin with two of its vertices; some value must be large."""
        if not self.vertices or not self.inner or len(pair) < 2 or not all(pair):
            return False
        rows = [list(each) for each in zip(*pair, strict=True)]
        return upper_name(rows, self.integers, self.vertices) == self.vertices

    def _ends(self, beside: list[list[int]], values: list[int]) -> str | None:
        """Return the range of a column of `l r`, if both columns together have too many values for chance."""
        for starts, ends in pairwise(beside) if self.inner else ():
            pairs = list(zip(starts, ends, strict=False))
            if len(pairs) == len(values) and all(low <= high for low, high in pairs):
                name = upper_name([list(pair) for pair in pairs], self.integers)
                if name is not None and name in self.outer:
                    return f"1..{name}"
        return None

    def _is_end(self, starts: Sequence[int], ends: Sequence[int]) -> bool:
        """Return whether a column is never less than the previous column, too often for chance: `from to`."""
        if self.joined_by or len(ends) < _SPANS or len(starts) != len(ends):
            return False
        before = next(reversed(self.integers))
        if any(before in names for names in self.indexes.values()):
            return False  # an index, and something else
        mixed = max(starts) > min(ends)  # else its numbers may just be larger
        return mixed and all(low <= high for low, high in zip(starts, ends, strict=True))

    def _scalar(self, values: list[int], ends: str | None) -> str:
        """Return a new integer; its lower limit is the previous one if both are ascending indexes of one sequence."""
        span = self._range([[value] for value in values])
        span = ends if ends is not None and span.removeprefix("1..") not in self.integers else span
        before = next(reversed(self.integers), "")
        ordered = all(low <= high for low, high in zip(self.integers.get(before, values), values, strict=True))
        ordered = ordered and (self.inner or len(values) >= _SPANS)
        if ordered and not self.joined_by and before in self.indexes.get(span, ()):
            span = f"{before}..{span.removeprefix('1..')}"
        elif self.inner and before not in self.outer and self._is_end(self.integers.get(before, ()), values):
            strict = all(low < high for low, high in zip(self.integers[before], values, strict=True))
            span = f"{before}{'+1' if strict else ''}..{span.partition('..')[2]}"
        name = self._bind(values)
        if span.removeprefix("1..") in self.integers:
            self.indexes.setdefault(span, set()).add(name)
        return f"{name}: {span}"

    def _bind(self, values: list[int]) -> str:
        name = next((name for name in _NAMES if name not in self.taken), None)
        if name is None:
            raise NoGuess
        self.taken.add(name)
        self.integers[name] = values
        self.heads[name] = self.at[0]
        return name

    def _begins_all(self, column: list[bytes]) -> bool:
        """Return whether all inputs begin with the same word, as in the first pass of a multi-pass problem."""
        first = not (self.inner or self.integers)
        return first and len(column) > 1 and len(set(column)) == 1 and len(column[0]) > _SHORT_WORD

    def _word(self, column: list[bytes], *, lone: bool) -> str:
        fields = fields_text(column)
        if fields is not None:
            return fields
        for name, values in self.integers.items():
            chance = len(set(values)) == 1 and (
                name in self.outer or (len(self.integers) > 1 and len(values) > 1 and values[0] < MANY)
            )
            if [len(word) for word in column] == values and max(values) > 1 and not chance:
                return string_text(name, column)
        words = sorted(set(column))
        if self._begins_all(column):
            return quoted_text(words[0])
        tells = not any(word.islower() for word in words) and (not lone or len(words) < len(column))
        repeats = tells and all(len(word) > 1 for word in words)
        repeats = repeats or (len(words) < len(column) and not lone)
        chance = lone and len(words) == 1 and len(column) < _AGREEING
        if len(words) <= 4 and repeats and not chance and are_a_vocabulary(words):
            return "|".join(map(quoted_text, words))
        return string_text(f"1..{max(map(len, column))}", column)
