"""Turn words (integers, letters, clock times) and grids of samples into pieces of a shape's text."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from math import comb, prod

from harness.shapes.kinds.brackets import matching_pairs, pairs_of

Integers = Mapping[str, Sequence[int]]  # the integers read so far, one value for each instance

_INTEGER = re.compile(rb"0|-?[1-9][0-9]{0,39}")
_DECIMAL = re.compile(rb"-?(?:0|[1-9][0-9]{0,15})\.[0-9]{1,12}")
_FIRST = b".-_ 0a"  # the simplest letters of an alphabet, in this order
_UNLIKELY = 0.01  # the chance of what samples show, if nothing demands it
_AGREEING = 3  # instances that make a coincidence unlikely
# Numbers from which on only 0 and 1 are no coincidence: of 24 such lists in Codeflaws, 23 have no others in any test.
_FLAGS = 9


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
    if set(values) == {0, 1} and len(values) >= _FLAGS:
        return "0..1"
    if low < 0:
        bound = _power(max(-low, high))
        return f"-{bound}..{bound}"
    return f"{min(low, 1)}..{_power(high)}"


def seen_text(values: Sequence[int]) -> str:
    """Return the comment on the integers in the samples."""
    return f"  # seen {min(values)}..{max(values)}" if values else ""


def _power(value: int) -> str:
    digits = max(1, len(str(value - 1))) if value > 1 else 1
    return "10" if digits == 1 else f"10^{digits}"


def are_indexes(values: Sequence[Sequence[int]], bounds: Sequence[int]) -> bool:
    """Return whether the values of each instance are from 1 to its bound."""
    return all(1 <= value <= bound for each, bound in zip(values, bounds, strict=True) for value in each)


def upper_name(values: Sequence[Sequence[int]], integers: Integers, likely: str = "") -> str | None:
    """Return an earlier integer that no value of its instance exceeds, if there are too many values for chance.

    likely: the name to prefer if several are possible.
    """
    total = sum(map(len, values))
    for name, bounds in sorted(integers.items(), key=lambda each: each[0] != likely):
        near = any(2 * max(each, default=0) > bound for each, bound in zip(values, bounds, strict=True))
        if are_indexes(values, bounds) and near and total >= _AGREEING and max(bounds) > 1:
            return name
    return None


def likely_bound(rows: Sequence[Sequence[bytes]], integers: Integers) -> str:
    """Return the earlier integer that limits columns in lines of several forms; "" if none. rows: words of lines."""
    columns: dict[tuple[bytes, int], list[tuple[int, int]]] = {}  # by form and column: (number, index of the line)
    for line, row in enumerate(rows):
        for index, token in enumerate(row[1:]):
            if is_integer(token):
                columns.setdefault((row[0], index), []).append((int(token), line))
    for name, bounds in integers.items():
        pairs = [[(value, bounds[line]) for value, line in column] for column in columns.values()]
        inside = [pair for each in pairs if all(1 <= value <= bound for value, bound in each) for pair in each]
        if len(inside) >= _AGREEING and any(value == bound > 1 for value, bound in inside):
            return name
    return ""


def letters_text(texts: Sequence[bytes]) -> str:
    """Return the letters of the texts as an alphabet, the likeliest background first."""
    counts = Counter(letter for text in texts for letter in text)
    seen = bytes(counts)
    for first, last in (b"az", b"AZ", b"09"):
        if len(seen) > _AGREEING and all(first <= letter <= last for letter in seen):
            return f"{chr(first)}..{chr(last)}"

    order = sorted(counts, key=lambda letter: (_FIRST.find(letter) % 100, -counts[letter], letter))
    return quoted_text(bytes(order))


def string_text(length: str, words: Sequence[bytes]) -> str:
    """Return the text for words of letters; for brackets, if they match and that is hardly chance."""
    pairs = pairs_of(bytes(sorted({letter for word in words for letter in word})))
    if pairs and all(matching_pairs(word) is not None for word in words):
        alphabet = b"".join(pairs)
        chance = prod(_matching(len(word), len(pairs)) / len(alphabet) ** len(word) for word in set(words))
        if chance < _UNLIKELY:
            return f"(brackets({length}, {quoted_text(alphabet)}))"
    return f"(string({length}, {letters_text(words)}))"


def _matching(length: int, kinds: int) -> int:
    """Return the number of strings of matching brackets: a Catalan number, times the choices of each pair's kind."""
    pairs = length // 2
    choices: int = kinds**pairs
    return comb(2 * pairs, pairs) // (pairs + 1) * choices


def are_parents(lines: Sequence[Sequence[int]]) -> bool:
    """Return whether n-1 numbers are each at most their own place, and from 1: a tree by parents, hardly by chance."""
    places = [(number, place) for line in lines for place, number in enumerate(line, start=1)]
    chance = prod(place / (len(line) + 1) for line in lines for place in range(1, len(line) + 1))
    return chance < _UNLIKELY and all(1 <= number <= place for number, place in places)


def text_of_lines(lines: Sequence[bytes]) -> str:
    """Return the text for whole lines, with their spaces, as strings."""
    letters = letters_text([line.replace(b" ", b"") for line in lines] if any(map(bytes.strip, lines)) else [b"a"])
    return f'string({min(1, *map(len, lines))}..{max(map(len, lines))}, {letters} " ")'


def quoted_text(word: bytes) -> str:
    """Return a word as the grammar quotes it."""
    return '"' + word.decode("ascii").replace("\\", "\\\\").replace('"', '\\"') + '"'


