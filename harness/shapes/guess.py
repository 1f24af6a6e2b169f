"""Guesses the lines of a shape that several instances share, one line or group of lines after the other."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product

from harness.shapes.guessedges import edges_text
from harness.shapes.guessparents import hangs_on_earlier_rows, parents_text
from harness.shapes.guessrules import Instance, Style, forms_of, is_grid, is_square, is_uniform
from harness.shapes.seen import is_integer, is_number, is_within, likely_bound, quoted_text, upper_name

NAMES = ("n", "m", "k", "q", *"abcdefghijlopruvwxyz", *(f"x{number}" for number in range(1, 100)))
MANY = 4  # so many integers in every line are an array


class NoGuess(Exception):  # noqa: N818 (a dead end, not a fault)
    """The instances have nothing in common that a shape can say."""


@dataclass(kw_only=True)
class Guess:
    """Reads all instances side by side; `known` holds each integer's value in each instance."""

    instances: Sequence[Instance]
    style: Style = field(default_factory=Style)
    known: dict[str, list[int]] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    names: Sequence[str] = NAMES
    inner: bool = False  # each instance is a line of one group
    outer: tuple[str, ...] = ()  # what was known before the group
    repeats: str = ""  # the integer that counts the lines of that group
    likely: str | None = None  # an integer that seems to be the bound of others
    at: list[int] = field(default_factory=list)
    indexes: dict[str, set[str]] = field(default_factory=dict)  # by range, the integers that are places

    def text(self) -> str:
        """The lines of the shape. Raises NoGuess."""
        self.at = [0] * len(self.instances)
        lines: list[str] = []
        rules: tuple[Callable[[], str | None], ...] = (self._grid, self._repeats, self._fixed_grid, self._line)
        rules = rules[-1:] if self.inner else rules
        while not self._ended():
            found = next((text for text in (rule() for rule in rules) if text is not None), None)
            if found is None:
                raise NoGuess
            lines.append(found)
        return "".join(f"{line}\n" for line in lines)

    def _ended(self) -> bool:
        return all(at == len(lines) for at, lines in zip(self.at, self.instances, strict=True))

    def _next(self, counts: Sequence[int]) -> list[Instance] | None:
        """So many next lines of each instance, or None if one has fewer."""
        groups = [lines[at : at + count] for at, count, lines in zip(self.at, counts, self.instances, strict=True)]
        full = all(len(group) == count for group, count in zip(groups, counts, strict=True))
        return groups if full and min(counts) >= 0 else None

    def _advance(self, counts: Sequence[int]) -> None:
        self.at = [at + count for at, count in zip(self.at, counts, strict=True)]

    def _reaches_end(self, counts: Sequence[int]) -> bool:
        return all(
            at + count == len(lines) for at, count, lines in zip(self.at, counts, self.instances, strict=True)
        )

    def _counters(self) -> Iterator[tuple[str, list[int]]]:
        """Earlier integers, the latest first, and one less than them."""
        for name in reversed(self.known):
            yield name, self.known[name]
        for name in reversed(self.known):
            yield f"{name}-1", [value - 1 for value in self.known[name]]

    def _grid(self) -> str | None:
        names = list(reversed(self.known))
        pairs = [*((rows, columns) for columns, rows in pairwise(names)), *product(names, names)]
        for rows, columns in pairs:
            groups = self._next(self.known[rows])
            if groups is not None and is_grid(groups, self.known[columns]):
                return self._grid_text(rows, columns, groups)
        return None

    def _fixed_grid(self) -> str | None:
        if any(at == len(lines) for at, lines in zip(self.at, self.instances, strict=True)):
            return None
        sizes = {(len(lines) - at, len(lines[at])) for at, lines in zip(self.at, self.instances, strict=True)}
        if len(sizes) != 1:
            return None
        rows, columns = sizes.pop()
        groups = self._next([rows] * len(self.at))
        if rows < 2 or groups is None or not is_grid(groups, [columns] * len(self.at)):
            return None
        return self._grid_text(str(rows), str(columns), groups)

    def _grid_text(self, rows: str, columns: str, groups: list[Instance]) -> str:
        self._advance([len(group) for group in groups])
        grids = [b"".join(group) for group in groups]
        return f"grid({rows}, {columns}, {self.style.alphabet(grids)}{self.style.marks(grids)})"

    def _repeats(self) -> str | None:
        """As many lines of one kind as an earlier integer says."""
        found: list[tuple[bool, int, str, list[Instance]]] = []
        for count, values in self._counters():
            groups = self._next(values)
            if groups is not None and self._tells(values) and (is_uniform(groups) or _has_forms(groups)):
                place = -len(found) if is_square(values, groups) else len(found)  # rows are counted before columns
                found.append((not self._reaches_end(values), place, count, groups))
        for *_, count, groups in sorted(found, key=lambda each: each[:2]):
            text = edges_text(self.known, count, groups, self.style, at_once=set(self.at) == {1}) or (
                self._times(count, groups) if "-" not in count else self._hanging(count, groups)
            )
            if text is not None:
                self._advance([len(group) for group in groups])
                return text
        return None

    def _tells(self, values: Sequence[int]) -> bool:
        """Whether a number of lines is no coincidence: more than one line somewhere, or none somewhere."""
        return max(values) >= self.style.least or min(values) == 0 < max(values)

    def _times(self, count: str, groups: list[Instance]) -> str | None:
        lines = [[line] for group in groups for line in group]
        known = {
            name: [value for value, group in zip(values, groups, strict=True) for _ in group]
            for name, values in self.known.items()
        }
        forms = forms_of([line for [line] in lines])
        text = self._inner(lines, known, count) if forms is None else self._either(forms, lines, known, count)
        if text is None:
            return None
        line, _, comment = text.partition("  #")
        return f"{count} times {{ {line} }}" + (f"  #{comment}" if comment else "")

    def _hanging(self, count: str, groups: list[Instance]) -> str | None:
        """The rows of a tree: on which earlier vertex each hangs, and what else is known of it."""
        tables = [[line.split(b" ") for line in group] for group in groups]
        heads = [[row[0] for row in table] for table in tables]
        if self.style.letters or not all(is_integer(head) for each in heads for head in each):
            return None
        if not hangs_on_earlier_rows([list(map(int, each)) for each in heads]):
            return None
        rest = [[b" ".join(row[1:])] for table in tables for row in table]
        text = self._inner(rest, {}, count) if any(any(each) for each in rest) else ""
        if text is None:
            return None
        own = next(name for name in NAMES if name not in self.taken and f"{name}:" not in text)
        return f"{count} times as row {{ {own}: 1..row {text.partition('  #')[0]}".rstrip() + " }"

    def _inner(
        self, lines: Sequence[Instance], known: dict[str, list[int]], count: str, likely: str | None = None
    ) -> str | None:
        inner = Guess(
            instances=lines,
            outer=tuple(known),
            style=self.style,
            known=known,
            taken=set(self.taken),
            inner=True,
            repeats=count,
            likely=likely,
        )
        try:
            return inner.text().rstrip("\n")
        except NoGuess:
            return None

    def _either(
        self,
        forms: dict[bytes, list[list[bytes]]],
        lines: Sequence[Instance],
        known: dict[str, list[int]],
        count: str,
    ) -> str | None:
        """One of several forms of a line, each guessed by itself."""
        texts, likely = [], likely_bound([line.split(b" ") for [line] in lines], known)
        for head, rows in forms.items():
            places = [place for place, [line] in enumerate(lines) if line.split(b" ")[0] == head]
            mine = {name: [values[place] for place in places] for name, values in known.items()}
            text = self._inner([[b" ".join(row)] for row in rows], mine, count, likely) if rows[0] else ""
            if text is None:
                return None
            word = head.decode() if is_integer(head) else quoted_text(head)
            texts.append(f"{{ {word} {text.partition('  #')[0]}".rstrip() + " }")
        return f"either {' or '.join(texts)}"

    def _line(self) -> str | None:
        groups = self._next([1] * len(self.at))
        if groups is None:
            return None
        rows = [group[0].split(b" ") if group[0] else [] for group in groups]
        self._advance([1] * len(self.at))
        whole = self._array(rows)
        if whole is not None:
            return whole
        lengths = {len(row) for row in rows}
        if lengths == {0}:
            return '""'
        return self._scalars(rows) if len(lengths) == 1 else self._own_count(rows)

    def _array(self, rows: list[list[bytes]]) -> str | None:
        numbers = all(is_number(token) for row in rows for token in row)
        parents = self._parents(rows) if numbers and not self.inner else None
        if parents is not None:
            return parents
        for count, values in self._counters():
            right = [len(row) for row in rows] == values and max(values) >= self.style.least
            if right and ("-" not in count or (numbers and not self.inner)) and not self._is_chance(count, values):
                return self._array_text(count, values, rows)
        length = len(rows[0])
        if length >= MANY and all(len(row) == length and all(map(is_integer, row)) for row in rows):
            return self._array_text(str(length), [length] * len(rows), rows)
        return None

    def _parents(self, rows: list[list[bytes]]) -> str | None:
        whole = not self.style.letters and all(is_integer(token) for row in rows for token in row)
        return parents_text(self.known, [[int(token) for token in row] for row in rows]) if whole else None

    def _is_chance(self, count: str, values: Sequence[int]) -> bool:
        """Whether lines of two or three words only happen to be as long as an integer says that has to do with more."""
        if not self.inner or self.style.letters or len(set(values)) > 1 or values[0] >= MANY:
            return False
        names = [*self.known, ""]
        beside = names[names.index(self.repeats) + 1] if self.repeats in names else ""
        return count not in (self.repeats, beside)

    def _array_text(self, count: str, values: list[int], rows: list[list[bytes]]) -> str:
        if not all(is_integer(token) for row in rows for token in row):
            words = [token for row in rows for token in row]
            if all(map(is_number, words)):
                return f"{count} * ({self.style.numbers(words)})"
            kind = self.style.fields(words) or f"string(1..{max(map(len, words))}, {self.style.alphabet(words)})"
            return f"{count} * ({kind})"
        numbers = [[int(token) for token in row] for row in rows]
        ordered = all(
            sorted(row) == list(range(1, length + 1)) for row, length in zip(numbers, values, strict=True)
        )
        if ordered and max(values) > 2 and not self.style.letters:
            return f"permutation({count})"
        flat = [value for row in numbers for value in row]
        return f"{count} * ({self._range(numbers)})" + self.style.comment(flat)

    def _range(self, numbers: list[list[int]]) -> str:
        name = None if self.style.letters else upper_name(numbers, self.known, self._opposite())
        if name is None and self.likely is not None and is_within(numbers, self.known[self.likely]):
            name = self.likely
        return f"1..{name}" if name else self.style.range([value for row in numbers for value in row])

    def _opposite(self) -> str:
        """Of pairs `a b` behind a head `n m …` a is likely up to n, and b up to m, if m counts no lines."""
        place = len(self.known) - len(self.outer)
        found = self.outer[place] if self.inner and place < len(self.outer) else ""
        return "" if found == self.repeats else found

    def _own_count(self, rows: list[list[bytes]]) -> str | None:
        """`k` and then k things in the same line."""
        if any(not row or not is_integer(row[0]) or int(row[0]) != len(row) - 1 for row in rows):
            return None
        head = self._scalars([row[:1] for row in rows])
        name = next(reversed(self.known))
        tail = self._array_text(name, self.known[name], [row[1:] for row in rows])
        return f"{head.partition('  #')[0]} {tail}"

    def _scalars(self, rows: list[list[bytes]]) -> str:
        columns = [[row[place] for row in rows] for place in range(len(rows[0]))]
        texts, seen = [], []
        for column in columns:
            if all(map(is_integer, column)):
                values = [int(token) for token in column]
                texts.append(self._scalar(values))
                seen.append(f"{min(values)}..{max(values)}")
            elif all(map(is_number, column)):
                texts.append(f"({self.style.numbers(column)})")
            else:
                texts.append(self._word(column))
        comment = f"  # seen {', '.join(seen)}" if seen and not self.style.letters else ""
        return " ".join(texts) + comment

    def _scalar(self, values: list[int]) -> str:
        """A new integer; from the one before it on, if both are places of one sequence and that was always so."""
        span = self._range([[value] for value in values])
        before = next(reversed(self.known), "")
        ordered = all(one <= two for one, two in zip(self.known.get(before, values), values, strict=True))
        if ordered and before in self.indexes.get(span, ()):
            span = f"{before}..{span.removeprefix('1..')}"
        name = self._bind(values)
        if span.removeprefix("1..") in self.known:
            self.indexes.setdefault(span, set()).add(name)
        return f"{name}: {span}"

    def _bind(self, values: list[int]) -> str:
        name = next((name for name in self.names if name not in self.taken), None)
        if name is None:
            raise NoGuess
        self.taken.add(name)
        self.known[name] = values
        return name

    def _word(self, column: list[bytes]) -> str:
        fields = self.style.fields(column)
        if fields is not None:
            return fields
        for name, values in self.known.items():
            if [len(word) for word in column] == values and max(values) > 1:
                return f"(string({name}, {self.style.alphabet(column)}))"
        words = sorted(set(column))
        repeats = len(words) < len(column) or all(len(word) > 1 and not word.islower() for word in words)
        if len(words) <= 4 and repeats and not self.style.letters:
            return "|".join(map(quoted_text, words))
        longest = max(map(len, column)) if not self.style.letters else 10**6
        return f"(string(1..{longest}, {self.style.alphabet(column)}))"


def _has_forms(groups: Sequence[Instance]) -> bool:
    return forms_of([line for group in groups for line in group]) is not None
