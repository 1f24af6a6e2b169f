"""Guesses the lines of a shape that several instances share, one line or group of lines after the other."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product

from harness.shapes.graphs import components, is_simple
from harness.shapes.seen import is_integer, letters_text, marks_text, quoted_text, range_text, upper_name

Instance = Sequence[bytes]  # lines

NAMES = ("n", "m", "k", "q", *"abcdefghijlopruvwxyz", *(f"x{number}" for number in range(1, 100)))
MANY = 4  # so many integers in every line are an array


class NoGuess(Exception):  # noqa: N818 (a dead end, not a fault)
    """The instances have nothing in common that a shape can say."""


@dataclass(frozen=True, kw_only=True)
class Style:
    """How to word what was seen: as a guess, or, given letters, so wide that other instances fit too."""

    letters: bytes = b""

    @property
    def least(self) -> int:
        """How large a count must be somewhere to be taken for one."""
        return 1 if self.letters else 2

    def range(self, values: Sequence[int]) -> str:
        return "-10^18..10^18" if self.letters else range_text(values)

    def alphabet(self, texts: Sequence[bytes]) -> str:
        return letters_text([self.letters] if self.letters else texts)

    def marks(self, grids: Sequence[bytes]) -> str:
        return "" if self.letters else marks_text(grids)

    def comment(self, values: Sequence[int]) -> str:
        return "" if self.letters or not values else f"  # seen {min(values)}..{max(values)}"


@dataclass(kw_only=True)
class Guess:
    """Reads all instances side by side; `known` holds each integer's value in each instance."""

    instances: Sequence[Instance]
    style: Style = field(default_factory=Style)
    known: dict[str, list[int]] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    names: Sequence[str] = NAMES
    inner: bool = False  # each instance is a line of one group
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
            if groups is not None and _is_grid(groups, self.known[columns]):
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
        if rows < 2 or groups is None or not _is_grid(groups, [columns] * len(self.at)):
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
            if groups is not None and self._tells(values) and _is_uniform(groups):
                found.append((not self._reaches_end(values), len(found), count, groups))
        for _, _, count, groups in sorted(found, key=lambda each: each[:2]):
            text = self._edges(count, groups) or (self._times(count, groups) if "-" not in count else None)
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
        inner = Guess(instances=lines, style=self.style, known=known, taken=set(self.taken), inner=True)
        try:
            text = inner.text().rstrip("\n")
        except NoGuess:
            return None
        line, _, comment = text.partition("  #")
        return f"{count} times {{ {line} }}" + (f"  #{comment}" if comment else "")

    def _edges(self, count: str, groups: list[Instance]) -> str | None:
        rows = [[line.split(b" ") for line in group] for group in groups]
        if not all(len(row) in (2, 3) and all(map(is_integer, row)) for group in rows for row in group):
            return None
        edges = [[tuple(map(int, row)) for row in group] for group in rows]
        base = 0 if any(0 in edge[:2] for group in edges for edge in group) else 1
        for name, sizes in self.known.items():
            inside = all(
                base <= edge[0] < base + size and base <= edge[1] < base + size and edge[0] != edge[1]
                for group, size in zip(edges, sizes, strict=True)
                for edge in group
            )
            if not inside or name == count or max(sizes) < 2:
                continue
            hang = all(components(size, group, base) == 1 for group, size in zip(edges, sizes, strict=True))
            rising = sum(map(len, edges)) > 2 and all(edge[0] < edge[1] for group in edges for edge in group)
            if hang or not rising:  # else: spans from l to r
                return self._edges_text(name, count, edges, (", base=0" if base == 0 else "", hang))
        return None

    def _edges_text(
        self, name: str, count: str, edges: list[list[tuple[int, ...]]], found: tuple[str, bool]
    ) -> str:
        base, connected = found
        weights = [edge[2] for group in edges for edge in group if len(edge) == 3]
        options = base + (f", weight={self.style.range(weights)}" if weights else "")
        if connected and count == f"{name}-1":
            return f"tree({name}{options})" + self.style.comment(weights)
        simple = all(is_simple(group, directed=False) for group in edges)
        flags = (", connected" if connected else "") + (", simple" if simple else "")
        return f"graph({name}, {count}{flags}{options})" + self.style.comment(weights)

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
        numbers = all(is_integer(token) for row in rows for token in row)
        for count, values in self._counters():
            right = [len(row) for row in rows] == values and max(values) >= self.style.least
            if right and ("-" not in count or (numbers and not self.inner)):
                return self._array_text(count, values, rows)
        length = len(rows[0])
        if length >= MANY and all(len(row) == length and all(map(is_integer, row)) for row in rows):
            return self._array_text(str(length), [length] * len(rows), rows)
        return None

    def _array_text(self, count: str, values: list[int], rows: list[list[bytes]]) -> str:
        if not all(is_integer(token) for row in rows for token in row):
            words = [token for row in rows for token in row]
            return f"{count} * (string(1..{max(map(len, words))}, {self.style.alphabet(words)}))"
        numbers = [[int(token) for token in row] for row in rows]
        ordered = all(
            sorted(row) == list(range(1, length + 1)) for row, length in zip(numbers, values, strict=True)
        )
        if ordered and max(values) > 2 and not self.style.letters:
            return f"permutation({count})"
        flat = [value for row in numbers for value in row]
        return f"{count} * ({self._range(numbers)})" + self.style.comment(flat)

    def _range(self, numbers: list[list[int]]) -> str:
        name = None if self.style.letters else upper_name(numbers, self.known)
        return f"1..{name}" if name else self.style.range([value for row in numbers for value in row])

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
        for name, values in self.known.items():
            if [len(word) for word in column] == values and max(values) > 1:
                return f"(string({name}, {self.style.alphabet(column)}))"
        words = sorted(set(column))
        repeats = len(words) < len(column) or all(len(word) > 1 and not word.islower() for word in words)
        if len(words) <= 4 and repeats and not self.style.letters:
            return "|".join(map(quoted_text, words))
        longest = max(map(len, column)) if not self.style.letters else 10**6
        return f"(string(1..{longest}, {self.style.alphabet(column)}))"


def _is_grid(groups: Sequence[Instance], columns: Sequence[int]) -> bool:
    """Whether each group is full lines of one length without spaces, and they are not just numbers."""
    right = all(
        len(line) == width and b" " not in line
        for group, width in zip(groups, columns, strict=True)
        for line in group
    )
    lines = [line for group in groups for line in group]
    numbers = all(map(is_integer, lines))
    digits = max(map(len, lines), default=0) > 1 and set(b"".join(lines)) <= set(b"01")
    return right and bool(lines) and (digits or not numbers)


def _is_uniform(groups: Sequence[Instance]) -> bool:
    """Whether the lines of an instance have the same kinds of words in the same places, or are all `k` and k words."""
    tables = [[line.split(b" ") for line in group] for group in groups]
    own = all(is_integer(row[0]) and int(row[0]) == len(row) - 1 for table in tables for row in table)
    return own or all(len({tuple(map(is_integer, row)) for row in table}) <= 1 for table in tables)
