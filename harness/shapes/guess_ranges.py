"""Turn words (integers, letters, clock times, dates) and grids of samples into pieces of a shape's text."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import exp, lgamma, log

Known = Mapping[str, Sequence[int]]  # the integers read so far, one value for each instance

_INTEGER = re.compile(rb"0|-?[1-9][0-9]{0,39}")
_DECIMAL = re.compile(rb"-?(?:0|[1-9][0-9]{0,15})\.[0-9]{1,12}")
_FIRST = b".-_ 0a"  # the simplest letters of an alphabet, in this order
_AGREEING = 3  # instances that make a coincidence unlikely


def is_integer(token: bytes) -> bool:
    """Return whether a token is an integer as inputs write it."""
    return _INTEGER.fullmatch(token) is not None


def is_number(token: bytes) -> bool:
    """Return whether a token is an integer or a number with a decimal point."""
    return is_integer(token) or _DECIMAL.fullmatch(token) is not None


def numbers_text(tokens: Sequence[bytes]) -> str:
    """Guess the range of numbers; its limits give the number of decimal places."""
    if all(map(is_integer, tokens)):
        return range_text(list(map(int, tokens)))
    places = [len(token.partition(b".")[2]) for token in tokens]
    whole = max(int(token.partition(b".")[0].lstrip(b"-")) for token in tokens) + 1
    low = -1 if any(token.startswith(b"-") for token in tokens) else 0
    bound = 10 ** len(str(whole - 1)) if whole > 1 else 10
    return f"{_with_places(low * bound, min(places))}..{_with_places(bound, max(places))}"


def _with_places(number: int, places: int) -> str:
    return f"{number}.{'0' * places}" if places else f"{number}"


def range_text(values: Sequence[int]) -> str:
    """Guess the range of the integers in the samples."""
    low, high = min(values), max(values)
    if low < 0:
        bound = _power(max(-low, high))
        return f"-{bound}..{bound}"
    return f"{min(low, 1)}..{_power(high)}"


def seen_text(values: Sequence[int]) -> str:
    """Return the comment on the integers in the samples."""
    return f"  # seen {min(values)}..{max(values)}" if values else ""


def _power(value: int) -> str:
    if 10**9 < value <= 2 * 10**9:
        return "2*10^9"  # a modulus, or the limit of 32 bits
    digits = max(1, len(str(value - 1))) if value > 1 else 1
    return "10" if digits == 1 else f"10^{digits}"


def upper_name(values: Sequence[Sequence[int]], known: Known, likely: str = "") -> str | None:
    """Return an earlier integer that no value of its instance exceeds, if that is too frequent for chance.

    likely: the name to prefer if several are possible.
    """
    total = sum(map(len, values))
    for name, bounds in sorted(known.items(), key=lambda each: each[0] != likely):
        inside = all(1 <= value <= bound for each, bound in zip(values, bounds, strict=True) for value in each)
        near = any(2 * max(each, default=0) > bound for each, bound in zip(values, bounds, strict=True))
        if inside and near and total >= _AGREEING and max(bounds) > 1:
            return name
    return None


def is_within(values: Sequence[Sequence[int]], bounds: Sequence[int]) -> bool:
    """Return whether the values of each instance lie from 1 to its bound."""
    return all(1 <= value <= bound for each, bound in zip(values, bounds, strict=True) for value in each)


def likely_bound(rows: Sequence[Sequence[bytes]], known: Known) -> str | None:
    """Return the earlier integer that bounds columns of lines of all forms together. rows: the words of each line."""
    columns: dict[tuple[bytes, int], list[int]] = {}  # the lines that have it, by form and place
    for number, row in enumerate(rows):
        for place, token in enumerate(row[1:], start=1):
            if is_integer(token):
                columns.setdefault((row[0], place), []).append(number)
    for name, bounds in known.items():
        pairs = [
            [(int(rows[line][place]), bounds[line]) for line in lines] for (_, place), lines in columns.items()
        ]
        inside = [pair for each in pairs if all(1 <= value <= bound for value, bound in each) for pair in each]
        met = any(value == bound > 1 for value, bound in inside)
        if met and len(inside) >= _AGREEING:
            return name
    return None


def letters_text(texts: Sequence[bytes]) -> str:
    """Return the letters of the texts as an alphabet, the likeliest background first."""
    counts = Counter(letter for text in texts for letter in text)
    seen = bytes(counts)
    for first, last in (b"az", b"AZ", b"09"):
        if len(seen) > _AGREEING and all(first <= letter <= last for letter in seen):
            return f"{chr(first)}..{chr(last)}"

    order = sorted(counts, key=lambda letter: (_FIRST.find(letter) % 100, -counts[letter], letter))
    return quoted_text(bytes(order))


def text_of_lines(lines: Sequence[bytes]) -> str:
    """Return the text for whole lines, with their spaces, as strings."""
    letters = letters_text([line.replace(b" ", b"") for line in lines] if any(map(bytes.strip, lines)) else [b"a"])
    return f'string({min(map(len, lines))}..{max(map(len, lines))}, {letters} " ")'


def quoted_text(word: bytes) -> str:
    """Return a word as the grammar quotes it."""
    return '"' + word.decode("ascii").replace("\\", "\\\\").replace('"', '\\"') + '"'


def marks_text(grids: Sequence[bytes]) -> str:
    """Return, each after a comma, the counts of letters that every grid holds equally often."""
    marks = ""
    if ".." in letters_text(grids):
        return ""  # letters of all kinds
    for letter in sorted({letter for cells in grids for letter in cells}):
        counts = {cells.count(letter) for cells in grids}
        sign = bytes([letter])
        often = max(counts) if sign.isalpha() or len(grids) >= _AGREEING else 0
        few = often == 1 or (often <= 4 and len(grids) >= _AGREEING)
        if len(counts) == 1 and often > 0 and few and any(len(cells) > 1 for cells in grids):
            marks += f", {sign.decode() if sign.isalpha() else quoted_text(sign)}={often}"
    return marks


_CHANCE = 1 / 100  # of a coincidence
_EVEN = 1 / 2  # assumed chance of equal numbers if they are allowed


def order_of(rows: Sequence[Sequence[int]]) -> str:
    """Return one of ORDERS, "" without evidence. `1 2 3 4 5` is no evidence: samples are written by hand."""
    by_hand = [len({right - left for left, right in pairwise(row)}) <= 1 < len(row) for row in rows]
    rises = all(left <= right for row in rows for left, right in pairwise(row))
    telling = [row for row, known in zip(rows, by_hand, strict=True) if not known]
    sorted_by_chance = exp(-sum(map(_orders, telling)))
    different = all(len(set(row)) == len(row) for row in rows)
    different_by_chance = exp(sum(_different(row, rows) for row in telling)) if different else 1.0
    if rises and sorted_by_chance < _CHANCE:
        return "rising" if different_by_chance < _EVEN else "sorted"
    return "distinct" if different_by_chance < _CHANCE else ""


def _orders(row: Sequence[int]) -> float:
    """Return the logarithm of the number of distinct orders of a row's numbers."""
    return lgamma(len(row) + 1) - sum(lgamma(count + 1) for count in Counter(row).values())


