"""Make inputs that differ from a given one in one part: a column of its lines, a line, a word or a number."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from harness.search.column_sums import is_short_integer
from harness.shapes.drawing import Bits
from harness.values import dataclass

_MANY = 3  # lines with columns, and letters of a changed word, at least; a list has over twice as many words
_MOST_REGIONS, _MOST_WAYS = 100, 1000

Words = list[bytes]
Fill = Callable[[Bits, Words], Words]


def with_one_part_changed(data: bytes, bits: Bits) -> Iterator[bytes]:
    """Yield inputs with one change: a column, a line, a word or a number gets another order or other values.

    In random order; of a large input only a selection. Values stay between the least and the largest of their part,
    and counts stay, except for single numbers of a line. The inputs may be invalid.
    """
    rows = [line.split(b" ") for line in data.removesuffix(b"\n").split(b"\n")]
    regions = list(_regions(rows))
    selected = regions if len(regions) <= _MOST_REGIONS else _selected(regions, bits)
    ways = [(part, fill) for region in selected for part in region for fill in _fills_of(part.take(rows))]
    bits.shuffle(ways)
    for part, fill in ways[:_MOST_WAYS]:
        words = part.put(rows, fill(bits, part.take(rows)))
        changed = b"".join(b" ".join(row) + b"\n" for row in words)
        if changed != data:
            yield changed


@dataclass(frozen=True, kw_only=True)
class _Part:
    """A column of the rows from `first` up to, but not including, `end`; column None: the whole row `first`.

    letters: the letters of the single word in that column.
    """

    first: int
    end: int
    column: int | None = None
    letters: bool = False

    def take(self, rows: Sequence[Words]) -> Words:
        """Return the words, or letters."""
        if self.column is None:
            return rows[self.first]
        words = [row[self.column] for row in rows[self.first : self.end]]
        return [bytes([letter]) for letter in words[0]] if self.letters else words

    def put(self, rows: Sequence[Words], words: Words) -> list[Words]:
        """Return the rows with other words in this part."""
        if self.column is None:
            new = [words]
        elif self.letters:
            row = rows[self.first]
            new = [[*row[: self.column], b"".join(words), *row[self.column + 1 :]]]
        else:
            at = self.column
            pairs = zip(rows[self.first : self.end], words, strict=True)
            new = [[*row[:at], word, *row[at + 1 :]] for row, word in pairs]
        return [*rows[: self.first], *new, *rows[self.end :]]


def _regions(rows: Sequence[Words]) -> Iterator[list[_Part]]:
    """Split the input into regions and yield the parts of each.

    A region is a run of lines with equally many words, whose parts are its columns; or a single line, whose part is
    the whole line if it is a list, else each of its words.
    """
    first = 0
    for length, group in groupby(rows, key=len):
        end = first + len(list(group))
        if end - first >= _MANY:
            yield [_Part(first=first, end=end, column=column) for column in range(length)]
        else:
            yield from (_parts_of_row(rows[at], at) for at in range(first, end))
        first = end


def _parts_of_row(row: Words, at: int) -> list[_Part]:
    if len(row) > 2 * _MANY:
        return [_Part(first=at, end=at + 1)]
    return [
        _Part(first=at, end=at + 1, column=column, letters=len(word) >= _MANY and not is_short_integer(word))
        for column, word in enumerate(row)
    ]


def _selected(regions: Sequence[list[_Part]], bits: Bits) -> list[list[_Part]]:
    """Return the regions with the most lines, and as many random ones."""
    largest = sorted(regions, key=lambda region: region[0].first - region[0].end)[: _MOST_REGIONS // 2]
    return [*largest, *(bits.choice(regions) for _ in range(_MOST_REGIONS // 2))]


def _fills_of(words: Words) -> Sequence[Fill]:
    if len(words) == 1:
        return _SINGLE if is_short_integer(words[0]) else ()
    return (*_ANY, *(_NUMBERS if all(map(is_short_integer, words)) else ()))


def _two_values(bits: Bits, words: Words) -> Words:
    two = bits.choice(words), bits.choice(words)
    return [two[chosen] for chosen in bits.many_between(0, 1, len(words))]


def _shuffled(bits: Bits, words: Words) -> Words:
    bits.shuffle(other := list(words))
    return other


def _value(word: bytes) -> tuple[int, bytes]:
    return (int(word), b"") if is_short_integer(word) else (0, word)


def _both_ends(_: Bits, words: Words) -> Words:
    ends = min(words, key=_value), max(words, key=_value)
    return [ends[at % 2] for at in range(len(words))]


def _consecutive(_: Bits, words: Words) -> Words:
    low, high = min(map(int, words)), max(map(int, words))
    return [b"%d" % (low + at % (high - low + 1)) for at in range(len(words))]


def _anywhere(bits: Bits, words: Words) -> Words:
    low, high = min(map(int, words)), max(map(int, words))
    return [b"%d" % number for number in bits.many_between(low, high, len(words))]


_ANY: tuple[Fill, ...] = (
    lambda bits, words: [bits.choice(words)] * len(words),
    _two_values,
    _shuffled,
    lambda _, words: sorted(words, key=_value),
    lambda _, words: sorted(words, key=_value, reverse=True),
    lambda _, words: [min(words, key=_value)] * len(words),
    lambda _, words: [max(words, key=_value)] * len(words),
    _both_ends,
)
_NUMBERS: tuple[Fill, ...] = (_consecutive, _anywhere)
_SINGLE: tuple[Fill, ...] = (
    lambda _, words: [b"%d" % (int(words[0]) // 2)],
    lambda _, words: [b"%d" % (2 * int(words[0]))],
    lambda _, words: [b"%d" % (int(words[0]) + 1)],
    lambda _, words: [b"%d" % (int(words[0]) - 1)],
    lambda bits, words: [b"%d" % bits.between(0, 2 * abs(int(words[0])) + 1)],
    lambda _, __: [b"0"],
    lambda _, __: [b"1"],
)
