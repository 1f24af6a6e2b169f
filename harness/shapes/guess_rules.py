"""Rules that lines have in common: grids, columns of one kind, texts, counts of words, forms."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from harness.shapes.guess_ranges import is_integer, is_number
from harness.values import dataclass

Instance = Sequence[bytes]  # lines

_MOST_FORMS = 8
_MOST_BEFORE = 3  # words before a count of the words that follow it
_TELLING = 5  # lines that differ only in a leading 1 or 2: fewer may be chance


def is_grid(groups: Sequence[Instance], columns: Sequence[int], *, lone: bool = False) -> bool:
    """Return whether each group is lines of equal length without spaces that are not just numbers.

    lone: a line of a single digit may be a cell, too.
    """
    right = all(
        len(line) == width and b" " not in line
        for group, width in zip(groups, columns, strict=True)
        for line in group
    )
    lines = [line for group in groups for line in group]
    numbers = all(map(is_integer, lines))
    digits = (lone or max(map(len, lines), default=0) > 1) and set(b"".join(lines)) <= set(b"01")
    return right and bool(lines) and (digits or not numbers)


def is_uniform(groups: Sequence[Instance]) -> bool:
    """Return whether an instance's lines have the same kinds of words in each column, or are all `k` and k words."""
    tables = [[line.split(b" ") for line in group] for group in groups]
    rows = [row for table in tables for row in table]
    if own_count(rows) is not None or text_span(rows) is not None:
        return True
    return all(len({tuple(map(_is_like_a_number, row)) for row in table}) <= 1 for table in tables)


def _is_like_a_number(token: bytes) -> bool:
    """Return whether a token is a number, or digits with leading zeros."""
    return is_number(token) or token.isdigit()


def text_span(rows: Sequence[Sequence[bytes]]) -> tuple[int, int] | None:
    """Return how many words are before and after the text, names or a sentence, of each row; None: there is no text.

    Before and after it are numbers. No word of the text is a number.
    """
    before = min(_numbers_first(row) for row in rows)
    behind = min(_numbers_first(row[:before:-1]) for row in rows)
    texts = [row[before : len(row) - behind] for row in rows]
    return (before, behind) if any(texts) and not any(is_number(word) for text in texts for word in text) else None


def are_sentences(rows: Sequence[Sequence[bytes]]) -> bool:
    """Return whether each row is more than two words of a language."""
    words = [word.strip(b".,:;?!") for row in rows for word in row]
    return min(map(len, rows)) > 2 and b"".join(words).isalpha()


def _numbers_first(row: Sequence[bytes]) -> int:
    """Count the numbers at the start of a row."""
    return next((at for at, word in enumerate(row) if not is_number(word)), len(row))


def own_count(rows: Sequence[Sequence[bytes]]) -> tuple[int, int] | None:
    """Return the column whose numbers count the words, or pairs of words, after it: (its index, 1 or 2).

    None: there is no such column.
    """
    for index in range(_MOST_BEFORE):
        if max(map(len, rows)) <= index + 1 or not all(
            len(row) > index and is_integer(row[index]) for row in rows
        ):
            continue
        counts, lengths = [int(row[index]) for row in rows], [len(row) - index - 1 for row in rows]
        for each in (1, 2):
            if [each * count for count in counts] == lengths:
                return index, each
    return None


def are_of_two_kinds(rows: Sequence[Sequence[bytes]]) -> bool:
    """Return whether some columns hold numbers and others never do: then a row is no array."""
    if len({len(row) for row in rows}) > 1:
        return False
    kinds = [{is_number(token) for token in column} for column in zip(*rows, strict=True)]
    return {True} in kinds and {False} in kinds


def are_a_vocabulary(words: Sequence[bytes]) -> bool:
    """Return whether words are of a language, or single signs: strings over a few letters repeat each letter."""
    letters = b"".join(words)
    return all(len(word) == 1 for word in words) or (letters.isalpha() and 2 * len(set(letters)) > len(letters))


