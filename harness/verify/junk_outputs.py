"""Outputs that no output validator may accept, made from a right one."""

import re
from collections.abc import Iterator
from random import Random

from harness.values import dataclass

HUGE_BYTES = 1 << 20
BINARY_BYTES = 4096
SMALL_BYTES = 20_000
_NUMBER = re.compile(rb"(?<!\S)[0-9]+(?!\S)")


@dataclass(frozen=True, kw_only=True)
class Junk:
    """An output. wrong: certainly wrong; else a spelling of the right one that a careless reader takes for it."""

    kind: str
    wrong: bool
    content: bytes


def junk(answer: bytes, *, huge: bool) -> Iterator[Junk]:
    """Ways to be wrong. huge: also those that take long to read."""
    tokens = answer.split()
    if tokens:
        yield _wrong("an empty output", b"")
        yield _wrong("the answer without its second half", answer[: _half(answer)])
        yield _wrong("the answer twice", answer + b"\n" + answer)
        yield _wrong("the answer and one token more", answer + b"\n1\n")
        yield from _spelt(answer)
    yield _wrong("binary bytes", Random(1).randbytes(BINARY_BYTES))  # noqa: S311 - reproducible
    yield _wrong("only NUL bytes", b"\0" * 64)
    yield _wrong("a number of 5000 digits", b"9" * 5000 + b"\n")
    yield _wrong("`nan` throughout", b"nan " * max(len(tokens), 1) + b"\n")
    if huge:
        yield _wrong("one endless token", b"1" * HUGE_BYTES)
        yield _wrong("endless lines", b"1\n" * (HUGE_BYTES // 2))
        yield _wrong("endless space", b" " * HUGE_BYTES)


def _spelt(answer: bytes) -> Iterator[Junk]:
    place = _NUMBER.search(answer[:SMALL_BYTES])
    if place is None:
        return
    before, digits, after = answer[: place.start()], place[0], answer[place.end() :]
    fullwidth = "".join(chr(0xFF10 + digit - ord("0")) for digit in digits).encode()
    yield Junk(kind="digits that are not ASCII", wrong=False, content=before + fullwidth + after)
    if len(digits) > 1:
        underscore = digits[:1] + b"_" + digits[1:]
        yield Junk(kind="a number with an underscore", wrong=False, content=before + underscore + after)


def _half(answer: bytes) -> int:
    """A place in the middle that cuts off at least the last token."""
    last = len(answer.rstrip()) - len(answer.split()[-1])
    return min(len(answer) // 2, last)


def _wrong(kind: str, content: bytes) -> Junk:
    return Junk(kind=kind, wrong=True, content=content)
