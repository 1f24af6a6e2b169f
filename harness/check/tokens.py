"""Compare the tokens of two outputs in bounded memory: the core of the default output validator.

It is also a program, in which long outputs are compared: `python -I -S tokens.py OUTPUT ANSWER RULES`, where the first
two are open descriptors and RULES is JSON. It prints JSON: the message or null. So it needs the standard library alone.
"""

import contextlib
import itertools
import json
import mmap
import os
import re
import resource
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal

# 2025-09, "Default output validator": space, \f \n \r \t \v separate tokens; numbers are decimal only.
_TOKEN = re.compile(rb"[^ \f\n\r\t\v]+")
_TOKEN_OR_SPACE = re.compile(rb"[^ \f\n\r\t\v]+|[ \f\n\r\t\v]+")
_SPACE = re.compile(rb"[ \f\n\r\t\v]")
FLOAT = re.compile(rb"[+-]?(?:\d*\.\d+|\d+\.|\d+)(?:[eE][+-]?\d+)?")
_SHOWN_BYTES = 40
_NUMBER_BYTES = 1 << 24  # longest number: parsing time grows with the length
# The format requires 30 digits on each side of the point, and 52 significant bits. So many digits of a number
# count: more than any judge needs to compare.
_READ = Context(prec=40, Emax=MAX_EMAX, Emin=MIN_EMIN)
_EXACT = Context(prec=100, Emax=MAX_EMAX, Emin=MIN_EMIN)
_WINDOW_BYTES = 1 << 20
_MOST_BYTES = 1 << 29  # memory limit of the whole process, without mapped files
_RELEASE_EVERY = 1 << 16  # tokens

Buffer = bytes | mmap.mmap


@dataclass(frozen=True, kw_only=True)
class ComparisonRules:
    """The rules for comparing two outputs, named like the format's arguments."""

    case_sensitive: bool = False
    space_change_sensitive: bool = False
    relative: Decimal | None = None
    absolute: Decimal | None = None

    @property
    def floats(self) -> bool:
        """Return whether numbers are compared as numbers."""
        return self.relative is not None or self.absolute is not None

    def as_json(self) -> str:
        """Return the text that `from_json` reads."""
        return json.dumps(asdict(self), default=str)

    @staticmethod
    def from_json(text: str) -> "ComparisonRules":
        """Read what `as_json` returns."""
        values = json.loads(text)
        tolerances = {name: Decimal(values[name]) for name in ("relative", "absolute") if values[name] is not None}
        return ComparisonRules(**{**values, **tolerances})


@dataclass(frozen=True, kw_only=True)
class _Start:
    """A start position in a text: a byte offset before a token, and the number of tokens before it."""

    offset: int = 0
    tokens: int = 0


def difference_message(output: Buffer, answer: Buffer, comparison: ComparisonRules) -> str | None:
    """Return a message on the first difference of two outputs; None if there is none."""
    starts = (_Start(), _Start())
    if not comparison.floats and isinstance(output, bytes) and output == answer:
        return None
    if not comparison.floats and not comparison.space_change_sensitive:
        unequal = _first_unequal_window(output, answer, comparison)
        if unequal is None:
            return None
        starts = unequal
    mismatch = _mismatch_after(output, answer, comparison, starts)
    return None if mismatch is None else _message(output, mismatch)


@dataclass(frozen=True, kw_only=True)
class Mismatch:
    """The first token in which an output and an answer differ. number: its index, from 1.

    got, want: the token in output and answer; None where that text has ended. output_end, answer_end: the byte offsets
    at which the last equal tokens end, 0 if none.
    """

    number: int
    got: re.Match[bytes] | None
    want: re.Match[bytes] | None
    output_end: int = 0
    answer_end: int = 0


def first_mismatch(output: bytes, answer: bytes, comparison: ComparisonRules) -> Mismatch | None:
    """Return the first different token of two texts in memory; None if all are equal."""
    return _mismatch_after(output, answer, comparison, (_Start(), _Start()))


def _mismatch_after(
    output: Buffer, answer: Buffer, comparison: ComparisonRules, starts: tuple[_Start, _Start]
) -> Mismatch | None:
    """Return the first different token, comparing token by token from `starts`; None if all are equal."""
    pattern = _TOKEN_OR_SPACE if comparison.space_change_sensitive else _TOKEN
    first = max(start.tokens for start in starts)
    printed, expected = (
        itertools.islice(pattern.finditer(text, start.offset), first - start.tokens, None)
        for text, start in zip((output, answer), starts, strict=True)
    )
    output_end = answer_end = 0
    for number, (got, want) in enumerate(itertools.zip_longest(printed, expected), start=first + 1):
        if got is None or want is None or not _equal(got, want, comparison):
            return Mismatch(number=number, got=got, want=want, output_end=output_end, answer_end=answer_end)
        output_end, answer_end = got.end(), want.end()
        if number % _RELEASE_EVERY == 0:
            _release(output, got.start())
            _release(answer, want.start())
    return None


def _message(output: Buffer, mismatch: Mismatch) -> str:
    got, want = mismatch.got, mismatch.want
    expected = "" if want is None else _shown(want)
    if got is None:
        return f"output ends before token {mismatch.number}, {expected} was expected"
    if want is None:
        return f"line {_line(output, got)}: {_shown(got)} after the expected end"
    return f"line {_line(output, got)}, token {mismatch.number}: {_shown(got)}, expected {expected}"