def is_square(values: Sequence[int], groups: Sequence[Instance]) -> bool:
    """Return whether each line has as many words as there are lines."""
    return all(
        len(line.split(b" ")) == value for value, group in zip(values, groups, strict=True) for line in group
    )


def forms_of(lines: Sequence[bytes]) -> dict[bytes, list[list[bytes]]] | None:
    """Group lines by their first word if it tells the form of the line, as in `1 x y` and `2 x`, `push 3` and `pop`.

    None without evidence: forms must differ in the number and kinds of words, or the first words be 1, 2, ….
    """
    forms: dict[bytes, list[list[bytes]]] = {}
    for line in lines:
        row = line.split(b" ")
        forms.setdefault(row[0], []).append(row)
    heads = sorted(forms)
    digits = [str(number).encode() for number in range(int(heads[0] == b"1"), len(heads) + 1)][: len(heads)]
    named = heads == digits or not any(map(is_number, heads))
    if not 2 <= len(forms) <= _MOST_FORMS or not named:
        return None
    own = own_count([line.split(b" ") for line in lines])
    own_counts = own == (0, 2) or (own == (0, 1) and (heads[0] == b"0" or len(forms) > 2))
    names_before_a_count = own is not None and own[0] > 0 and len(forms) == len(lines)
    if own_counts or names_before_a_count:
        return None
    if _are_a_text(forms, len(lines)):
        return None
    kinds = [{tuple(map(is_number, row)) for row in rows} for rows in forms.values()]
    if any(len(each) > 1 for each in kinds):
        return None
    numbered = any(map(is_number, heads))
    tells = _tells(forms) if numbered else len(lines) > len(forms) and are_a_vocabulary(heads)
    alike = len(set.union(*kinds)) == 1
    if (numbered and len(lines) == len(forms)) or (alike and not tells):
        return None
    return {head: [row[1:] for row in forms[head]] for head in heads}


def _are_a_text(forms: Mapping[bytes, Sequence[Sequence[bytes]]], lines: int) -> bool:
    """Return whether lines are a text, or names with numbers, rather than commands: few begin alike."""
    rows = [row for some in forms.values() for row in some]
    if lines == len(forms) and text_span(rows) is not None:
        return True
    return lines < 2 * len(forms) and not any(is_number(token) for row in rows for token in row)


def are_unlike_forms(lines: Sequence[bytes]) -> bool:
    """Return whether lines are of several forms that differ in more than the first word."""
    forms = forms_of(lines)
    return forms is not None and len({tuple(map(is_number, row)) for rows in forms.values() for row in rows}) > 1


def _tells(forms: Mapping[bytes, Sequence[Sequence[bytes]]]) -> bool:
    """Return whether lines that differ only in a leading 1 or 2 are two forms, not edges or spans."""
    rows = [row for some in forms.values() for row in some if len(row) > 2]
    rising = all(is_integer(row[1]) and int(row[0]) <= int(row[1]) for row in rows)
    return len(forms) == 2 and len(rows) >= _TELLING and not rising


@dataclass(kw_only=True)
class Choices:
    """Which reading a guess takes where lines may repeat in several ways.

    wanted: the index of the reading at each of the first such places; at others it is 0. offered: the number of
    readings at each place, filled in by the guess.
    """

    wanted: tuple[int, ...] = ()
    offered: list[int] = field(default_factory=list)

    def pick(self, count: int) -> int:
        """Return the index of the reading to take of `count` readings."""
        index = len(self.offered)
        self.offered.append(count)
        return self.wanted[index] if index < len(self.wanted) else 0

    def others(self) -> Iterator["Choices"]:
        """Yield the choices that take another reading at one of the places after those of `wanted`."""
        for index in range(len(self.wanted), len(self.offered)):
            before = (*self.wanted, *([0] * (index - len(self.wanted))))
            for number in range(1, self.offered[index]):
                yield Choices(wanted=(*before, number))
