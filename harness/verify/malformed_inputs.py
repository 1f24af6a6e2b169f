"""Inputs that are nearly right: every case of a package, broken in one way that input validators must see."""

import re
from collections.abc import Iterator

from harness.values import dataclass

LARGE_BYTES = 100_000
_INTEGER = re.compile(rb"(?<!\S)(?:0|-?[1-9][0-9]{0,18})(?!\S)")
_BEYOND = b"1" + b"0" * 30
BEYOND_KINDS = ("number out of every bound", "number below every bound")


@dataclass(frozen=True, kw_only=True)
class Malformed:
    """A broken input. form_only: every token is as it was, or means the same."""

    kind: str
    form_only: bool
    content: bytes


def malformed(data: bytes) -> Iterator[Malformed]:
    """Each way of breaking `data` once; of large inputs, the cheap half of them."""
    seen = {data}
    for one in _all(data):
        if one.content not in seen:
            seen.add(one.content)
            yield one


def _all(data: bytes) -> Iterator[Malformed]:
    yield from _line_ends(data)
    yield from _content(data)
    if len(data) <= LARGE_BYTES:
        yield from _spaces(data)
        yield from _numbers(data)


def _line_ends(data: bytes) -> Iterator[Malformed]:
    if data.endswith(b"\n"):
        yield _form("no newline at the end", data[:-1])
    yield _form("CRLF line ends", data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    yield _form("blank line at the end", data + b"\n")
    yield _form("space at the end of the last line", _before_last_newline(data) + b" \n")
    yield _form("space at the end of the first line", data.replace(b"\n", b" \n", 1))


def _content(data: bytes) -> Iterator[Malformed]:
    yield _wrong("empty file", b"")
    yield _wrong("extra line `1`", data + b"1\n")
    yield _wrong("extra line of letters", data + b"end of file\n")
    yield _wrong("non-ASCII letter", data.replace(b"\n", "é\n".encode(), 1))
    yield _wrong("NUL byte", data.replace(b"\n", b"\0\n", 1))
    yield _wrong("byte order mark", b"\xef\xbb\xbf" + data)


def _spaces(data: bytes) -> Iterator[Malformed]:
    yield _form("blank line at the start", b"\n" + data)
    yield _form("space at the start", b" " + data)
    if b" " in data.strip():
        yield _form("two spaces between tokens", data.replace(b" ", b"  ", 1))
        yield _form("tab between tokens", data.replace(b" ", b"\t", 1))


def _numbers(data: bytes) -> Iterator[Malformed]:
    places = list(_INTEGER.finditer(data))
    for place in dict.fromkeys((*places[:2], *places[-1:])):
        token, before, after = place[0], data[: place.start()], data[place.end() :]
        sign, digits = (b"-", token[1:]) if token.startswith(b"-") else (b"", token)
        yield _form("leading zero", before + sign + b"0" + digits + after)
        yield _wrong(BEYOND_KINDS[0], before + _BEYOND + after)
        yield _wrong(BEYOND_KINDS[1], before + b"-" + _BEYOND + after)
        yield _wrong("number with a fraction", before + token + b".0" + after)
        yield _wrong("digits that are not ASCII", before + sign + _fullwidth(digits) + after)
        if not sign:
            yield _form("plus sign", before + b"+" + token + after)


def _fullwidth(digits: bytes) -> bytes:
    return "".join(chr(0xFF10 + digit - ord("0")) for digit in digits).encode()


def _before_last_newline(data: bytes) -> bytes:
    return data[:-1] if data.endswith(b"\n") else data


def _form(kind: str, content: bytes) -> Malformed:
    return Malformed(kind=kind, form_only=True, content=content)


def _wrong(kind: str, content: bytes) -> Malformed:
    return Malformed(kind=kind, form_only=False, content=content)
