"""Texts broken on purpose: inputs that must be refused, outputs that must be rejected, answers with one change."""

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from harness.values import dataclass

LARGE_INPUT_BYTES = 100_000
MOST_BROKEN = 12  # most inputs that are broken; a validator that fails, fails on most of them
MOST_LARGE = 3  # most large cases on which broken texts are tried
BEYOND_KINDS = ("number out of every bound", "number below every bound")
LEADING_ZERO = "leading zero"
ONE_OFF = "a number one off"
_BEYOND = b"1" + b"0" * 30
_HUGE_BYTES = 1 << 20
_BINARY_BYTES = 4096
_SEARCHED_BYTES = 20_000  # only this prefix of an answer is searched for a number to spell differently
_INTEGER = re.compile(rb"(?<!\S)(?:0|-?[1-9][0-9]{0,18})(?!\S)")
_NUMBER = re.compile(rb"(?<!\S)[0-9]+(?!\S)")
_BEGINS_WITH_ZERO = re.compile(rb"(?<!\S)0[0-9]+(?!\S)")
_LONG_DIGITS = re.compile(rb"(?<!\S)[0-9]{31,}(?!\S)")
_TOKEN = re.compile(rb"\S+")
_SMALL_INTEGER = re.compile(rb"0|-?[1-9][0-9]{0,17}")


@dataclass(frozen=True, kw_only=True)
class BrokenText:
    """A text with one defect. form_only: only spelling or layout is wrong; every token keeps its meaning."""

    kind: str
    content: bytes
    form_only: bool = False


def cheap_cases(sizes: Mapping[str, int]) -> frozenset[str]:
    """Return the cases on which many broken texts are tried: all small ones, and the smallest of the large ones.

    Large texts take long to read, and a validator checks their form in the same way. sizes: bytes by case.
    """
    large = sorted((size, name) for name, size in sizes.items() if size > LARGE_INPUT_BYTES)
    return frozenset(sizes) - {name for _, name in large[MOST_LARGE:]}


