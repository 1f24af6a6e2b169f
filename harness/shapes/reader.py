"""A cursor over the bytes of an input; errors in inputs and in the text of shapes. All name line and column."""

import re
from collections.abc import Callable
from typing import NoReturn, TypeVar

from harness.errors import HarnessError

T = TypeVar("T")

_INTEGER = re.compile(rb"0|-?[1-9][0-9]*")
_SHORT_INTEGER = rb"(?:0|-?[1-9][0-9]{,24})"
_SHORT_BYTES = 27  # of a short integer and what separates it from the next
_WORD = re.compile(rb"[^ \n]+")
_SHOWN = 40  # bytes
_LONGEST = 1000  # letters of a word that is taken for a number
_LONG = 25  # letters of a number


class ShapeError(HarnessError):
    """The text of a shape is invalid; the message names the place and the fix."""


class InputError(HarnessError):
    """An input does not fit the shape; the message names the place."""

    def __init__(self, line: int, column: int, message: str) -> None:
        self.line, self.column = line, column
        super().__init__(f"line {line}, column {column}: {message}")


def shown_number(number: int) -> str:
    """Return a number for people: a long one by its sign and its power of ten."""
    text = str(number)
    if len(text) <= _LONG:
        return text
    sign, digits = ("-", text[1:]) if number < 0 else ("", text)
    zeros = len(digits) - 1
    is_power = digits == "1" + "0" * zeros
    return f"{sign}10^{zeros}" if is_power else f"{sign}{digits[0]}.{digits[1]}…*10^{zeros}"


def quoted(data: bytes) -> str:
    """Return bytes for a message: pure ASCII, escaped, cut."""
    text = ascii(bytes(data[:_SHOWN]))[1:]
    return text + "…" if len(data) > _SHOWN else text


class Reader:
    """A cursor over bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def fail(self, message: str, at: int | None = None) -> NoReturn:
        """Raise InputError at the cursor, or at offset `at`."""
        at = self.at if at is None else at
        line = self.data.count(b"\n", 0, at) + 1
        raise InputError(line, at - self.data.rfind(b"\n", 0, at), message)

    def expected(self, what: str) -> NoReturn:
        """Raise InputError that names the expected and the actual text at the cursor."""
        rest = self.data[self.at : self.at + 41]
        line = rest.partition(b"\n")[0]
        end = f"the end of the {'line' if rest else 'input'}"
        self.fail(f"expected {what}, found {quoted(line) if line else end}")

    def starts_with(self, text: bytes) -> bool:
        """Return whether the text at the cursor begins with `text`."""
        return self.data.startswith(text, self.at)

    def exactly(self, text: bytes, what: str) -> None:
        """Move over `text`, or raise InputError if it is not at the cursor."""
        if not self.starts_with(text):
            self.expected(what)
        self.at += len(text)

    def space(self) -> None:
        """Move over one space."""
        self.exactly(b" ", "one space")

    def newline(self) -> None:
        """Move over the end of the line."""
        self.exactly(b"\n", "the end of the line")

    def end(self) -> None:
        """Raise InputError unless the cursor is at the end of the input."""
        if self.at != len(self.data):
            self.expected("the end of the input")

    def rest_of_line(self) -> bytes:
        """Return the bytes from the cursor to the end of the line."""
        end = self.data.find(b"\n", self.at)
        return self.data[self.at : end if end >= 0 else len(self.data)]

    def integer(self, name: str, low: int, high: int) -> int:
        """Read an integer from low to high."""
        longest = max(len(str(low)), len(str(high)))
        match = _INTEGER.match(self.data, self.at, self.at + longest + 1)
        if match is None or len(match[0]) > longest or not low <= int(match[0]) <= high:
            self._misfit(name, low, high)
        self.at = match.end()
        return int(match[0])

    def _misfit(self, name: str, low: int, high: int) -> NoReturn:
        """Raise InputError for what stands in place of an integer from low to high."""
        word = _WORD.match(self.data, self.at, self.at + _LONGEST + 1)
        digits = word[0] if word is not None and len(word[0]) <= _LONGEST else b""
        found = int(digits) if _INTEGER.fullmatch(digits) else low
        if low <= found <= high or low > high:
            self.expected(f"{name or 'an integer'} from {shown_number(low)} to {shown_number(high)}")
        limit = f"{shown_number(low)} or more" if found < low else f"{shown_number(high)} or less"
        self.fail(f"{f'{name} is' if name else 'found'} {shown_number(found)}, expected {limit}")

    def integers(self, name: str, count: int, low: int, high: int) -> tuple[int, ...]:
        """Read integers separated by one space.

        Valid integers are read at the speed of split; otherwise each is read alone, to locate the fault.
        """
        tokens = self.rest_of_line().split(b" ", min(count, len(self.data)))[:count]
        longest = max(len(str(low)), len(str(high)))
        if len(tokens) == count and all(len(token) <= longest and _INTEGER.fullmatch(token) for token in tokens):
            values = tuple(map(int, tokens))
            if low <= min(values) and max(values) <= high:
                self.at += sum(map(len, tokens)) + count - 1
                return values
        return self.spaced(count, lambda: self.integer(name, low, high))

    def rows_of_integers(self, count: int, width: int) -> list[int]:
        """Move over `count` lines of `width` integers and return all of them; return [] and stay if there are none."""
        end = self.at + count * width * _SHORT_BYTES  # no further: of many tables each would copy all that is left
        lines = self.data[self.at : end].split(b"\n", count)[:-1]
        row = re.compile(rb"%s(?: %s){%d}" % (_SHORT_INTEGER, _SHORT_INTEGER, width - 1))
        if len(lines) < count or not all(map(row.fullmatch, lines)):
            return []
        self.at += sum(map(len, lines)) + count
        return [*map(int, b" ".join(lines).split())]

    def spaced(self, count: int, read: Callable[[], T]) -> tuple[T, ...]:
        """Read parts separated by one space."""
        parts: list[T] = []
        for _ in range(count):
            if parts:
                self.space()
            parts.append(read())
        return tuple(parts)
