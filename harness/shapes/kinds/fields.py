"""Words of numbers with signs between them: clock times, dates, versions. A value is the word itself."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from harness.shapes.drawing import Drawer
from harness.shapes.expressions import Env, Number
from harness.shapes.kinds.kind import Kind
from harness.shapes.kinds.word import ANY_LENGTH, ANY_LETTERS, String
from harness.shapes.measure import Rank
from harness.shapes.reader import Reader
from harness.shapes.steps import Steps, lowered
from harness.values import dataclass

_LONGEST = 40  # digits


@dataclass(frozen=True, kw_only=True)
class Field:
    """A number within a word, with leading zeros up to its width."""

    low: int
    high: int
    width: int = 1


@dataclass(frozen=True, kw_only=True)
class Fields(Kind[bytes]):
    """A word of numbers with fixed signs between them, as clock times and dates are."""

    pieces: tuple[bytes | Field, ...]

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """Return the numbers without the signs."""
        return tuple(piece for piece in self.pieces if isinstance(piece, Field))

    def numbers_of(self, word: bytes) -> tuple[int, ...]:
        """Return the numbers in a word of this kind."""
        match = self._pattern().match(word)
        return tuple(map(int, match.groups())) if match is not None else ()

    def word_of(self, numbers: Sequence[int]) -> bytes:
        """Return the word with these numbers, each padded to its field's width."""
        left = iter(numbers)
        return b"".join(
            b"%0*d" % (piece.width, next(left)) if isinstance(piece, Field) else piece for piece in self.pieces
        )

    def _pattern(self) -> "re.Pattern[bytes]":
        """Return the compiled pattern; `re` caches it."""
        return re.compile(
            b"".join(_digits(piece) if isinstance(piece, Field) else re.escape(piece) for piece in self.pieces)
        )

    def parse(self, reader: Reader, env: Env) -> bytes:
        match = self._pattern().match(reader.data, reader.at)
        if match is None or not all(
            field.low <= int(text) <= field.high for field, text in zip(self.fields, match.groups(), strict=True)
        ):
            least = self.word_of([field.low for field in self.fields])
            most = self.word_of([field.high for field in self.fields])
            reader.expected(f"{self.name or 'a word'} from {least.decode()} to {most.decode()}")
        reader.at += len(match[0])
        return match[0]

    def text(self, part: bytes) -> bytes:
        return part

    def values(self, env: Env, size: int) -> Iterator[bytes]:
        yield from map(self.word_of, _numbers_of_size(self.fields, size))

    def rank(self, part: bytes, env: Env) -> Rank:
        numbers = zip(self.numbers_of(part), self.fields, strict=True)
        return (sum(number - field.low for number, field in numbers), 0, 0)

    def draw(self, drawer: Drawer, env: Env, budget: int) -> bytes:
        return self.word_of([_drawn(drawer, field.low, field.high) for field in self.fields])

    @property
    def is_column(self) -> bool:
        return True

    def loosest(self) -> String:
        return String(name=self.name, low=Number(amount=1), high=Number(amount=ANY_LENGTH), alphabet=ANY_LETTERS)

    def lower_fields(self, word: bytes, env: Env) -> Steps[bytes]:
        """Lower each number of a word, from the first to the last."""
        for at, field in enumerate(self.fields):

            def put(now: bytes, number: int, at: int = at) -> bytes:
                numbers = self.numbers_of(now)
                return self.word_of([*numbers[:at], number, *numbers[at + 1 :]])

            word = yield from lowered(word, self.numbers_of(word)[at], field.low, put)
        return word


def _drawn(drawer: Drawer, low: int, high: int) -> int:
    """Draw a number anywhere in the range, or at one of its ends."""
    return drawer.bits.choice((low, high)) if drawer.bits.one_in(4) else drawer.bits.between(low, high)


def _digits(field: Field) -> bytes:
    if field.width > 1:
        return b"([0-9]{%d}|[1-9][0-9]{%d,%d})(?![0-9])" % (field.width, field.width, _LONGEST)
    return b"(0|[1-9][0-9]{0,%d})(?![0-9])" % _LONGEST


def _numbers_of_size(fields: Sequence[Field], size: int) -> Iterator[tuple[int, ...]]:
    """Yield all tuples of numbers whose distances from the lowest sum to `size`."""
    if not fields:
        yield from ((),) if size == 0 else ()
        return
    first, rest = fields[0], fields[1:]
    for own in range(min(size, first.high - first.low) + 1):
        yield from ((first.low + own, *others) for others in _numbers_of_size(rest, size - own))