def spread_by_size(sizes: Mapping[str, int], most: int) -> frozenset[str]:
    """Return at most `most` cases, evenly spread in the order of their sizes, with the smallest and the largest.

    sizes: bytes by case. most: at least 2.
    """
    names = sorted(sizes, key=lambda name: (sizes[name], name))
    if len(names) <= most:
        return frozenset(names)
    return frozenset(names[index * (len(names) - 1) // (most - 1)] for index in range(most))


def broken_inputs(data: bytes) -> Iterator[BrokenText]:
    """Break `data` once in each way; break large inputs only in the cheap half of the ways."""
    seen = {data}
    for text in _broken_inputs(data):
        if text.content not in seen:
            seen.add(text.content)
            yield text


def kinds_in_use(data: bytes) -> Iterator[str]:
    """Yield the kinds of broken numbers that a right input holds: its words of digits are no integers."""
    if _BEGINS_WITH_ZERO.search(data):
        yield LEADING_ZERO
    if _LONG_DIGITS.search(data):
        yield BEYOND_KINDS[0]


def _broken_inputs(data: bytes) -> Iterator[BrokenText]:
    yield from _line_ends(data)
    yield from _added_content(data)
    if len(data) <= LARGE_INPUT_BYTES:
        yield from _spaces(data)
        yield from _numbers(data)


def _line_ends(data: bytes) -> Iterator[BrokenText]:
    if data.endswith(b"\n"):
        yield _form("no newline at the end", data[:-1])
    yield _form("CRLF line ends", data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    yield _form("blank line at the end", data + b"\n")
    yield _form("space at the end of the last line", data.removesuffix(b"\n") + b" \n")
    yield _form("space at the end of the first line", data.replace(b"\n", b" \n", 1))


def _added_content(data: bytes) -> Iterator[BrokenText]:
    yield _wrong("empty file", b"")
    yield _wrong("extra line `1`", data + b"1\n")
    yield _wrong("extra line of letters", data + b"end of file\n")
    yield _wrong("non-ASCII letter", data.replace(b"\n", "é\n".encode(), 1))
    yield _wrong("NUL byte", data.replace(b"\n", b"\0\n", 1))
    yield _wrong("byte order mark", b"\xef\xbb\xbf" + data)


def _spaces(data: bytes) -> Iterator[BrokenText]:
    yield _form("blank line at the start", b"\n" + data)
    yield _form("space at the start", b" " + data)
    if b" " in data.strip():
        yield _form("two spaces between tokens", data.replace(b" ", b"  ", 1))
        yield _form("tab between tokens", data.replace(b" ", b"\t", 1))


def _numbers(data: bytes) -> Iterator[BrokenText]:
    numbers = list(_INTEGER.finditer(data))
    for match in dict.fromkeys((*numbers[:2], *numbers[-1:])):
        token, before, after = match[0], data[: match.start()], data[match.end() :]
        sign, digits = (b"-", token[1:]) if token.startswith(b"-") else (b"", token)
        yield _form(LEADING_ZERO, before + sign + b"0" + digits + after)
        yield _wrong(BEYOND_KINDS[0], before + _BEYOND + after)
        yield _wrong(BEYOND_KINDS[1], before + b"-" + _BEYOND + after)
        yield _wrong("number with a fraction", before + token + b".0" + after)
        yield _wrong("digits that are not ASCII", before + sign + _fullwidth(digits) + after)
        if not sign:
            yield _form("plus sign", before + b"+" + token + after)


def junk_outputs(answer: bytes, *, huge: bool) -> Iterator[BrokenText]:
    """Make outputs that no output validator may accept. huge: include outputs that take long to read."""
    tokens = answer.split()
    if tokens:
        yield _wrong("an empty output", b"")
        yield _wrong("the answer without its second half", answer[: _half(answer)])
        yield _wrong("the answer twice", answer + b"\n" + answer)
        yield _wrong("the answer and one token more", answer + b"\n1\n")
        yield from _spelt_otherwise(answer)
    yield _wrong("binary bytes", Random(1).randbytes(_BINARY_BYTES))  # noqa: S311 - reproducible
    yield _wrong("only NUL bytes", b"\0" * 64)
    yield _wrong("a number of 5000 digits", b"9" * 5000 + b"\n")
    yield _wrong("`nan` throughout", b"nan " * max(len(tokens), 1) + b"\n")
    if huge:
        yield _wrong("one endless token", b"1" * _HUGE_BYTES)
        yield _wrong("endless lines", b"1\n" * (_HUGE_BYTES // 2))
        yield _wrong("endless space", b" " * _HUGE_BYTES)


def _spelt_otherwise(answer: bytes) -> Iterator[BrokenText]:
    match = _NUMBER.search(answer[:_SEARCHED_BYTES])
    if match is None:
        return
    before, digits, after = answer[: match.start()], match[0], answer[match.end() :]
    yield _form("digits that are not ASCII", before + _fullwidth(digits) + after)
    if len(digits) > 1:
        yield _form("a number with an underscore", before + digits[:1] + b"_" + digits[1:] + after)


def _half(answer: bytes) -> int:
    """Return an index in the middle that cuts off at least the last token."""
    last = len(answer.rstrip()) - len(answer.split()[-1])
    return min(len(answer) // 2, last)


def changed_answers(answer: bytes) -> Iterator[BrokenText]:
    """Yield changed answers, a few of each kind: a number ±1, two tokens exchanged, a token copied over the next."""
    spans = [match.span() for match in _TOKEN.finditer(answer)]
    tokens = [answer[start:end] for start, end in spans]
    for index in _spread([index for index, token in enumerate(tokens) if _SMALL_INTEGER.fullmatch(token)]):
        for step in (1, -1):
            yield _wrong(ONE_OFF, _replaced(answer, spans, {index: b"%d" % (int(tokens[index]) + step)}))
    for index in _spread([index for index in range(len(tokens) - 1) if tokens[index] != tokens[index + 1]]):
        exchanged = {index: tokens[index + 1], index + 1: tokens[index]}
        yield _wrong("two tokens exchanged", _replaced(answer, spans, exchanged))
        yield _wrong("a token in the place of the next", _replaced(answer, spans, {index + 1: tokens[index]}))


def _spread(indices: Sequence[int]) -> list[int]:
    """Return the first index, one in the middle and the last."""
    return sorted({indices[0], indices[len(indices) // 2], indices[-1]}) if indices else []


def _replaced(answer: bytes, spans: Sequence[tuple[int, int]], tokens: Mapping[int, bytes]) -> bytes:
    """Return the answer with other tokens, by their index. spans: where each token of the answer begins and ends."""
    parts, end = [], 0
    for index, token in sorted(tokens.items()):
        parts += [answer[end : spans[index][0]], token]
        end = spans[index][1]
    return b"".join([*parts, answer[end:]])


def _fullwidth(digits: bytes) -> bytes:
    return "".join(chr(0xFF10 + digit - ord("0")) for digit in digits).encode()


def _form(kind: str, content: bytes) -> BrokenText:
    return BrokenText(kind=kind, content=content, form_only=True)


def _wrong(kind: str, content: bytes) -> BrokenText:
    return BrokenText(kind=kind, content=content)
