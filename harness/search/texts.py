"""Changes to inputs that know no shape: numbers, tokens and lines of existing cases; for search and for reduction."""

import re
from collections.abc import Iterator, Sequence
from random import Random

from harness.search.trial import Candidate, Source

_TOKEN = re.compile(rb"[^ \n]+")
_INTEGER = re.compile(rb"-?\d{1,18}")
_LONGEST = 4000
_ROUNDS = 3


def mutations(bases: Sequence[tuple[str, bytes]], seed: int) -> Iterator[Candidate]:
    """Endless changed copies of the cases (name, input), the small ones more often."""
    source = Random(seed)
    usable = sorted((one for one in bases if one[1] and len(one[1]) <= _LONGEST), key=lambda one: len(one[1]))
    while usable:
        name, data = usable[min(source.getrandbits(16) % len(usable), source.getrandbits(16) % len(usable))]
        for _ in range(1 + source.getrandbits(4) % _ROUNDS):
            data = _changed(data, source)
        yield Candidate(source=Source.MUTATION, words=name, data=data)


def _changed(data: bytes, source: Random) -> bytes:
    """One change; of nothing, which an earlier one may have left, nothing."""
    if not data:
        return data
    kinds = (_number, _number, _swap_tokens, _drop_line, _copy_line, _letter, _swap_lines, _drop_token)
    return kinds[source.getrandbits(12) % len(kinds)](data, source)


def _pick(data: bytes, pattern: "re.Pattern[bytes]", source: Random) -> "re.Match[bytes] | None":
    found = list(pattern.finditer(data))
    return found[source.getrandbits(20) % len(found)] if found else None


def _number(data: bytes, source: Random) -> bytes:
    found = _pick(data, _INTEGER, source)
    if found is None:
        return data
    value = int(found[0])
    choices = (
        value + 1,
        value - 1,
        0,
        1,
        -value,
        2 * value,
        value // 2,
        source.getrandbits(4),
        source.getrandbits(30),
    )
    return data[: found.start()] + b"%d" % choices[source.getrandbits(12) % len(choices)] + data[found.end() :]


def _swap_tokens(data: bytes, source: Random) -> bytes:
    one, other = _pick(data, _TOKEN, source), _pick(data, _TOKEN, source)
    if one is None or other is None or one.start() == other.start():
        return data
    first, second = sorted((one, other), key=lambda match: match.start())
    middle = data[first.end() : second.start()]
    return data[: first.start()] + second[0] + middle + first[0] + data[second.end() :]


def _drop_token(data: bytes, source: Random) -> bytes:
    found = _pick(data, _TOKEN, source)
    if found is None:
        return data
    end = found.end() + (data[found.end() : found.end() + 1] == b" ")
    return data[: found.start()] + data[end:]


def _letter(data: bytes, source: Random) -> bytes:
    """One character turned into another that occurs."""
    letters = bytes(sorted(set(data) - set(b" \n")))
    found = _pick(data, re.compile(rb"[^ \n]"), source)
    if found is None:
        return data
    new = letters[source.getrandbits(12) % len(letters)]
    return data[: found.start()] + bytes([new]) + data[found.end() :]


def _drop_line(data: bytes, source: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    del lines[source.getrandbits(20) % len(lines)]
    return b"".join(lines)


def _copy_line(data: bytes, source: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    place = source.getrandbits(20) % len(lines)
    return b"".join([*lines[: place + 1], lines[place], *lines[place + 1 :]])


def _swap_lines(data: bytes, source: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    one, other = source.getrandbits(20) % len(lines), source.getrandbits(20) % len(lines)
    lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def simpler_texts(data: bytes) -> Iterator[bytes]:
    """Smaller inputs, the largest cuts first: lines in chunks with the counts before them, tokens, lower numbers."""
    lines = data.splitlines(keepends=True)
    size = len(lines) // 2
    while size > 0:
        for start in range(0, len(lines), size):
            rest = [*lines[:start], *lines[start + size :]]
            yield b"".join(rest)
            yield from _recounted(rest, len(lines), min(size, len(lines) - start))
        size //= 2
    for found in list(_TOKEN.finditer(data)):
        end = found.end() + (data[found.end() : found.end() + 1] == b" ")
        shorter = data[: found.start()] + data[end:]
        yield shorter
        yield from _count_lowered(shorter, found.start())
    for found in list(_INTEGER.finditer(data)):
        value = int(found[0])
        for lower in dict.fromkeys((0, 1, value // 2, value - 1 if value > 0 else value + 1)):
            if abs(lower) < abs(value):
                yield data[: found.start()] + b"%d" % lower + data[found.end() :]
    for found in re.finditer(rb"[^ \n]{2,}", data):
        for place in range(found.start(), found.end()):
            yield data[:place] + data[place + 1 :]


def _recounted(lines: list[bytes], before: int, dropped: int) -> Iterator[bytes]:
    """The lines with one of the first integers lowered by as many lines as were dropped."""
    head = b"".join(lines[:2])
    for found in list(_INTEGER.finditer(head))[:4]:
        value = int(found[0])
        if dropped <= value <= before + 1:
            lowered = head[: found.start()] + b"%d" % (value - dropped) + head[found.end() :]
            yield lowered + b"".join(lines[2:])


def _count_lowered(data: bytes, before: int) -> Iterator[bytes]:
    """One of the last two integers before a dropped token lowered by one: it may have counted the tokens."""
    line = data.rfind(b"\n", 0, before) + 1
    for found in list(_INTEGER.finditer(data, 0, line))[-2:]:
        value = int(found[0])
        if value > 0:
            yield data[: found.start()] + b"%d" % (value - 1) + data[found.end() :]
