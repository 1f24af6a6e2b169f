"""What all draws share: random choices made of bits alone, styles of integers, the state of a draw."""

import sys
from array import array
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from dataclasses import field, replace
from functools import lru_cache
from math import isqrt
from random import Random
from typing import Any, TypeAlias, TypeVar

from harness.shapes.expressions import origin
from harness.values import dataclass

T = TypeVar("T")

_SINGLE = 12  # numbers: fewer are drawn one by one

Bytes: TypeAlias = bytes  # for a class with a method that is called `bytes`


@lru_cache(maxsize=256)
def _letter_of_byte(alphabet: bytes) -> bytes:
    """Return a table that maps each byte to a letter."""
    return (alphabet * 256)[:256]


@dataclass(frozen=True, kw_only=True)
class Bits:
    """Random choices made of the bits of a source: Random's own choices may change between versions of Python.

    styles: a separate source for what a value looks like, so that the same style can be drawn at other sizes.
    """

    source: Random
    styles: Random | None = None

    @property
    def style(self) -> "Bits":
        """Return the choices from `styles`."""
        return self if self.styles is None else Bits(source=self.styles)

    def below(self, end: int) -> int:
        """Return a uniform integer from 0 to end − 1."""
        width = (end - 1).bit_length()
        while True:
            chosen = self.source.getrandbits(width) if width else 0
            if chosen < end:
                return chosen

    def between(self, low: int, high: int) -> int:
        """Return a uniform integer from low to high."""
        return low + self.below(high - low + 1)

    def small(self, low: int, high: int) -> int:
        """Return an integer from low to high; each order of magnitude of its distance from low is about as likely."""
        span = high - low + 1
        return low + self.below(min(span, 1 << self.below(span.bit_length() + 1)))

    def one_in(self, times: int) -> bool:
        """Return True with probability 1/times."""
        return self.below(times) == 0

    def choice(self, items: Sequence[T]) -> T:
        """Return a uniformly chosen item."""
        return items[self.below(len(items))]

    def bytes(self, count: int) -> bytes:
        """Return `count` uniform bytes."""
        return self.source.getrandbits(8 * count).to_bytes(count, "little") if count else b""

    def many_between(self, low: int, high: int, count: int) -> list[int]:
        """Return `count` integers from low to high; from `_SINGLE` on faster, and slightly less uniform."""
        if count < _SINGLE or high - low >= 1 << 63:
            return [self.between(low, high) for _ in range(count)]
        span, words = high - low + 1, array("Q", self.bytes(8 * count))
        if sys.byteorder != "little":
            words.byteswap()
        return [low + word % span for word in words]

    def letters(self, alphabet: Bytes, count: int) -> Bytes:
        """Return `count` letters of an alphabet. Fast, and therefore slightly less uniform."""
        return self.bytes(count).translate(_letter_of_byte(alphabet))

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Put the items into uniform random order."""
        for at in range(len(items) - 1, 0, -1):
            other = self.below(at + 1)
            items[at], items[other] = items[other], items[at]

    def sample(self, end: int, count: int) -> list[int]:
        """Return `count` distinct integers from 0 to end − 1, in random order."""
        if 3 * count > end:
            numbers = list(range(end))
            self.shuffle(numbers)
            return numbers[:count]
        chosen: dict[int, None] = {}
        while len(chosen) < count:
            chosen[self.below(end)] = None
        return list(chosen)


# Styles of integers: in the whole range, or only its ends; one of three numbers; at most 2 from the simplest; one
# number; consecutive; notable (powers, squares); within `size` of the simplest; of one order of magnitude.
_ANYWHERE, _FEW, _SIMPLE, _SAME, _IN_A_ROW, _NOTABLE, _NEAR, _MAGNITUDE = range(8)
_STYLES = (_ANYWHERE, _FEW, _SIMPLE, _SAME, _IN_A_ROW, _NOTABLE, *[_NEAR] * 6)
# Of inputs as large as possible: one number beside a row of numbers makes programs slow.
_FULL_STYLES = (*[_ANYWHERE] * 3, _FEW, _SIMPLE, *[_SAME] * 2, *[_IN_A_ROW] * 2, _NOTABLE, *[_NEAR] * 2)
_STEPS = (1, 1, 1, -1, -1, 2)
# Binary digits of the orders of magnitude: most products of two are near 2^31.
_WIDTHS = (2, 4, 7, 10, 14, 15, 16, 17, 20, 24, 30, 31, 62)
_MOST_TRIES = 8
_MANY = 1000  # integers of one style
_SOME = 64  # draws, from which very many integers of one style are chosen


@dataclass(kw_only=True)
class IntegerDrawer:
    """Draws the values of one integer of a shape. size: see Drawer; in units of its last decimal place."""

    drawer: "Drawer"
    size: int
    _style: int | None = None
    _first: int | None = None  # of the numbers in a row
    _width: int | None = None  # binary digits of the order of magnitude
    _step: int = 0
    _drawn: int = 0

    @property
    def bits(self) -> Bits:
        """Return the choices of the draw."""
        return self.drawer.bits

    def draw(self, low: int, high: int, count: int) -> tuple[int, ...]:
        """Return `count` integers from low to high, in one style; in the previous style if `steady`.

        Sometimes in order, rising or falling: this breaks slow sorts and greedy choices.
        """
        style = self.bits.style.choice(_FULL_STYLES if self.drawer.full else _STYLES)
        style = _MAGNITUDE if self.drawer.magnitudes else style
        if self._style is None or not self.drawer.steady:
            self._style, self._first, self._width = style, None, None
        drawn = self._all(low, high, count, self._style)
        order = self.bits.style.below(8) if count > 2 else 2
        return tuple(sorted(drawn, reverse=order == 1)) if order < 2 else drawn

    def _all(self, low: int, high: int, count: int, style: int) -> tuple[int, ...]:
        """Return `count` integers in a style."""
        bits, start = self.bits, origin(low, high)
        if style == _ANYWHERE and count > 1 and bits.style.one_in(4):  # only the ends, so that sums overflow
            return tuple(high if high_end else low for high_end in bits.many_between(0, 1, count))
        near = max(low, start - self.size), min(high, start + self.size)
        spans = {_ANYWHERE: (low, high), _SIMPLE: (max(low, start - 2), min(high, start + 2)), _NEAR: near}
        if style in spans:
            return tuple(bits.many_between(*spans[style], count))
        if style == _MAGNITUDE:
            return self._of_magnitude(low, high, count)
        if style in (_SAME, _IN_A_ROW):
            return self._in_a_row(low, high, count, near, (0,) if style == _SAME else _STEPS)
        ways: dict[int, Callable[[], int]] = {
            _FEW: lambda: bits.choice((near[0], near[1], start)),
            _NOTABLE: lambda: self._notable(low, high),
        }
        if count > _MANY:
            some = [ways[style]() for _ in range(_SOME)]
            return tuple(map(some.__getitem__, bits.many_between(0, _SOME - 1, count)))
        return tuple(ways[style]() for _ in range(count))

    def _in_a_row(
        self, low: int, high: int, count: int, near: tuple[int, int], steps: tuple[int, ...]
    ) -> tuple[int, ...]:
        """Return the next `count` numbers of a sequence with one of these steps; then it wraps around."""
        if count and self._first is None:
            ends = (near[0], near[1], self.bits.between(*near), high, self.bits.between(low, high))
            style = self.bits.style
            self._first, self._step, self._drawn = style.choice(ends), style.choice(steps), 0
        start, step, span = (self._first or 0) + self._step * self._drawn - low, self._step, high - low + 1
        self._drawn += count
        return tuple([low + (start + step * at) % span for at in range(count)])

    def _of_magnitude(self, low: int, high: int, count: int) -> tuple[int, ...]:
        """Return `count` integers of an order of magnitude, which stays while the style does; of any sign."""
        if self._width is None:
            self._width = self.bits.style.choice(_WIDTHS)
        start = origin(low, high)
        width = min(self._width, (high - start + 1).bit_length() - 1)
        if not width:
            return tuple(self.bits.many_between(low, high, count))
        drawn = self.bits.many_between(start + (1 << width - 1), start + (1 << width) - 1, count)
        return tuple(-value if low <= -value and self.bits.one_in(2) else value for value in drawn)

    def _notable(self, low: int, high: int) -> int:
        """Return an integer near a power of 2 or 10, a square or an end of the range: rounding and types fail."""
        for _ in range(_MOST_TRIES):
            size = max(abs(low), abs(high))
            kinds: tuple[int, ...] = (
                1 << self.bits.below(size.bit_length() + 1),
                10 ** self.bits.below(len(str(size)) + 1),
                self.bits.between(0, isqrt(size)) ** 2,
                size,
            )
            value = self.bits.choice(kinds) + self.bits.between(-1, 1)
            value = -value if low < 0 and self.bits.one_in(2) else value
            if low <= value <= high:
                return value
        return self.bits.between(low, high)


_RUN_LENGTHS = (1, 1, 2, 8, 64)  # mean numbers of forms between two draws of the form


class Infeasible(Exception):  # noqa: N818 (a dead end, not a fault)
    """The integers drawn so far cannot be completed to a value."""


def _drawn_forms(bits: Bits, count: int, one_in: int, form: int) -> Iterator[int]:
    """Yield the indexes of the forms of a choice without end; about once in `one_in` times it is drawn anew."""
    while True:
        form = bits.below(count) if one_in == 1 or bits.one_in(one_in) else form
        yield form


@dataclass(frozen=True, kw_only=True)
class Drawer:
    """The state of one draw.

    size: how far from the simplest most integers lie. steady: an integer of the shape that is drawn repeatedly keeps
    its style, so that, say, three large numbers overflow together. full: whether the input is to be as large as
    possible. magnitudes: whether each integer has its own order of magnitude, so that products overflow in one
    program and not in another. many: number of test cases. styles: see Bits; of all items, see `of`.
    """

    bits: Bits
    size: int
    steady: bool
    full: bool
    many: int
    magnitudes: bool = False
    styles: Random | None = None
    _styles: dict[int, Random] = field(default_factory=dict)
    _numbers: dict[int, IntegerDrawer] = field(default_factory=dict)
    _forms: dict[int, Iterator[int]] = field(default_factory=dict)
    _letters: dict[bytes, bytes] = field(default_factory=dict)

    def of(self, item: object) -> "Drawer":
        """Return the drawer of an item: with a source of styles of its own, if there are separate ones.

        So what it looks like does not depend on how much was drawn before it.
        """
        if self.styles is None:
            return self
        own = self._styles.get(id(item))
        if own is None:
            self._styles[id(item)] = own = Random(self.styles.getrandbits(64))
        return replace(self, bits=replace(self.bits, styles=own))

    def integer_drawer(self, item: object, decimals: int) -> IntegerDrawer:
        """Return the drawer of this item's integers. With decimal places they often lie a whole number apart."""
        numbers = self._numbers.get(id(item))
        if numbers is None:
            unit = 10**decimals if decimals and self.bits.style.one_in(2) else 1
            self._numbers[id(item)] = numbers = IntegerDrawer(drawer=self, size=self.size * unit)
        return numbers

    def forms_of(self, item: object, count: int) -> Iterator[int]:
        """Return the indexes of the forms to draw of this item, a choice of `count` blocks: often in long runs."""
        forms = self._forms.get(id(item))
        if forms is None:
            one_in = self.bits.style.choice((*_RUN_LENGTHS, max(1, self.size // 2)))
            forms = _drawn_forms(self.bits, count, one_in, self.bits.below(count))
            self._forms[id(item)] = forms
        return forms

    def letters_of(self, alphabet: bytes) -> bytes:
        """Return the letters of an alphabet to draw from: if steady, always the same."""
        return self._letters.setdefault(alphabet, self._few(alphabet)) if self.steady else self._few(alphabet)

    def _few(self, alphabet: bytes) -> bytes:
        """Return all letters of an alphabet, or only its first ones, so that words often match."""
        style = self.bits.style
        return alphabet if style.one_in(2) else alphabet[: style.between(1, 3)]

    def text(self, letters: bytes, length: int) -> bytes:
        """Draw random letters; sometimes a repeated word, or a word and its mirror image."""
        style = self.bits.style.below(8)
        own = (
            min(length, self.bits.style.between(1, 4)) if style == 0 else -(-length // 2) if style == 1 else length
        )
        if len(letters) == 1:
            return letters * length
        word = self.bits.letters(letters, own)
        if style == 0:
            return (word * (length // max(1, own) + 1))[:length]
        return word + word[: length - own][::-1] if style == 1 else word
