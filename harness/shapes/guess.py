"""Guess the shape that several instances have in common, line by line or group of lines by group."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, pairwise, product

from harness.shapes.graphs import components, is_acyclic, is_simple
from harness.shapes.guess_ranges import (
    is_integer,
    is_number,
    letters_text,
    likely_bound,
    marks_text,
    numbers_text,
    quoted_text,
    seen_text,
)
from harness.shapes.guess_rules import (
    Choices,
    Instance,
    are_sentences,
    forms_of,
    is_grid,
    is_square,
    is_uniform,
    own_count,
)
from harness.shapes.guess_words import LineGuess, NoGuess
from harness.values import dataclass

_WEIGHTED = 3  # words of an edge with a weight
_TELLING = 4  # rising edges that are no accident
_RINGS = 2  # rings without a directed cycle that are no accident

Pairs = list[list[tuple[int, int]]]  # the edges of each instance


@dataclass(frozen=True, kw_only=True)
class _Repetition:
    """A reading of the next lines as repeated lines.

    joined_by, vertices: if it is a tree or graph, the integers that count edges and vertices.
    """

    text: str
    groups: list[Instance]
    joined_by: str = ""
    vertices: str = ""


@dataclass(kw_only=True)
class Guess(LineGuess):
    """Guess a shape by reading all instances in parallel."""

    instances: Sequence[Instance]
    head: int = 0  # first lines that are not repeated lines, whatever the first number counts
    choices: Choices | None = None  # None: always the first reading
    grids: bool = True  # whether lines of equal length may be a grid

    def text(self) -> str | None:
        """Return the lines of the shape; None: no shape describes what the instances have in common."""
        try:
            return self._text_of_lines()
        except NoGuess:
            return None

    def _text_of_lines(self) -> str:
        self.at = [0] * len(self.instances)
        lines: list[str] = []
        rules: tuple[Callable[[], str | None], ...] = (self._grid, self._repeats, self._fixed_grid, self._line)
        rules = rules[-1:] if self.inner else (self._counted, *rules[1:]) if self.across else rules
        while any(self._left()):
            usable = rules[-1:] if len(lines) < self.head else rules
            line = next((text for text in (rule() for rule in usable) if text is not None), None)
            if line is None:
                raise NoGuess
            lines.append(line)
        return "".join(f"{line}\n" for line in lines)

    def _counted(self) -> str | None:
        """Read a line that has as many words as an earlier integer says."""
        lengths = [len(row) for row in self._next_rows()]
        return self._line() if lengths in self.integers.values() else None

    def _left(self) -> list[int]:
        """Return how many lines of each instance are not read yet."""
        return [len(lines) - at for at, lines in zip(self.at, self.instances, strict=True)]

    def _next(self, counts: Sequence[int]) -> list[Instance] | None:
        """Return this many next lines of each instance; None: one has fewer."""
        if not all(0 <= count <= left for count, left in zip(counts, self._left(), strict=True)):
            return None
        return [lines[at : at + count] for at, count, lines in zip(self.at, counts, self.instances, strict=True)]

    def _next_rows(self) -> list[list[bytes]]:
        """Return the words of the next line of each instance; empty if one has no more lines."""
        groups = self._next([1] * len(self.at)) or ()
        return [line.split(b" ") if line else [] for [line] in groups]

    def _advance(self, counts: Sequence[int]) -> None:
        self.at = [at + count for at, count in zip(self.at, counts, strict=True)]

    def _grid(self) -> str | None:
        if not self.grids:
            return None
        names = list(reversed(self.integers))
        beside = [(rows, columns) for columns, rows in pairwise(names)]
        for rows, columns in [*beside, *product(names, names)]:
            groups = self._next(self.integers[rows])
            if groups is not None and is_grid(groups, self.integers[columns], lone=self.plain):
                return self._grid_text(rows, columns, groups)
        return None

    def _fixed_grid(self) -> str | None:
        first = self._next([1] * len(self.at)) or ()
        sizes = {(left, len(line)) for left, [line] in zip(self._left(), first, strict=False)}
        if not self.grids or len(sizes) != 1:
            return None
        rows, columns = sizes.pop()
        groups = self._next([rows] * len(self.at))
        if rows < 2 or groups is None or not is_grid(groups, [columns] * len(self.at)):
            return None
        return self._grid_text(str(rows), str(columns), groups)

    def _grid_text(self, rows: str, columns: str, groups: list[Instance]) -> str:
        self._advance([len(group) for group in groups])
        grids = [b"".join(group) for group in groups]
        return f"grid({rows}, {columns}, {letters_text(grids)}{marks_text(grids)})"

    def _repeats(self) -> str | None:
        """Read lines of one kind, as many as an earlier integer says."""
        readings = self._repetitions()
        if self.choices is None:
            taken = next(readings, None)
        else:
            every = list(readings)
            taken = every[self.choices.pick(len(every))] if every else None
        if taken is None:
            return None
        self.joined_by = self.joined_by or taken.joined_by
        self.vertices = self.vertices or taken.vertices
        self._advance([len(group) for group in taken.groups])
        return taken.text

    def _repetitions(self) -> Iterator[_Repetition]:
        """Yield the readings of the next lines as repeated lines, the likeliest first."""
        readings: list[tuple[bool, int, str, list[Instance]]] = []
        for count, values in self._counters():
            groups = self._next(values)
            if groups is None or not self._tells(values, groups):
                continue
            if is_uniform(groups) or forms_of([line for group in groups for line in group]):
                first = ("-" not in count and is_square(values, groups)) or self._leaves_another(values)
                index = -len(readings) if first else len(readings)  # rows are counted before columns
                readings.append((self._left() != values, index, count, groups))
        for *_, count, groups in sorted(readings, key=lambda each: each[:2]):
            edges = self._edges(count, groups)
            text = self._lines_of(count, groups) if edges is None and "-" not in count else None
            if edges is not None:
                yield edges
            elif text is not None:
                yield _Repetition(text=text, groups=groups)

    def _leaves_another(self, values: Sequence[int]) -> bool:
        """Return whether another integer counts the lines after these: n lines of one kind, then m of another."""
        left = [lines - value for lines, value in zip(self._left(), values, strict=True)]
        return max(left) > 1 and left in self.integers.values()

    def _edges(self, count: str, groups: list[Instance]) -> _Repetition | None:
        if self.joined_by and (count != self.joined_by or any(line.count(b" ") > 1 for line in chain(*groups))):
            return None  # a second graph has as many edges as the first, and no weights
        names = [*self.integers, ""]
        beside = self.integers.get(names[names.index(count) + 1]) if count in names[:-1] else None
        if beside and {len(line.split(b" ")) for group in groups for line in group} == set(beside) == {_WEIGHTED}:
            return None  # n lines of m numbers
        return _edges_of(self.integers, count, groups, at_once=set(self.at) == {1} or count == self.joined_by)

    def _tells(self, values: list[int], groups: Sequence[Instance]) -> bool:
        """Return whether that an integer is the number of these lines is no coincidence.

        A single line after a 1 may be one: only if some sample has several lines, or none, is it sure. Samples that
        all are a 1 and one line of several words count, too.
        """
        if self._are_single(values) and self._left() == values and all(b" " in line for [line] in groups):
            return True
        return max(values) >= 2 or min(values) == 0 < max(values)

    def _lines_of(self, count: str, groups: list[Instance]) -> str | None:
        lines = [[line] for group in groups for line in group]
        integers = {
            name: [value for value, group in zip(values, groups, strict=True) for _ in group]
            for name, values in self.integers.items()
        }
        forms = forms_of([line for [line] in lines]) if not _is_matrix(lines, integers) else None
        text = (
            self._inner(lines, integers, count) if forms is None else self._either(forms, lines, integers, count)
        )
        if text is None:
            return None
        line, _, comment = text.partition("  #")
        return f"{count} times {{ {line} }}" + (f"  #{comment}" if comment else "")

    def _inner(
        self, lines: Sequence[Instance], integers: dict[str, list[int]], count: str, likely: str = ""
    ) -> str | None:
        inner = Guess(
            instances=lines,
            integers=integers,
            taken=set(self.taken),
            repeats=count,
            likely=likely,
            plain=self.plain,
            joined_by=self.joined_by,
            vertices=self.vertices,
        )
        text = inner.text()
        return text.rstrip("\n") if text is not None else None

    def _either(
        self,
        forms: dict[bytes, list[list[bytes]]],
        lines: Sequence[Instance],
        integers: dict[str, list[int]],
        count: str,
    ) -> str | None:
        """Read lines of several forms, each form guessed separately."""
        texts, likely = [], likely_bound([line.split(b" ") for [line] in lines], integers)
        for head, rows in forms.items():
            places = [index for index, [line] in enumerate(lines) if line.split(b" ")[0] == head]
            mine = {name: [values[index] for index in places] for name, values in integers.items()}
            text = self._inner([[b" ".join(row)] for row in rows], mine, count, likely) if rows[0] else ""
            if text is None:
                return None
            word = head.decode() if is_integer(head) else quoted_text(head)
            texts.append(f"{{ {word} {text.partition('  #')[0]}".rstrip() + " }")
        return f"either {' or '.join(texts)}"

    def _line(self) -> str | None:
        rows = self._next_rows()
        if not rows:
            return None
        self._advance([1] * len(self.at))
        if self._are_own_counts(rows):
            self.owns = True
            return self._own_count(rows)
        whole = self._array(rows)
        if whole is not None:
            return whole
        lengths = {len(row) for row in rows}
        if lengths == {0}:
            return '""'
        if len(lengths) == 1 and (self.inner or not are_sentences(rows)):
            return self._scalars(rows)
        return self._own_count(rows) or self._text(rows)

    def _are_own_counts(self, rows: list[list[bytes]]) -> bool:
        """Return whether the first word of each row counts its other words, and an earlier integer hardly does."""
        if self.inner or len(rows) < 2 or own_count(rows) != (0, 1):
            return False
        following = self._next_rows()
        again = bool(following) and own_count(following) == (0, 1)
        alone = not self.integers and not following and len(rows[0]) > _WEIGHTED
        return self.owns or again or alone


def lines_of_forms(lines: Sequence[bytes]) -> str | None:
    """Return the text for lines of several forms that no integer counts; None: they are of one form, or unlike."""
    forms = forms_of(lines) if lines else None
    instances = [[line] for line in lines]
    return (
        None if forms is None else Guess(instances=instances, repeats="end")._either(forms, instances, {}, "end")
    )


def _is_matrix(lines: Sequence[Instance], integers: dict[str, list[int]]) -> bool:
    """Return whether all lines are 0s and 1s, more than two, and as many as an earlier integer says."""
    rows = [line.split(b" ") for [line] in lines]
    lengths = [len(row) for row in rows]
    bits = {token for row in rows for token in row} <= {b"0", b"1"}
    return bits and min(lengths) > 2 and lengths in integers.values()


def _edges_of(
    integers: Mapping[str, Sequence[int]], count: str, groups: list[Instance], *, at_once: bool
) -> _Repetition | None:
    """Return the tree or graph whose `count` edges are these lines; None: they are not edges.

    at_once: they follow the first line, or another graph with as many edges: so they are no ranges `l r` of an array.
    """
    rows = [[line.split(b" ") for line in group] for group in groups]
    every = [row for group in rows for row in group]
    if {len(row) for row in every} not in ({2}, {3}):
        return None
    if not all(all(map(is_integer, row[:2])) and is_number(row[-1]) for row in every):
        return None
    weights = [row[2] for row in every if len(row) == 3]
    edges = [[(int(row[0]), int(row[1])) for row in group] for group in rows]
    base = 0 if any(0 in edge for group in edges for edge in group) else 1
    for name, sizes in integers.items():
        if name == count or max(sizes) < 2 or not _are_inside(edges, sizes, base):
            continue
        hang = all(components(size, group, base) == 1 for group, size in zip(edges, sizes, strict=True))
        rising = all(edge[0] < edge[1] for group in edges for edge in group)
        if hang or not rising or at_once:  # else: spans from l to r
            options = (", base=0" if base == 0 else "") + (f", weight={numbers_text(weights)}" if weights else "")
            seen = seen_text(list(map(int, weights))) if all(map(is_integer, weights)) else ""
            text = _call(name, count, edges, options, hang=hang) + seen
            return _Repetition(text=text, groups=groups, joined_by=count, vertices=name)
    return None


def _rings(edges: Sequence[tuple[int, int]]) -> int:
    """Count the edges beyond a spanning forest. Each closes a ring; of random directions some ring is a cycle."""
    vertices = sorted({vertex for edge in edges for vertex in edge})
    label = {vertex: number for number, vertex in enumerate(vertices)}
    pairs = [(label[start], label[end]) for start, end in edges]
    return len(pairs) - len(vertices) + components(len(vertices), pairs, 0)


def _are_inside(edges: Pairs, sizes: Sequence[int], base: int) -> bool:
    return all(
        base <= min(edge) and max(edge) < base + size and edge[0] != edge[1]
        for group, size in zip(edges, sizes, strict=True)
        for edge in group
    )


def _call(name: str, count: str, edges: Pairs, options: str, *, hang: bool) -> str:
    if hang and count == f"{name}-1":
        return f"tree({name}{options})"
    simple = all(is_simple(group, directed=False) for group in edges)
    flags = (", connected" if hang else "") + (", simple" if simple else "")
    every = [edge for group in edges for edge in group]
    if len(every) >= _TELLING and all(start < end for start, end in every):
        flags += ", rising"
    elif sum(map(_rings, edges)) >= _RINGS and all(map(is_acyclic, edges)):
        flags += ", acyclic"
    return f"graph({name}, {count}{flags}{options})"