def _different(row: Sequence[int], rows: Sequence[Sequence[int]]) -> float:
    """Return the logarithm of the chance that as many random numbers of the whole range are all different."""
    values = [value for each in rows for value in each]
    span = max(values) - min(values) + 1
    return sum(log(1 - taken / span) for taken in range(len(row)))


_SIGNS = re.compile(rb"[0-9]+")
_MOST = 8  # numbers in a word
_LONGEST = 15  # digits of a number
_YEAR = 4  # digits
_TWO = 2

Column = Sequence[bytes]  # one number of all words


def fields_text(words: Sequence[bytes]) -> str | None:
    """Return the `fields(…)` that fits all words; None: their signs differ, or they have fewer than two numbers."""
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
    """Return the `either` of words such as `1.10` and `1.2.3`: varying counts of numbers with the same sign between."""
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
    """Return a range for each number: of hours and minutes, of years, months and days, or from the samples."""
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
    """Return the ranges of a date. Every month has at least 28 days; more only if the samples have more."""
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
    """Return a number's range: of fixed width if there are leading zeros, else up to the next power of ten."""
    values, widths = list(map(int, column)), {len(token) for token in column}
    if any(map(_is_padded, column)):
        width = min(widths)
        return f"{'0' * width}..{10**width - 1}"
    return f"{min(1, *values)}..{10 ** len(str(max(values)))}"


def _is_padded(token: bytes) -> bool:
    return len(token) > 1 and token.startswith(b"0")
