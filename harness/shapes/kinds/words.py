"""Words: one of several fixed words, letters of an alphabet, or numbers and letters with fixed signs between them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import Any, ClassVar, Self

from harness.shapes.drawing import Drawer, Infeasible
from harness.shapes.expressions import Env, Expression, Number, count_of
from harness.shapes.kinds.brackets import (
    drawn_brackets,
    drop_pairs,
    matching_pairs,
    pairs_of,
    to_first_pair,
    words_of_brackets,
)
from harness.shapes.kinds.integer import Integer
from harness.shapes.kinds.kind import Cut, Rank, SingleWord, nth_parts, sequences, value_count_of
from harness.shapes.reader import Reader, quoted
from harness.shapes.steps import Steps, first_taken, in_chunks, lifted, lowered
from harness.values import dataclass

_LONG = 40  # letters: for shorter strings single letters are as fast
_SHORT = 8  # letters that a word of a large input may have, whatever the size: many words differ only so
_MOST_DIGITS = 40  # of a field
_SHOWN = 60  # letters of an example in an error
ANY_LENGTH, ANY_LETTERS = 10**6, bytes(range(33, 128))  # of the loosest string


@dataclass(frozen=True, kw_only=True)
class Word(SingleWord):
    """One of some fixed words; a literal has one word."""

    words: tuple[bytes, ...]

    def read(self, reader: Reader, env: Env) -> bytes:
        for word in sorted(self.words, key=len, reverse=True):
            after = reader.at + len(word)
            if reader.starts_with(word) and reader.data[after : after + 1] in (b" ", b"\n", b""):
                reader.at = after
                return word
        return reader.expected(" or ".join(word.decode() for word in self.words))

    def may_begin(self, reader: Reader) -> bool:
        return any(map(reader.starts_with, self.words))

    @property
    def conversion(self) -> bytes | None:
        return b"%b" if all(self.words) else None

    def values(self, env: Env, size: int) -> Iterator[bytes]:
        yield from self.words if size == 0 else ()

    def rank(self, part: bytes, env: Env) -> Rank:
        return (0, self.words.index(part), 0)

    def draw(self, drawer: Drawer, env: Env, budget: int) -> bytes:
        return drawer.bits.choice(self.words)

    def draw_column(
        self, drawer: Drawer, env: Env, count: int, budget: int, before: Mapping[str, Sequence[Any]]
    ) -> Sequence[bytes]:
        return [self.words[at] for at in drawer.bits.many_between(0, len(self.words) - 1, count)]

    def value_count(self, env: Env) -> int | None:
        return len(self.words)

    def nth(self, number: int, env: Env) -> bytes:
        return self.words[number]

    def loosest(self) -> "Word | String":
        return _any_string(self.name) if all(self.words) else self  # a blank line is structure

    def earlier_words(self, word: bytes, env: Env) -> Steps[bytes]:
        """Try the earlier words of the list."""
        return (yield from first_taken(word, self.words[: self.words.index(word)]))


@dataclass(frozen=True, kw_only=True)
class String(SingleWord):
    """A word of low to high letters. matching: the letters are brackets, and match."""

    is_leaf: ClassVar[bool] = True

    low: Expression
    high: Expression
    alphabet: bytes
    matching: bool = False

    def read(self, reader: Reader, env: Env) -> bytes:
        low, high = max(0, self.low.value(env)), self.high.value(env)
        head = reader.data[reader.at : reader.at + max(0, high) + 1]
        length = len(head) - len(head.lstrip(self.alphabet))
        if not low <= length <= max(0, high):
            letters = f"{length} of them" if length <= high else f"more than {high}"
            reader.fail(f"expected {self.name or 'a string'}, {low} to {high} letters of {quoted(self.alphabet)}, "
                        f"found {letters}")  # fmt: skip
        reader.at += length
        return head[:length]

    def fault(self, part: bytes, env: Env) -> str | None:
        return "expected brackets that match" if self.matching and matching_pairs(part) is None else None

    def is_empty(self, env: Env) -> bool:
        return self.high.value(env) <= 0

    def may_be_empty(self, env: Env) -> bool:
        return self.low.value(env) <= 0

    def values(self, env: Env, size: int) -> Iterator[bytes]:
        if max(0, self.low.value(env)) <= size <= self.high.value(env) or (size == 0 >= self.high.value(env)):
            if self.matching:
                yield from words_of_brackets(pairs_of(self.alphabet), size)
            else:
                yield from map(bytes, product(self.alphabet, repeat=size))

    def rank(self, part: bytes, env: Env) -> Rank:
        return (len(part), sum(map(self.alphabet.index, part)), 0)

    def fits(self, part: bytes, env: Env) -> bool:
        is_long = max(0, self.low.value(env)) <= len(part) <= max(0, self.high.value(env))
        return is_long and self.fault(part, env) is None

    @property
    def lengths(self) -> tuple[Expression, ...]:
        return (self.low, self.high)

    def least_cells(self, env: Env) -> int:
        return count_of(self.low, env)

    def size_floor(self, env: Env) -> int:
        is_bound = self.low.names | self.high.names <= env.keys()
        return min(count_of(self.low, env), count_of(self.high, env)) if is_bound else 0

    def cut(self, part: bytes, cut: Cut) -> bytes:
        start, end = cut.span(self.high)
        return part[:start] + part[end:] if self.low == self.high else part[: count_of(self.high, cut.after)]

    def draw(self, drawer: Drawer, env: Env, budget: int) -> bytes:
        low, high = count_of(self.low, env), count_of(self.high, env)
        if self.matching:
            low, high = low + low % 2, high - high % 2
        if low > high:
            raise Infeasible
        most = max(low, min(high, max(budget, _SHORT) if drawer.full else budget))
        length = most if drawer.full and drawer.bits.one_in(3) else drawer.bits.between(low, most)
        if self.matching:
            return drawn_brackets(drawer.bits, pairs_of(self.alphabet), length - length % 2)
        return drawer.text(drawer.letters_of(self.alphabet), length)

    def value_count(self, env: Env) -> int | None:
        if self.matching or not (self.low.names | self.high.names) <= env.keys():
            return None
        low, high = count_of(self.low, env), count_of(self.high, env)
        return None if high > _LONG else sum(len(self.alphabet) ** length for length in range(low, high + 1))

    def nth(self, number: int, env: Env) -> bytes:
        length, base = count_of(self.low, env), len(self.alphabet)
        while number >= base**length:
            number -= base**length
            length += 1
        return bytes(self.alphabet[number // base**at % base] for at in range(length))

    def relaxed(self, flag: str) -> "String":
        return replace(self, matching=False) if flag == "matching" else self

    def tightened(self, scope: Sequence[str]) -> Iterator[Self]:
        if pairs_of(self.alphabet) and not self.matching:
            yield replace(self, matching=True)

    def loosest(self) -> "String":
        letters = joined_letters(self.alphabet, ANY_LETTERS)
        if self.low.names | self.high.names:
            return replace(self, alphabet=letters, matching=False)
        least = Number(amount=min(1, self.low.value({})))
        return replace(self, low=least, high=Number(amount=ANY_LENGTH), alphabet=letters, matching=False)

    def drop_letters(self, text: bytes, env: Env) -> Steps[bytes]:
        """Drop all of one letter, then chunks, from a string of free length."""
        if self.low == self.high:
            return text
        if self.matching:
            return (yield from drop_pairs(text))
        for letter in sorted(set(text)) if len(text) >= _LONG else ():
            without = text.replace(bytes([letter]), b"")
            if len(without) >= self.low.value(env) and (yield without):
                text = without
        return (yield from in_chunks(text, len, lambda now, at, count: now[:at] + now[at + count :]))

    def lower_letters(self, text: bytes, env: Env) -> Steps[bytes]:
        """Turn chunks of letters to the first letter, then single letters to earlier letters."""
        if self.matching:
            return (yield from to_first_pair(text, pairs_of(self.alphabet)))
        first = self.alphabet[:1]
        text = yield from in_chunks(text, len, lambda now, at, count: now[:at] + first * count + now[at + count :])
        for at in range(len(text)):

            def put(now: bytes, index: int, at: int = at) -> bytes:
                return now[:at] + self.alphabet[index : index + 1] + now[at + 1 :]

            text = yield from lowered(text, self.alphabet.index(text[at]), 0, put)
        return text


def joined_letters(*alphabets: bytes) -> bytes:
    """Return the letters of all alphabets, each once."""
    return bytes(dict.fromkeys(b"".join(alphabets)))


def _any_string(name: str) -> String:
    return String(name=name, low=Number(amount=1), high=Number(amount=ANY_LENGTH), alphabet=ANY_LETTERS)


@dataclass(frozen=True, kw_only=True)
class Field(Integer):
    """A number within a word, with leading zeros up to its width; its limits are numbers, from 0 on."""

    width: int = 1

    @property
    def pattern(self) -> bytes:
        """Return a regular expression, as one group."""
        if self.width > 1:
            return b"([0-9]{%d}|[1-9][0-9]{%d,%d})(?![0-9])" % (self.width, self.width, _MOST_DIGITS)
        return b"(0|[1-9][0-9]{0,%d})(?![0-9])" % _MOST_DIGITS

    @property
    def ends(self) -> tuple[int, int]:
        """Return the least and the largest number."""
        return self.bounds({})

    def part_of(self, text: bytes) -> int:
        """Return the number that a text says."""
        return int(text)

    def text(self, part: int) -> bytes:
        return b"%0*d" % (self.width, part)

    def draw(self, drawer: Drawer, env: Env, budget: int) -> int:
        """Draw a number anywhere in the range, or at one of its ends."""
        if drawer.bits.one_in(4):
            return drawer.bits.choice(self.ends)
        return drawer.bits.between(*self.ends)

    def simpler(self, part: int, env: Env) -> Steps[int]:
        """Lower a number."""
        return (yield from lowered(part, part, self.ends[0], lambda _, number: number))


@dataclass(frozen=True, kw_only=True)
class Letters(String):
    """Letters within a word; the limits of their number are numbers, and the sign behind them is none of them."""

    @property
    def pattern(self) -> bytes:
        """Return a regular expression, as one group: of letters, however many."""
        letters = re.escape(self.alphabet)
        return b"([%b]*)(?![%b])" % (letters, letters)

    @property
    def ends(self) -> tuple[bytes, bytes]:
        """Return the first and the last word of these letters."""
        return self.alphabet[:1] * self.low.value({}), self.alphabet[-1:] * self.high.value({})

    def part_of(self, text: bytes) -> bytes:
        """Return the letters of a text: all of it."""
        return text

    def simpler(self, part: bytes, env: Env) -> Steps[bytes]:
        """Drop letters, then turn them to earlier ones."""
        part = yield from self.drop_letters(part, env)
        return (yield from self.lower_letters(part, env))


@dataclass(frozen=True, kw_only=True)
class Fields(SingleWord):
    """A word of numbers and letters with fixed signs between them, as clock times and addresses are."""

    pieces: tuple[bytes | Field | Letters, ...]

    @cached_property
    def fields(self) -> tuple[Any, ...]:
        """Return the pieces without the signs."""
        return tuple(piece for piece in self.pieces if not isinstance(piece, bytes))

    def parts_of(self, word: bytes) -> tuple[Any, ...]:
        """Return the numbers and letters of a word of this kind."""
        match = self._pattern.match(word)
        groups = match.groups() if match is not None else ()
        return tuple(field.part_of(text) for field, text in zip(self.fields, groups, strict=False))

    def word_of(self, parts: Sequence[Any]) -> bytes:
        """Return the word with these numbers and letters."""
        left = iter(parts)
        return b"".join(piece if isinstance(piece, bytes) else piece.text(next(left)) for piece in self.pieces)

    @cached_property
    def _pattern(self) -> "re.Pattern[bytes]":
        return re.compile(
            b"".join(re.escape(piece) if isinstance(piece, bytes) else piece.pattern for piece in self.pieces)
        )

    def read(self, reader: Reader, env: Env) -> bytes:
        match = self._pattern.match(reader.data, reader.at)
        if match is None or not self.fits(match[0], env):
            least, most = map(self.word_of, zip(*(field.ends for field in self.fields), strict=True))
            like = (
                f"from {least.decode()} to {most.decode()}" if len(most) <= _SHOWN else f"such as {least.decode()}"
            )
            reader.expected(f"{self.name or 'a word'} {like[:_SHOWN]}")
        reader.at += len(match[0])
        return match[0]

    def fits(self, part: bytes, env: Env) -> bool:
        parts = self.parts_of(part)
        return bool(parts) and all(field.fits(own, env) for field, own in zip(self.fields, parts, strict=True))

    def values(self, env: Env, size: int) -> Iterator[bytes]:
        def parts(own: int, left: int) -> Iterator[Any]:
            yield from self.fields[-left].values(env, own)

        yield from map(self.word_of, sequences(parts, len(self.fields), size + len(self.fields)))

    def rank(self, part: bytes, env: Env) -> Rank:
        ranks = [field.rank(own, env) for field, own in zip(self.fields, self.parts_of(part), strict=True)]
        first, second, third = map(sum, zip(*ranks, strict=True))
        return (first, second, third)

    def value_count(self, env: Env) -> int | None:
        return value_count_of(self.fields, env)

    def nth(self, number: int, env: Env) -> bytes:
        return self.word_of(tuple(nth_parts(self.fields, number, env)))

    def draw(self, drawer: Drawer, env: Env, budget: int) -> bytes:
        return self.word_of([field.draw(drawer, env, budget) for field in self.fields])

    def loosest(self) -> String:
        return _any_string(self.name)

    def simpler_fields(self, word: bytes, env: Env) -> Steps[bytes]:
        """Make each part of a word simpler, from the first to the last."""
        for at, field in enumerate(self.fields):
            parts = self.parts_of(word)

            def put(part: Any, at: int = at, parts: tuple[Any, ...] = parts) -> bytes:
                return self.word_of([*parts[:at], part, *parts[at + 1 :]])

            word = yield from lifted(field.simpler(parts[at], env), word, put)
        return word
