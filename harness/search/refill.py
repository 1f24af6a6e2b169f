"""Inputs like a given one, with one place made anew: a column of its lines, a line, a word, a number."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby

from harness.shapes.drawing import Bits
from harness.values import dataclass

_MANY = 3  # lines that have columns, words that are a list, letters that are changed
_NUMBER_ENDS = 18  # digits of a number that is changed

Words = list[bytes]
Fill = Callable[[Bits, Words], Words]


def refilled(data: bytes, bits: Bits) -> Iterator[bytes]:
    """Yield inputs with the words of one place in another order, or all from a few or many values of that place.

    In random order. Whether an input is valid is for others to say: the values of a place keep between the least and
    the largest that it had, and counts stay, but for single numbers of a line.
    """
    rows = [line.split(b" ") for line in data.removesuffix(b"\n").split(b"\n")]
    ways = [partial(_put, rows, place, fill) for place in _places(rows) for fill in _fills_of(place.take(rows))]
    bits.shuffle(ways)
    for way in ways:
        changed = way(bits)
        if changed is not None and changed != data:
            yield changed


@dataclass(frozen=True, kw_only=True)
class _Place:
    """The words of some rows: those of a column, or all in the only row. letters: those of the only word."""

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
        """Return the rows with other words in this place."""
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


def _put(rows: Sequence[Words], place: _Place, fill: Fill, bits: Bits) -> bytes | None:
    words = fill(bits, place.take(rows))
    return b"".join(b" ".join(row) + b"\n" for row in place.put(rows, words)) if words else None


def _places(rows: Sequence[Words]) -> Iterator[_Place]:
    """Yield the columns of lines with equally many words in a row, the lists, the long words, the other words."""
    first = 0
    for length, some in groupby(rows, key=len):
        end = first + len(list(some))
        if end - first >= _MANY:
            yield from (_Place(first=first, end=end, column=column) for column in range(length))
        else:
            for at in range(first, end):
                if length > 2 * _MANY:
                    yield _Place(first=at, end=at + 1)
                    continue
                for column, word in enumerate(rows[at]):
                    letters = len(word) >= _MANY and not _is_number(word)
                    yield _Place(first=at, end=at + 1, column=column, letters=letters)
        first = end


def _fills_of(words: Words) -> Sequence[Fill]:
    if len(words) == 1:
        return _SINGLE if _is_number(words[0]) else ()
    return (*_ANY, *(_NUMBERS if all(map(_is_number, words)) else ()))


def _is_number(word: bytes) -> bool:
    return word.removeprefix(b"-").isdigit() and len(word) <= _NUMBER_ENDS


def _one(bits: Bits, words: Words) -> Words:
    return [bits.choice(words)] * len(words)


def _two(bits: Bits, words: Words) -> Words:
    two = bits.choice(words), bits.choice(words)
    return [two[chosen] for chosen in bits.many_between(0, 1, len(words))]


def _shuffled(bits: Bits, words: Words) -> Words:
    bits.shuffle(other := list(words))
    return other


def _value(word: bytes) -> tuple[int, bytes]:
    return (int(word), b"") if _is_number(word) else (0, word)


def _rising(_: Bits, words: Words) -> Words:
    return sorted(words, key=_value)


def _falling(_: Bits, words: Words) -> Words:
    return sorted(words, key=_value, reverse=True)


def _all_least(_: Bits, words: Words) -> Words:
    return [min(words, key=_value)] * len(words)


def _all_largest(_: Bits, words: Words) -> Words:
    return [max(words, key=_value)] * len(words)


def _both_ends(_: Bits, words: Words) -> Words:
    ends = min(words, key=_value), max(words, key=_value)
    return [ends[at % 2] for at in range(len(words))]


def _consecutive(_: Bits, words: Words) -> Words:
    low, high = min(map(int, words)), max(map(int, words))
    return [b"%d" % (low + at % (high - low + 1)) for at in range(len(words))]


def _anywhere(bits: Bits, words: Words) -> Words:
    low, high = min(map(int, words)), max(map(int, words))
    return [b"%d" % number for number in bits.many_between(low, high, len(words))]


def _single(change: Callable[[Bits, int], int]) -> Fill:
    return lambda bits, words: [b"%d" % change(bits, int(words[0]))]


_ANY: tuple[Fill, ...] = (_one, _two, _shuffled, _rising, _falling, _all_least, _all_largest, _both_ends)
_NUMBERS: tuple[Fill, ...] = (_consecutive, _anywhere)
_SINGLE: tuple[Fill, ...] = tuple(
    map(
        _single,
        (
            lambda _, number: number // 2,
            lambda _, number: 2 * number,
            lambda _, number: number + 1,
            lambda _, number: number - 1,
            lambda bits, number: bits.between(0, 2 * abs(number) + 1),
            lambda _, __: 0,
            lambda _, __: 1,
        ),
    )
)
