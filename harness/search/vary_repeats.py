"""Make repeated pieces of a text different, and raise the limits that their numbers would exceed."""

import re
from collections.abc import Sequence
from functools import lru_cache, partial
from random import Random

_SIGNED = re.compile(rb"(?:(?<!\S)-)?(?<![\d.])\d{1,18}(?!\d)")
_LETTERS = re.compile(rb"[A-Za-z]+")


def varied(repeated: Sequence[bytes], period: int, pieces: Sequence[bytes], source: Random) -> list[bytes]:
    """Make repeated pieces different: rename their words, or raise their numbers in all or some columns.

    Each copy of the period is raised past all numbers of the pieces in these columns, so that segments, rectangles
    and graphs stay apart; or each piece by one more than the piece before. Without numbers, letters are appended.
    period: the number of pieces that are repeated.
    """
    names = sorted({name for piece in pieces for name in _LETTERS.findall(piece)})
    if names and source.getrandbits(1):
        return _renamed(repeated, period, names, source)
    columns = _columns(pieces, source)
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


def _renamed(repeated: Sequence[bytes], period: int, names: Sequence[bytes], source: Random) -> list[bytes]:
    """Rename words in repeated pieces: all of them, or some at random. Each copy of the period has names of its own."""
    bits = -1 if source.getrandbits(1) else source.getrandbits(12)
    numbers = {name: number for number, name in enumerate(names) if bits >> number & 1}

    def renamed(at: int, match: "re.Match[bytes]") -> bytes:
        number = numbers.get(match[0])
        return match[0] if number is None else _name_like(match[0], (1 + at // period) * len(names) + number)

    return [_LETTERS.sub(partial(renamed, at), piece) for at, piece in enumerate(repeated)]


def _name_like(name: bytes, number: int) -> bytes:
    """Write a number in letters: capitals if the name begins with one, and as long as the name if possible."""
    letters = _letters(number).rjust(len(name), b"a")
    return letters.upper() if name[:1].isupper() else letters


def _columns(pieces: Sequence[bytes], source: Random) -> int:
    """Choose columns, as bits: a single one, mostly; else some at random, or all."""
    way = source.getrandbits(2)
    if way == 0:
        return -1
    if way == 1:
        return source.getrandbits(12)
    most = max(len(_SIGNED.findall(piece)) for piece in pieces)
    return 1 << source.getrandbits(12) % max(1, most)


def with_raised_limits(old: bytes, new: bytes, before: Sequence[bytes], after: Sequence[bytes]) -> bytes:
    """Return a line with the numbers raised that may be limits of columns below it: by as much as these columns rose.

    old, new: the line before and after its counts were corrected; numbers that differ are no limits. before, after:
    the lines below it, with smaller numbers and with larger ones.
    """
    least, most, numbers = _highest(before), _highest(after), map(int, _SIGNED.findall(old))
    rises = [(top, most.get(column, top) - top) for column, top in least.items()]

    def raised(match: "re.Match[bytes]") -> bytes:
        number = int(match[0])
        if number != next(numbers, None):
            return match[0]
        return b"%d" % (number + max((rise for top, rise in rises if top <= number < top + rise), default=0))

    return _SIGNED.sub(raised, new)


def _highest(lines: Sequence[bytes]) -> dict[int, int]:
    """Return the highest number of each column."""
    highest: dict[int, int] = {}
    for line in lines:
        for column, match in enumerate(_SIGNED.finditer(line)):
            highest[column] = max(highest.get(column, int(match[0])), int(match[0]))
    return highest


def _form(piece: bytes, columns: int) -> tuple[bytes, list[int]]:
    """Return the piece as a format, and the numbers to put in: those whose columns are set in the bits of `columns`.

    Without any such number, letters are to be put in after the first word.
    """
    matches = [match for at, match in enumerate(_SIGNED.finditer(piece)) if columns >> at & 1]
    word = None if matches else _LETTERS.search(piece)
    spans = [match.span() for match in matches] or [(word.end(),) * 2 if word is not None else (0, 0)]
    text, at = b"", 0
    for start, end in spans:
        text += piece[at:start].replace(b"%", b"%%") + (
            b"%d" if matches else b"%b" if word is not None else b"%.0b"
        )
        at = end
    return text + piece[at:].replace(b"%", b"%%"), [int(match[0]) for match in matches]


@lru_cache(maxsize=1 << 18)
def _letters(number: int) -> bytes:
    """Write a number in small letters, different for each number up to leading `a`; 0 as nothing."""
    return _letters(number // 26) + b"%c" % (97 + number % 26) if number else b""
