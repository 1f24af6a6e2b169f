"""Make cases larger as texts, without a shape: with more lines, more tokens in a line, or more letters in a word.

Only the input validators can tell whether such an input is valid.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random

from harness.search.change_texts import counted_lines, counted_tokens, tokens_in
from harness.search.model import Candidate, Source
from harness.search.policy import TEXTS

_SIGNED = re.compile(rb"(?:(?<!\S)-)?\d{1,18}")
_WORD = re.compile(rb"[A-Za-z]+")


def grown(bases: Sequence[tuple[str, bytes]], seed: int) -> Iterator[Candidate]:
    """Yield endless larger copies of the cases (name, input)."""
    source = Random(seed)
    usable = [case for case in bases if len(case[1].splitlines()) > 0]
    while usable:
        name, base = usable[source.getrandbits(16) % len(usable)]
        length = TEXTS.lengths[source.getrandbits(12) % len(TEXTS.lengths)]
        data: bytes | None = base
        for _ in range(TEXTS.scaled_rounds[source.getrandbits(2)]):
            kind = _KINDS[source.getrandbits(8) % len(_KINDS)]
            data = kind(data, length, source) if data is not None else None
        if data is not None:
            yield Candidate(source=Source.MUTATION, words=f"{name}, grown", data=data)


def _more_lines(data: bytes, length: int, source: Random) -> bytes | None:
    """Put about `length` lines after the first lines."""
    lines = data.splitlines(keepends=True)
    head = 1 if len(lines) > 1 and source.getrandbits(2) else 0
    more = length - (len(lines) - head)
    start = head + source.getrandbits(12) % (len(lines) - head)
    added = _more_of(lines[start:], more, source)
    if added is None:
        return None
    return _likely(counted_lines([*lines, *added], len(lines), more), source)


def _more_tokens(data: bytes, length: int, source: Random) -> bytes | None:
    """Put about `length` tokens into a line."""
    lines = data.splitlines(keepends=True)
    row = source.getrandbits(12) % len(lines)
    before, line, after = b"".join(lines[:row]), lines[row].rstrip(b"\n"), b"".join(lines[row + 1 :])
    tokens = line.split(b" ")
    pieces = [b" " + token for token in tokens]
    added = _more_of(pieces, length - len(tokens), source)
    if added is None:
        return None
    longer = b"".join([before, line, *added, b"\n", after])
    return _likely(counted_tokens(longer, len(before) + len(line), len(added)), source)


def _more_letters(data: bytes, length: int, source: Random) -> bytes | None:
    """Put about `length` letters into a word, and correct a count before it."""
    words = tokens_in(data)
    word = words[source.getrandbits(12) % len(words)] if words else None
    if word is None:
        return None
    letters = [word[0][at : at + 1] for at in range(len(word[0]))]
    added = _more_of(letters, length - len(letters), source)
    if added is None:
        return None
    before, long = data[: word.start()], word[0] + b"".join(added)
    counts = [token for token in tokens_in(before) if token[0] == b"%d" % len(letters)]
    if counts and source.getrandbits(2):
        before = before[: counts[-1].start()] + b"%d" % length + before[counts[-1].end() :]
    return before + long + data[word.end() :]


def _more_of(pieces: Sequence[bytes], count: int, source: Random) -> list[bytes] | None:
    """Draw `count` more pieces: some neighbours repeatedly, or random pieces. None: `count` < 1, or too large."""
    if count <= 0 or count * max(map(len, pieces)) > TEXTS.scaled_bytes:
        return None
    if source.getrandbits(1):
        start = source.getrandbits(12) % len(pieces)
        period = pieces[start:] if source.getrandbits(1) else pieces[start : start + 1]
        repeated = (list(period) * (count // len(period) + 1))[:count]
        return _moved(repeated, len(period), pieces, source) if source.getrandbits(1) else repeated
    chosen = source.sample(pieces, min(len(pieces), TEXTS.different))
    return [chosen[byte % len(chosen)] for byte in source.randbytes(count)]


def _moved(repeated: Sequence[bytes], period: int, pieces: Sequence[bytes], source: Random) -> list[bytes]:
    """Make repeated pieces different: raise their numbers in all or some columns; without numbers, append letters.

    Each copy of the period is raised past all numbers of the pieces in these columns, so that segments, rectangles and
    graphs stay apart; or each piece by one more than the piece before. period: the number of pieces that are repeated.
    """
    columns = source.getrandbits(12) if source.getrandbits(1) else -1
    forms = {piece: _form(piece, columns) for piece in {*pieces, *repeated}}
    numbers = [number for _, raised in forms.values() for number in raised]
    if numbers and source.getrandbits(1):
        steps = ((max(numbers) - min(numbers) + 1) * (1 + at // period) for at in range(len(repeated)))
    else:
        steps = (1 + at for at in range(len(repeated)))
    return [
        form % tuple(number + step for number in raised) if raised else form % _letters(step)
        for step, (form, raised) in zip(steps, map(forms.__getitem__, repeated), strict=True)
    ]


def _form(piece: bytes, columns: int) -> tuple[bytes, list[int]]:
    """Return the piece as a format, and the numbers to put in: those whose columns are set in the bits of `columns`.

    Without any such number, letters are to be put in after the first word.
    """
    found = [match for at, match in enumerate(_SIGNED.finditer(piece)) if columns >> at & 1]
    word = None if found else _WORD.search(piece)
    spans = [match.span() for match in found] or [(word.end(),) * 2 if word is not None else (0, 0)]
    text, at = b"", 0
    for start, end in spans:
        text += piece[at:start].replace(b"%", b"%%") + (b"%d" if found else b"%b" if word is not None else b"%.0b")
        at = end
    return text + piece[at:].replace(b"%", b"%%"), [int(match[0]) for match in found]


@lru_cache(maxsize=1 << 18)
def _letters(number: int) -> bytes:
    """Write a number in small letters, different for each number up to leading `a`; 0 as nothing."""
    return _letters(number // 26) + b"%c" % (97 + number % 26) if number else b""


def _likely(texts: Iterator[bytes], source: Random) -> bytes | None:
    """Choose one of the first texts, mostly the first of all; None if there is none."""
    chosen = source.getrandbits(6) % TEXTS.likely_counts if source.getrandbits(1) else 0
    text = None
    for _ in range(chosen + 1):
        text = next(texts, text)
    return text


_KINDS = (_more_lines, _more_lines, _more_tokens, _more_letters)
