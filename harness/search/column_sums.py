"""Find numbers of the first line that are the sum of a column below it, and correct them in inputs that were made."""

from collections.abc import Sequence

from harness.values import dataclass

_MOST_WORDS = 8  # of a line
_LONGEST = 18  # bytes of a short integer


@dataclass(frozen=True, kw_only=True)
class ColumnSums:
    """Numbers of the first line that are sums. sums: pairs (index of the number, index of the column below it)."""

    sums: tuple[tuple[int, int], ...] = ()

    @staticmethod
    def of(texts: Sequence[bytes]) -> "ColumnSums":
        """Find the sums that hold in all texts.

        Requires two different texts and a column of more than two numbers: else the sum may be chance, and a number
        that need not be a sum would always be changed to one.
        """
        tables = [_table(text) for text in dict.fromkeys(texts)]
        if len(tables) < 2 or max(map(len, tables)) <= 3:
            return ColumnSums()
        indexes = range(_MOST_WORDS)
        sums = [(index, column) for index in indexes for column in indexes]
        return ColumnSums(sums=tuple(pair for pair in sums if all(_is_total(table, *pair) for table in tables)))

    def corrected(self, text: bytes) -> bytes:
        """Return a text with its sums corrected; unchanged if a column or a sum is missing."""
        table = _table(text) if self.sums else []
        for index, column in self.sums:
            total = _sum(table[1:], column)
            if total is None or index >= len(table[0]):
                return text
            table[0][index] = b"%d" % total
        return b"\n".join([b" ".join(table[0]), *text.split(b"\n")[1:]]) if table else text


def _table(text: bytes) -> list[list[bytes]]:
    """Return the words of each line."""
    return [line.split(b" ") for line in text.removesuffix(b"\n").split(b"\n")]


def _sum(rows: Sequence[Sequence[bytes]], column: int) -> int | None:
    """Return the sum of a column; None if some row has no integer there, or there is no row."""
    words = [row[column] for row in rows if column < len(row)]
    if not words or len(words) < len(rows) or not all(map(is_short_integer, words)):
        return None
    return sum(map(int, words))


def is_short_integer(word: bytes) -> bool:
    """Return whether a word is an integer of at most 18 bytes, with its sign."""
    return word.removeprefix(b"-").isdigit() and len(word) <= _LONGEST


def _is_total(table: Sequence[Sequence[bytes]], index: int, column: int) -> bool:
    """Return whether a number of the first line is the sum of a column, and does not just count the lines."""
    word = table[0][index] if index < len(table[0]) else b""
    return is_short_integer(word) and int(word) == _sum(table[1:], column) != len(table) - 1
