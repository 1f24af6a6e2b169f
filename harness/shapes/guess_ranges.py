"""What samples show of integers, letters and grids, as pieces of a shape's text."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import exp, lgamma, log

Known = Mapping[str, Sequence[int]]  # the integers read so far, one value for each instance

_INTEGER = re.compile(rb"0|-?[1-9][0-9]{0,39}")
_DECIMAL = re.compile(rb"-?(?:0|[1-9][0-9]{0,15})\.[0-9]{1,12}")
_FIRST = b".-_ 0a"  # letters that are the simplest of their alphabet, in this order
_AGREEING = 3  # so many instances make a coincidence unlikely


def is_integer(token: bytes) -> bool:
    """Whether a token is an integer as inputs write it."""
    return _INTEGER.fullmatch(token) is not None


def is_number(token: bytes) -> bool:
    """Whether a token is an integer, or a number with a point."""
    return is_integer(token) or _DECIMAL.fullmatch(token) is not None


def decimals_text(tokens: Sequence[bytes]) -> str:
    """A guess at the range of numbers of which some have a point; its limits say how many decimal places there are."""
    places = [len(token.partition(b".")[2]) for token in tokens]
    whole = max(int(token.partition(b".")[0].lstrip(b"-")) for token in tokens) + 1
    low = -1 if any(token.startswith(b"-") for token in tokens) else 0
    bound = 10 ** len(str(whole - 1)) if whole > 1 else 10
    return f"{_with_places(low * bound, min(places))}..{_with_places(bound, max(places))}"


def _with_places(number: int, places: int) -> str:
    return f"{number}.{'0' * places}" if places else f"{number}"


def range_text(values: Sequence[int]) -> str:
    """A guess at the range of integers that were seen."""
    low, high = min(values), max(values)
    if low < 0:
        bound = _power(max(-low, high))
        return f"-{bound}..{bound}"
    return f"{min(low, 1)}..{_power(high)}"


def _power(value: int) -> str:
    if 10**9 < value <= 2 * 10**9:
        return "2*10^9"  # a modulus, or what just fits into 32 bits
    digits = max(1, len(str(value - 1))) if value > 1 else 1
    return "10" if digits == 1 else f"10^{digits}"


def upper_name(values: Sequence[Sequence[int]], known: Known, likely: str = "") -> str | None:
    """An earlier integer that no value of the same instance exceeds, if that happens too often for chance.

    likely: the one to take where several are possible.
    """
    total = sum(map(len, values))
    for name, bounds in sorted(known.items(), key=lambda each: each[0] != likely):
        inside = all(1 <= value <= bound for each, bound in zip(values, bounds, strict=True) for value in each)
        near = any(2 * max(each, default=0) > bound for each, bound in zip(values, bounds, strict=True))
        if inside and near and total >= _AGREEING and max(bounds) > 1:
            return name
    return None


def is_within(values: Sequence[Sequence[int]], bounds: Sequence[int]) -> bool:
    """Whether the values of each instance lie from 1 to its bound."""
    return all(1 <= value <= bound for each, bound in zip(values, bounds, strict=True) for value in each)


def likely_bound(rows: Sequence[Sequence[bytes]], known: Known) -> str | None:
    """The earlier integer that bounds columns of lines of several forms, taken together. rows: all words of a line."""
    columns: dict[tuple[bytes, int], list[int]] = {}  # the lines that have it, by form and place
    for number, row in enumerate(rows):
        for place, token in enumerate(row[1:], start=1):
            if is_integer(token):
                columns.setdefault((row[0], place), []).append(number)
    for name, bounds in known.items():
        found = [
            [(int(rows[line][place]), bounds[line]) for line in lines] for (_, place), lines in columns.items()
        ]
        inside = [pair for each in found if all(1 <= value <= bound for value, bound in each) for pair in each]
        met = any(value == bound > 1 for value, bound in inside)
        if met and len(inside) >= _AGREEING:
            return name
    return None


def letters_text(texts: Sequence[bytes]) -> str:
    """The letters that were seen as an alphabet, the likeliest background first."""
    counts = Counter(letter for text in texts for letter in text)
    seen = bytes(counts)
    for first, last in (b"az", b"AZ", b"09"):
        if len(seen) > _AGREEING and all(first <= letter <= last for letter in seen):
            return f"{chr(first)}..{chr(last)}"

    order = sorted(counts, key=lambda letter: (_FIRST.find(letter) % 100, -counts[letter], letter))
    return quoted_text(bytes(order))


def text_of_lines(lines: Sequence[bytes]) -> str:
    """Whole lines, with their spaces, as strings."""
    letters = letters_text([line.replace(b" ", b"") for line in lines] if any(map(bytes.strip, lines)) else [b"a"])
    return f'string({min(map(len, lines))}..{max(map(len, lines))}, {letters} " ")'


def quoted_text(word: bytes) -> str:
    """A word as the grammar quotes it."""
    return '"' + word.decode("ascii").replace("\\", "\\\\").replace('"', '\\"') + '"'


def marks_text(grids: Sequence[bytes]) -> str:
    """Counts of the letters that every grid holds equally often, each after a comma."""
    found = ""
    if ".." in letters_text(grids):
        return ""  # letters of all kinds
    for letter in sorted({letter for cells in grids for letter in cells}):
        counts = {cells.count(letter) for cells in grids}
        sign = bytes([letter])
        often = max(counts) if sign.isalpha() or len(grids) >= _AGREEING else 0
        few = often == 1 or (often <= 4 and len(grids) >= _AGREEING)
        if len(counts) == 1 and often > 0 and few and any(len(cells) > 1 for cells in grids):
            found += f", {sign.decode() if sign.isalpha() else quoted_text(sign)}={often}"
    return found


_CHANCE = 1 / 100  # of a coincidence
_EVEN = 1 / 2  # so likely are some equal numbers, were they allowed


def order_of(rows: Sequence[Sequence[int]]) -> str:
    """One of ORDERS, or "" where nothing says that it is one. `1 2 3 4 5` says nothing: samples are written by hand."""
    by_hand = [len({other - one for one, other in pairwise(row)}) <= 1 < len(row) for row in rows]
    rises = all(one <= other for row in rows for one, other in pairwise(row))
    telling = [row for row, known in zip(rows, by_hand, strict=True) if not known]
    sorted_by_chance = exp(-sum(map(_orders, telling)))
    different = all(len(set(row)) == len(row) for row in rows)
    different_by_chance = exp(sum(_different(row, rows) for row in telling)) if different else 1.0
    if rises and sorted_by_chance < _CHANCE:
        return "rising" if different_by_chance < _EVEN else "sorted"
    return "distinct" if different_by_chance < _CHANCE else ""


def _orders(row: Sequence[int]) -> float:
    """The logarithm of how many orders the numbers of a row have; equal ones change places for nothing."""
    return lgamma(len(row) + 1) - sum(lgamma(count + 1) for count in Counter(row).values())


def _different(row: Sequence[int], rows: Sequence[Sequence[int]]) -> float:
    """The logarithm of how likely so many numbers of the range of all are different."""
    known = [value for one in rows for value in one]
    span = max(known) - min(known) + 1
    return sum(log(1 - taken / span) for taken in range(len(row)))
