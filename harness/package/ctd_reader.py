"""The reader of input validators that are translated from Checktestdata's language. It imports nothing of harness.

checktestdata.py appends the translated program. Exit code 42: valid, 43: not, 1: the program itself is at fault.
"""

import re
import sys
from fractions import Fraction
from itertools import count  # noqa: F401 (for the appended program)

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"(-?(?:0|[1-9][0-9]*)(?:\.([0-9]+))?)([eE][+-]?[0-9]{1,4})?")
_LONGEST = 4000  # digits of an integer: Python reads no more


class Invalid(Exception):
    """The input does not match the program."""


class Mistake(Exception):
    """The program itself is wrong."""


class CtdReader:
    """The input and the variables of the program. Numbers with a point are exact fractions."""

    def __init__(self, data: str) -> None:
        self.data, self.at, self.line = data, 0, 0
        self.variables: dict[str, dict[tuple[object, ...], object]] = {}

    def must(self, holds: object) -> None:
        """Refuse the input unless `holds`."""
        if not holds:
            seen = self.data.count("\n", 0, self.at) + 1
            raise Invalid(f"line {seen} of the input is not what line {self.line} of the validator asks for")

    def matched(self, pattern: "re.Pattern[str]") -> "re.Match[str]":
        """Read a match of the pattern."""
        match = pattern.match(self.data, self.at)
        if match is None:
            self.must(False)
        self.at = match.end()
        return match

    def text(self, wanted: str) -> None:
        """Read exactly this text."""
        self.must(self.data.startswith(wanted, self.at))
        self.at += len(wanted)

    def end(self) -> None:
        """Read the end of the input."""
        self.must(self.is_end())

    def is_end(self) -> bool:
        """Return whether the input ends here."""
        return self.at == len(self.data)

    def int(self, low: object, high: object) -> int:
        """Read an integer."""
        text = self.matched(_INTEGER)[0]
        self.must(text != "-0" and len(text) <= _LONGEST)
        value = int(text)
        self.must(low <= value <= high)
        return value

    def float(self, low: object, high: object, form: str = "") -> Fraction:
        """Read a number with or without a point."""
        return self.floatp(low, high, 0, _LONGEST, form)

    def floatp(self, low: object, high: object, least: int, most: int, form: str = "") -> Fraction:
        """Read a number with `least` to `most` digits behind its point."""
        number = self.matched(_FLOAT)
        self.must(len(number[1]) <= _LONGEST and least <= len(number[2] or "") <= most)
        self.must(form != "FIXED" or not number[3])
        self.must(form != "SCIENTIFIC" or number[3])
        value = Fraction(number[0])
        self.must(low <= value <= high)
        return value

    def string(self, wanted: object) -> str:
        """Read exactly this value."""
        self.text(str(wanted))
        return str(wanted)

    def regex(self, pattern: str) -> str:
        """Read a match of the regular expression."""
        return self.matched(re.compile(pattern))[0]

    def match(self, letters: str) -> bool:
        """Return whether the next letter is in `letters`."""
        return not self.is_end() and self.data[self.at] in letters

    def count(self, value: object) -> int:
        """Return how often to repeat."""
        self.must(value >= 0)
        return int(value)

    def keep(self, value: object, name: str, *index: object) -> None:
        """Store a value in a variable, or in an array."""
        self.variables.setdefault(name, {})[index] = value

    def value(self, name: str, *index: object) -> object:
        """Return a variable's value."""
        if index not in self.variables.get(name, {}):
            raise Mistake(f"nothing was read or set into `{name}`")
        return self.variables[name][index]

    def forget(self, name: str, *index: object) -> None:
        """Unset a variable, an element of an array or an array."""
        if index:
            self.variables.get(name, {}).pop(index, None)
        else:
            self.variables.pop(name, None)

    def unique(self, *names: str) -> bool:
        """Return whether no two indices have the same values in all of these arrays."""
        first = self.variables.get(names[0], {})
        rows = {tuple(self.value(name, *index) for name in names) for index in first}
        return len(rows) == len(first)

    def inarray(self, value: object, name: str) -> bool:
        """Return whether an array has this value."""
        return value in self.variables.get(name, {}).values()


def divide(dividend: object, divisor: object) -> object:
    """Return the quotient, for integers rounded towards zero."""
    whole = isinstance(dividend, int) and isinstance(divisor, int)
    return int(Fraction(dividend, divisor)) if whole else Fraction(dividend) / divisor


def modulo(dividend: int, divisor: int) -> int:
    """Return the remainder of a division that is rounded towards zero."""
    return dividend - divisor * divide(dividend, divisor)


def power(base: object, exponent: int) -> object:
    """Return the power, if its size is plausible for limits."""
    if not isinstance(exponent, int) or not 0 <= exponent <= _LONGEST:
        raise Mistake("an exponent has to be an integer of at most 4000")
    return base**exponent


def judge(program):
    """The exit code for standard input."""
    read = CtdReader(sys.stdin.buffer.read().decode("latin-1"))
    try:
        program(read)
    except Invalid as error:
        print(error, file=sys.stderr)
        return 43
    except (Mistake, TypeError, ArithmeticError, ValueError, re.error) as error:
        print(f"line {read.line} of the validator: {error}", file=sys.stderr)
        return 1
    return 42
