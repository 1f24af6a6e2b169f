"""Words of numbers with signs between them: clock times, dates, versions. A value is the word itself, as bytes."""

import re
from collections.abc import Iterator, Sequence

from harness.shapes.model import Field, Fields

Numbers = tuple[int, ...]

_LONGEST = 40


def numbers_of(item: Fields, word: bytes) -> Numbers:
    """The numbers in a word of the kind."""
    match = _pattern(item).match(word)
    return tuple(map(int, match.groups())) if match is not None else ()


def word_of(item: Fields, numbers: Sequence[int]) -> bytes:
    """The word with these numbers, of which each has at least the width of its place."""
    left = iter(numbers)
    return b"".join(
        b"%0*d" % (piece.width, next(left)) if isinstance(piece, Field) else piece for piece in item.pieces
    )


def word_at(item: Fields, data: bytes, at: int) -> bytes | None:
    """The word that stands there; None: none of the kind does."""
    match = _pattern(item).match(data, at)
    if match is None:
        return None
    inside = all(
        each.low <= int(text) <= each.high for each, text in zip(item.fields, match.groups(), strict=True)
    )
    return match[0] if inside else None


def expected(item: Fields) -> str:
    """The kind in words."""
    least, most = (word_of(item, [getattr(each, end) for each in item.fields]) for end in ("low", "high"))
    return f"{item.name or 'a word'} from {least.decode()} to {most.decode()}"


def of_size(fields: Sequence[Field], size: int) -> Iterator[Numbers]:
    """All numbers that are this far from the lowest ones, taken together."""
    if not fields:
        yield from ((),) if size == 0 else ()
        return
    first, rest = fields[0], fields[1:]
    for own in range(min(size, first.high - first.low) + 1):
        yield from ((first.low + own, *others) for others in of_size(rest, size - own))


def _pattern(item: Fields) -> "re.Pattern[bytes]":
    """Cached by `re` itself."""
    return re.compile(b"".join(_place(one) if isinstance(one, Field) else re.escape(one) for one in item.pieces))


def _place(field: Field) -> bytes:
    if field.width > 1:
        return b"([0-9]{%d}|[1-9][0-9]{%d,%d})(?![0-9])" % (field.width, field.width, _LONGEST)
    return b"(0|[1-9][0-9]{0,%d})(?![0-9])" % _LONGEST