def _first_unequal_window(
    output: Buffer, answer: Buffer, comparison: ComparisonRules
) -> tuple[_Start, _Start] | None:
    """Return where to start comparing token by token; None if all tokens are equal.

    The common case runs at the speed of bytes.split, window by window.
    """
    sides = (
        _WindowedText(output, fold=not comparison.case_sensitive),
        _WindowedText(answer, fold=not comparison.case_sensitive),
    )
    while all(side.fill() for side in sides):
        count = min(len(side.waiting) for side in sides)
        if sides[0].waiting[:count] != sides[1].waiting[:count]:
            return sides[0].start, sides[1].start
        for side in sides:
            del side.waiting[:count]
    if any(side.waiting or side.offset < len(side.text) for side in sides):
        return sides[0].start, sides[1].start
    return None


class _WindowedText:
    """A text, split into tokens window by window. waiting: tokens not compared yet; start: of their window."""

    def __init__(self, text: Buffer, *, fold: bool) -> None:
        self.text = text
        self._fold = fold
        self.offset = 0
        self.waiting: list[bytes] = []
        self.start = _Start()
        self._tokens = 0

    def fill(self) -> bool:
        """Read the next window if no tokens wait. Return False at the end, and before a very long token."""
        while not self.waiting:
            end = self._window_end()
            if end is None:
                return False
            window = self.text[self.offset : end]
            self.waiting = (window.lower() if self._fold else window).split()
            self.start = _Start(offset=self.offset, tokens=self._tokens)
            self._tokens += len(self.waiting)
            _release(self.text, self.offset)
            self.offset = end
        return True

    def _window_end(self) -> int | None:
        if self.offset >= len(self.text):
            return None
        end = self.offset + _WINDOW_BYTES
        if end >= len(self.text):
            return len(self.text)
        space = _SPACE.search(self.text, end, end + _NUMBER_BYTES)
        if space is not None:
            return space.start()
        return len(self.text) if end + _NUMBER_BYTES >= len(self.text) else None


def _equal(got: re.Match[bytes], want: re.Match[bytes], comparison: ComparisonRules) -> bool:
    if _length(got) == _length(want) <= _WINDOW_BYTES and got[0] == want[0]:
        return True  # under all rules, and much faster
    if comparison.floats and _is_float(want):
        return _is_float(got) and _close(got, want, comparison)
    return _same_bytes(got, want, fold=not comparison.case_sensitive)


def _is_float(token: re.Match[bytes]) -> bool:
    return FLOAT.fullmatch(token.string, token.start(), token.end()) is not None


def _same_bytes(got: re.Match[bytes], want: re.Match[bytes], *, fold: bool) -> bool:
    pairs = zip(_parts(got), _parts(want), strict=True)
    return _length(got) == _length(want) and all(
        left == right or (fold and left.lower() == right.lower()) for left, right in pairs
    )


def _parts(token: re.Match[bytes]) -> Iterator[bytes]:
    for offset in range(token.start(), token.end(), _WINDOW_BYTES):
        yield token.string[offset : min(offset + _WINDOW_BYTES, token.end())]


def _length(token: re.Match[bytes]) -> int:
    return token.end() - token.start()


def _close(got: re.Match[bytes], want: re.Match[bytes], comparison: ComparisonRules) -> bool:
    if max(_length(got), _length(want)) > _NUMBER_BYTES:
        return _same_bytes(got, want, fold=False)
    try:
        value, wanted = (_READ.create_decimal(token[0].decode("ascii")) for token in (got, want))
        difference = _EXACT.abs(_EXACT.subtract(value, wanted))
        return (comparison.absolute is not None and difference <= comparison.absolute) or (
            comparison.relative is not None
            and difference <= _EXACT.multiply(comparison.relative, _EXACT.abs(wanted))
        )
    except ArithmeticError:
        return _same_bytes(got, want, fold=False)


def _line(text: Buffer, token: re.Match[bytes]) -> int:
    return 1 + sum(
        text[offset : min(offset + _WINDOW_BYTES, token.start())].count(b"\n")
        for offset in range(0, token.start(), _WINDOW_BYTES)
    )


def _shown(token: re.Match[bytes]) -> str:
    """Return a token as printable text; a long one is cut."""
    start = token.start()
    text = token.string[start : min(start + _SHOWN_BYTES, token.end())].decode("ascii", errors="backslashreplace")
    text = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    return f"`{text}`" if _length(token) <= _SHOWN_BYTES else f"`{text}…` ({_length(token)} bytes)"


def _release(text: Buffer, offset: int) -> None:
    """Tell the kernel that the pages of a mapped file before `offset` are not needed any more."""
    pages = offset - offset % mmap.PAGESIZE
    if isinstance(text, mmap.mmap) and pages and hasattr(mmap, "MADV_DONTNEED"):
        text.madvise(mmap.MADV_DONTNEED, 0, pages)


def _mapped(descriptor: int) -> Buffer:
    size = os.fstat(descriptor).st_size
    return mmap.mmap(descriptor, size, access=mmap.ACCESS_READ) if size else b""


def main() -> None:
    """Compare the open files that the arguments name; see the module's docstring."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most_bytes = _MOST_BYTES if hard == resource.RLIM_INFINITY else min(hard, _MOST_BYTES)
    with contextlib.suppress(OSError, ValueError):  # not every system has this limit
        resource.setrlimit(resource.RLIMIT_DATA, (most_bytes, most_bytes))
    output, answer, rules = sys.argv[1:]
    message = difference_message(_mapped(int(output)), _mapped(int(answer)), ComparisonRules.from_json(rules))
    sys.stdout.write(json.dumps(message))


if __name__ == "__main__":
    main()
