"""Find numbers of the first line that are the sum of a column below it, and correct them in inputs that were made."""

from collections.abc import Callable, Sequence

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
        return ColumnSums(sums=_totals(tables)) if len(tables) > 1 else ColumnSums()

    @staticmethod
    def demanded(text: bytes, accepts: Callable[[Sequence[bytes]], Sequence[bool]]) -> "ColumnSums":
        """Find the sums in a single text that validators demand: they refuse it with a number one lower or higher.

        accepts: returns for each text whether the validators accept it.
        """
        table = _table(text)

        def is_demanded(index: int) -> bool:
            number = int(table[0][index])
            others = [
                [*table[0][:index], b"%d" % other, *table[0][index + 1 :]] for other in (number - 1, number + 1)
            ]
            return not any(accepts([_with_first_line(text, words) for words in others]))

        return ColumnSums(sums=tuple(pair for pair in _totals([table]) if is_demanded(pair[0])))

    def corrected(self, text: bytes) -> bytes:
        """Return a text with its sums corrected; unchanged if a column or a sum is missing."""
        table = _table(text) if self.sums else []
        for index, column in self.sums:
            total = _sum(table[1:], column)
            if total is None or index >= len(table[0]):
                return text
            table[0][index] = b"%d" % total
        return _with_first_line(text, table[0]) if table else text


def _with_first_line(text: bytes, words: Sequence[bytes]) -> bytes:
    return b"\n".join([b" ".join(words), *text.split(b"\n")[1:]])


def _totals(tables: Sequence[list[list[bytes]]]) -> tuple[tuple[int, int], ...]:
    """Return the sums that hold in all tables, if one of them has a column of more than two numbers."""
    if max(map(len, tables)) <= 3:
        return ()
    pairs = [(index, column) for index in range(_MOST_WORDS) for column in range(_MOST_WORDS)]
    return tuple(pair for pair in pairs if all(_is_total(table, *pair) for table in tables))


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
