"""The first part of every input validator that was in checktestdata's language; nothing of harness is imported here.

checktestdata.py puts the program behind it. Exit code 42: valid, 43: not, 1: the program itself is at fault.
"""

import re
import sys
from fractions import Fraction
from itertools import count  # noqa: F401 (for what stands behind)

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"(-?(?:0|[1-9][0-9]*)(?:\.([0-9]+))?)([eE][+-]?[0-9]{1,4})?")
_LONGEST = 4000  # digits of an integer: Python reads no more


class Invalid(Exception):
    """The input is not what the program asks for."""


class Mistake(Exception):
    """The program asks for what cannot be."""


class Reader:
    """The input, and what the program has kept of it. Numbers with a point are fractions, so exact."""

    def __init__(self, data: str) -> None:
        self.data, self.at, self.line = data, 0, 0
        self.known: dict[str, dict[tuple[object, ...], object]] = {}

    def must(self, holds: object) -> None:
        """The input is invalid where that does not hold."""
        if not holds:
            seen = self.data.count("\n", 0, self.at) + 1
            raise Invalid(f"line {seen} of the input is not what line {self.line} of the validator asks for")

    def matched(self, pattern: "re.Pattern[str]") -> "re.Match[str]":
        """What the pattern finds here, which is then read."""
        match = pattern.match(self.data, self.at)
        if match is None:
            self.must(False)
        self.at = match.end()
        return match

    def text(self, wanted: str) -> None:
        """Exactly this text."""
        self.must(self.data.startswith(wanted, self.at))
        self.at += len(wanted)

    def end(self) -> None:
        """Nothing more."""
        self.must(self.is_end())

    def is_end(self) -> bool:
        """Whether nothing is left."""
        return self.at == len(self.data)

    def int(self, low: object, high: object) -> int:
        """An integer, written as integers are."""
        text = self.matched(_INTEGER)[0]
        self.must(text != "-0" and len(text) <= _LONGEST)
        value = int(text)
        self.must(low <= value <= high)
        return value

    def float(self, low: object, high: object, form: str = "") -> Fraction:
        """A number with or without a point."""
        return self.floatp(low, high, 0, _LONGEST, form)

    def floatp(self, low: object, high: object, least: int, most: int, form: str = "") -> Fraction:
        """A number with so many digits behind its point."""
        number = self.matched(_FLOAT)
        self.must(len(number[1]) <= _LONGEST and least <= len(number[2] or "") <= most)
        self.must(form != "FIXED" or not number[3])
        self.must(form != "SCIENTIFIC" or number[3])
        value = Fraction(number[0])
        self.must(low <= value <= high)
        return value

    def string(self, wanted: object) -> str:
        """Exactly this value."""
        self.text(str(wanted))
        return str(wanted)

    def regex(self, pattern: str) -> str:
        """What the regular expression finds here."""
        return self.matched(re.compile(pattern))[0]

    def match(self, letters: str) -> bool:
        """Whether one of these letters is next."""
        return not self.is_end() and self.data[self.at] in letters

    def count(self, value: object) -> int:
        """How often to repeat."""
        self.must(value >= 0)
        return int(value)

    def keep(self, value: object, name: str, *place: object) -> None:
        """A value into a variable, or into a place of an array."""
        self.known.setdefault(name, {})[place] = value

    def value(self, name: str, *place: object) -> object:
        """A variable's value."""
        if place not in self.known.get(name, {}):
            raise Mistake(f"nothing was read or set into `{name}`")
        return self.known[name][place]

    def forget(self, name: str, *place: object) -> None:
        """A variable, a place of an array or a whole array, unset."""
        if place:
            self.known.get(name, {}).pop(place, None)
        else:
            self.known.pop(name, None)

    def unique(self, *names: str) -> bool:
        """Whether no index has the same values as another one in all of these arrays."""
        first = self.known.get(names[0], {})
        rows = {tuple(self.value(name, *place) for name in names) for place in first}
        return len(rows) == len(first)

    def inarray(self, value: object, name: str) -> bool:
        """Whether an array has this value."""
        return value in self.known.get(name, {}).values()


def divide(dividend: object, divisor: object) -> object:
    """The quotient; that of integers is rounded towards zero."""
    whole = isinstance(dividend, int) and isinstance(divisor, int)
    return int(Fraction(dividend, divisor)) if whole else Fraction(dividend) / divisor


def modulo(dividend: int, divisor: int) -> int:
    """What is left of a division that is rounded towards zero."""
    return dividend - divisor * divide(dividend, divisor)


def power(base: object, exponent: int) -> object:
    """The power, if it is of a size that limits have."""
    if not isinstance(exponent, int) or not 0 <= exponent <= _LONGEST:
        raise Mistake("an exponent has to be an integer of at most 4000")
    return base**exponent


def judge(program):
    """The exit code for standard input."""
    read = Reader(sys.stdin.buffer.read().decode("latin-1"))
    try:
        program(read)
    except Invalid as error:
        print(error, file=sys.stderr)
        return 43
    except (Mistake, TypeError, ArithmeticError, ValueError, re.error) as error:
        print(f"line {read.line} of the validator: {error}", file=sys.stderr)
        return 1
    return 42