def marks_text(grids: Sequence[bytes]) -> str:
    """Return the counts of the letters that all grids hold equally often, each after a comma."""
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


_SIGNS = re.compile(rb"[0-9]+")
_PARTS = re.compile(rb"[A-Za-z0-9]+")
_SEPARATORS = frozenset(b":@/-.,=+>")  # between letters; other signs may stand anywhere in a word
_MOST = 8  # numbers, or other parts, in a word
_LONGEST = 15  # digits of a number
_YEAR, _MONTH, _DAY = "1000..9999", "01..12", "01..31"
_DATES = ((_YEAR, _MONTH, _DAY), (_DAY, _MONTH, _YEAR), (_DAY, _MONTH), (_MONTH, _DAY))
_PARTS_OF_DATE = 3
_ADDRESS = (255, 255, 255, 255, 32)  # the largest parts of an IP address, then of the length of its prefix

Column = Sequence[bytes]  # one number of all words


def fields_text(words: Sequence[bytes]) -> str | None:
    """Return the `fields(…)` that fits all words; None: their signs differ, or they have fewer than two parts."""
    return _fields_of_numbers(words) or _fields_of_letters(words)


def _fields_of_letters(words: Sequence[bytes]) -> str | None:
    """Return the `fields(…)` of words with letters or digits before and behind separators, as in addresses.

    All parts may have the kinds of letters that one of them has, and twice as many as the longest one in its place.
    """
    signs = {tuple(_PARTS.split(word)) for word in words}
    if len(signs) != 1:
        return None
    [between] = signs
    separators = between[1:-1]
    enough = 2 if len(separators) == 1 else _AGREEING
    if len(set(words)) < enough or between[0] or between[-1] or not 0 < len(separators) < _MOST:
        return None
    letters = b"".join(words).translate(None, bytes(_SEPARATORS))
    if not letters.isalnum():
        return None
    kinds = ((rb"[0-9]", "0..9"), (rb"[A-Z]", "A..Z"), (rb"[a-z]", "a..z"))
    spans = " ".join(span for kind, span in kinds if re.search(kind, letters))
    columns = zip(*(_PARTS.findall(word) for word in words), strict=True)
    pieces = [f"string(1..{2 * max(map(len, column))}, {spans})" for column in columns]
    signs_behind = (*map(quoted_text, separators), "")
    return f"fields({' '.join(chain(*zip(pieces, signs_behind, strict=True))).rstrip()})"


def _fields_of_numbers(words: Sequence[bytes]) -> str | None:
    """Return the `fields(…)` of words that are numbers but for the same signs."""
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
    pieces = [quoted_text(between[0])]
    ranges = (
        _ranges_of_date(columns, between[1:-1])
        or _ranges_of_address(columns, between[1:-1])
        or [_range_of(columns, list(between[1:-1]), index) for index in range(len(columns))]
    )
    for span, sign in zip(ranges, between[1:], strict=True):
        pieces += [span, quoted_text(sign)]
    return f"fields({' '.join(piece for piece in pieces if piece != quoted_text(b''))})"


def _ranges_of_date(columns: Sequence[Column], signs: Sequence[bytes]) -> list[str]:
    """Return the ranges of the parts of a date of fixed widths, by the orders in `_DATES`; empty if it is no date."""
    is_padded = any(_is_padded(token) for column in columns for token in column)
    may_be_day = is_padded and b":" not in signs and len(set(zip(*columns, strict=True))) >= _AGREEING
    for order in _DATES:
        is_sure = may_be_day or len(order) == _PARTS_OF_DATE
        if is_sure and len(order) == len(columns) and all(map(_is_within, order, columns)):
            return list(order)
    return []


def _ranges_of_address(columns: Sequence[Column], signs: Sequence[bytes]) -> list[str]:
    """Return the ranges of the parts of an IP address, also with the length of its prefix; empty if it is none."""
    spans = _ADDRESS if len(columns) == len(_ADDRESS) else _ADDRESS[:-1]
    are_signs = list(signs) in ([b"."] * 3, [b"."] * 3 + [b"/"])
    fit = are_signs and all(
        not _is_padded(token) and int(token) <= most
        for column, most in zip(columns, spans, strict=True)
        for token in column
    )
    return [f"0..{most}" for most in spans] if fit else []


def _is_within(span: str, column: Column) -> bool:
    low, high = span.split("..")
    return all(len(token) == len(low) and low <= token.decode() <= high for token in column)


def _range_of(columns: Sequence[Column], between: Sequence[bytes], index: int) -> str:
    """Return the range of a number: of hours or minutes, else from the samples."""
    wide = all(len(token) == 2 for token in columns[index])
    if index and between[index - 1] == b":" and wide and max(map(int, columns[index])) < 60:
        return "00..59"
    if between[index : index + 1] == [b":"] and wide and max(map(int, columns[index])) < 24:
        return "00..23"
    return _span(columns[index])


def _span(column: Column) -> str:
    """Return a number's range: of fixed width if there are leading zeros, else up to the next power of ten."""
    values, widths = list(map(int, column)), {len(token) for token in column}
    if any(map(_is_padded, column)):
        width = min(widths)
        return f"{'0' * width}..{10**width - 1}"
    return f"{min(1, *values)}..{10 ** len(str(max(values)))}"


def _is_padded(token: bytes) -> bool:
    return len(token) > 1 and token.startswith(b"0")
