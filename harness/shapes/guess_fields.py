"""Guesses that words are clock times, dates, or other numbers with the same signs between them."""

import re
from collections.abc import Sequence

from harness.shapes.guess_ranges import is_number, quoted_text

_SIGNS = re.compile(rb"[0-9]+")
_MOST = 8  # numbers in a word
_LONGEST = 15  # digits of one
_YEAR = 4  # digits
_TWO = 2
_AGREEING = 3  # so many words with the same letters between numbers are no accident

Column = Sequence[bytes]  # one number of all words


def fields_text(words: Sequence[bytes]) -> str | None:
    """The `fields(…)` that all words are; None: their signs differ, or they are one number or none."""
    signs = {tuple(_SIGNS.split(word)) for word in words}
    if len(signs) != 1:
        return None
    [between] = signs
    columns = list(zip(*(_SIGNS.findall(word) for word in words), strict=True))
    alone = len(columns) == 1 and not between[0] and not between[-1]
    chance = len(set(words)) < _AGREEING and any(sign.isalnum() for sign in between)
    long = len(columns) > _MOST or any(len(token) > _LONGEST for column in columns for token in column)
    if alone or chance or long or not columns:
        return None
    if any(byte >= 0x7F or byte <= 0x20 for sign in between for byte in sign):
        return None
    spans = _spans(columns, between[1:-1])
    pieces = [quoted_text(between[0])]
    for span, sign in zip(spans, between[1:], strict=True):
        pieces += [span, quoted_text(sign)]
    return f"fields({' '.join(piece for piece in pieces if piece != quoted_text(b''))})"


def lists_text(words: Sequence[bytes]) -> str | None:
    """The `either` of words as `1.10` and `1.2.3`: numbers with one sign between them, here more and there fewer."""
    parts = [_SIGNS.split(word) for word in words]
    signs = {sign for each in parts for sign in each[1:-1]}
    lengths = {len(each) - 1 for each in parts}
    if len(signs) != 1 or len(lengths) == 1 or max(lengths) > _MOST or any(each[0] or each[-1] for each in parts):
        return None
    [sign] = signs
    tokens = [token for word in words for token in _SIGNS.findall(word)]
    odd = len(sign) > 1 or not sign.isascii() or sign.isalnum() or sign.isspace() or all(map(is_number, words))
    if odd or any(_is_padded(token) or len(token) > _LONGEST for token in tokens):
        return None
    span, joint = _span(tokens), f" {quoted_text(sign)} "
    least, most = min(lengths), max(lengths)
    forms = [
        f"fields({joint.join([span] * count)})" if count > 1 else f"({span})" for count in range(least, most + 1)
    ]
    return f"either {{ {' } or { '.join(forms)} }}"


def _spans(columns: Sequence[Column], between: Sequence[bytes]) -> list[str]:
    """A range for each number: of hours and minutes, of years, months and days, or by what was seen."""
    for known in (_clock(columns, between), _date(columns, between)):
        if known is not None and all(_are_within(*each) for each in zip(columns, known, strict=True)):
            return known
    return list(map(_span, columns))


def _clock(columns: Sequence[Column], between: Sequence[bytes]) -> list[str] | None:
    if len(columns) == _TWO * _TWO and between[0] == between[2] == b":" != between[1]:  # from one to another
        halves = [_clock(columns[start : start + 2], between[:1]) for start in (0, 2)]
        return None if None in halves else [span for half in halves for span in half or []]
    if not 2 <= len(columns) <= 3 or set(between) != {b":"} or not _are_wide(columns[1:], _TWO):
        return None
    hours = "00..23" if _are_wide(columns[:1], _TWO) else "0..23"
    return [hours, *["00..59"] * (len(columns) - 1)]


def _date(columns: Sequence[Column], between: Sequence[bytes]) -> list[str] | None:
    """Every month has 28 days at least; more only where they were seen."""
    if len(columns) != 3 or len(set(between)) != 1:
        return None
    year = next((at for at in (0, 2) if _are_wide(columns[at : at + 1], _YEAR)), None)
    if year is None:
        return None
    others = [at for at in (0, 1, 2) if at != year]
    months = [at for at in (1, 2 - year) if max(map(int, columns[at])) <= 12 and min(map(int, columns[at])) > 0]
    if not months:
        return None
    zero = "0" if any(token.startswith(b"0") for at in others for token in columns[at]) else ""
    years, days = (list(map(int, columns[at])) for at in (year, 3 - year - months[0]))
    spans = {year: f"{min(1900, *years)}..{max(2100, *years)}", months[0]: f"{zero}1..12"}
    return [spans.get(at, f"{zero}1..{28 if max(days) <= 28 else 31}") for at in (0, 1, 2)]


def _are_wide(columns: Sequence[Column], width: int) -> bool:
    return all(len(token) == width for column in columns for token in column)


def _are_within(column: Column, span: str) -> bool:
    low, _, high = span.partition("..")
    zeros = low.startswith("0") and len(low) > 1
    return all(int(low) <= int(token) <= int(high) and (zeros or not _is_padded(token)) for token in column)


def _span(column: Column) -> str:
    """What has zeros before it has a width; else up to the next power of ten."""
    values, widths = list(map(int, column)), {len(token) for token in column}
    if any(map(_is_padded, column)):
        width = min(widths)
        return f"{'0' * width}..{10**width - 1}"
    return f"{min(1, *values)}..{10 ** len(str(max(values)))}"


def _is_padded(token: bytes) -> bool:
    return len(token) > 1 and token.startswith(b"0")
