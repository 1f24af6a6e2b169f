"""Grids of letters, with counts of some letters and perhaps a border."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import ClassVar, Self, TypeAlias

from harness.shapes.drawing import Drawer, Infeasible
from harness.shapes.expressions import Env, Expression, count_of
from harness.shapes.kinds.kind import Cut, Kind, Rank
from harness.shapes.kinds.words import ANY_LETTERS, joined_letters
from harness.shapes.reader import Reader, quoted
from harness.values import dataclass

_WALL = b"#"


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The size of a grid and of the free cells within its border."""

    rows: int
    columns: int
    border: bytes

    @property
    def height(self) -> int:
        """Return the number of rows within the border."""
        return max(0, self.rows - 2) if self.border else self.rows

    @property
    def width(self) -> int:
        """Return the number of columns within the border."""
        return max(0, self.columns - 2) if self.border else self.columns

    @property
    def cells(self) -> int:
        """Return the number of cells within the border."""
        return self.height * self.width

    def inner(self, rows: tuple[bytes, ...]) -> bytes:
        """Return the free cells, row by row."""
        return b"".join(row[1:-1] for row in rows[1:-1]) if self.border else b"".join(rows)

    def framed(self, cells: bytes) -> tuple[bytes, ...]:
        """Return the grid with these free cells."""
        width = self.width
        rows = tuple(cells[row * width : (row + 1) * width] for row in range(self.height))
        if not self.border:
            return rows
        edge = self.border * self.columns
        ends = self.border * min(2, self.columns)
        middle = tuple(ends[:1] + row + ends[1:] for row in rows)
        return (edge, *middle, edge)[: self.rows]


@dataclass(frozen=True, kw_only=True)
class MarkSum:
    """low ≤ Σ signs[i] · tally[i] ≤ high."""

    signs: tuple[int, ...]
    low: int
    high: int

    def interval(self, tally: Sequence[int], most: int) -> tuple[int, int]:
        """Return the range (low, high) of the next number, if each later number may be from 0 to `most`."""
        index = len(tally)
        sign = self.signs[index]
        if sign == 0:
            return 0, most
        partial = sum(sign * number for sign, number in zip(self.signs, tally, strict=False))
        later = self.signs[index + 1 :]
        low = self.low - partial - most * later.count(1)
        high = self.high - partial + most * later.count(-1)
        return (low, high) if sign > 0 else (-high, -low)


@dataclass(frozen=True, kw_only=True)
class Tallies:
    """The possible tallies of a grid's marks: for each of `letters` letters, how many of `cells` cells hold it."""

    sums: tuple[MarkSum, ...]
    letters: int
    cells: int

    def choices(self, tally: Sequence[int]) -> range:
        """Return the numbers that may follow those of `tally`; with some of them no full tally may exist."""
        spans = [each.interval(tally, self.cells) for each in self.sums]
        low, high = max((0, *(low for low, _ in spans))), min((self.cells, *(high for _, high in spans)))
        return range(low, high + 1)

    def nearest(self, tally: tuple[int, ...], number: int) -> int | None:
        """Return the number nearest to `number` (lower first) that can extend `tally` to a full tally, or None."""
        span = self.choices(tally)
        lower, higher = range(min(number, span.stop - 1), span.start - 1, -1), range(number + 1, span.stop)
        possible = (each for each in (*lower, *higher) if next(self.all((*tally, each)), None) is not None)
        return next(possible, None)

    def all(self, tally: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
        """Yield all tallies that begin with `tally`, the smallest first."""
        if len(tally) == self.letters:
            yield tally
            return
        for number in self.choices(tally):
            yield from self.all((*tally, number))


Rows: TypeAlias = tuple[bytes, ...]
_DENSITIES = (0, 8, 24, 48, 64, 80, 104, 128, 200)  # parts of 256: cells that are not the first letter


@dataclass(frozen=True, kw_only=True)
class Count:
    """A rule: low to high cells hold one of `letters`; or, if `same` is not empty, as many as hold one of `same`."""

    letters: bytes
    low: Expression
    high: Expression
    same: bytes = b""

    def fault(self, cells: bytes, env: Env) -> str | None:
        """Return how the cells break the rule; None if they keep it."""
        number = _occurrences(cells, self.letters)
        if self.same:
            other = _occurrences(cells, self.same)
            same = f"expected as many {quoted(self.letters)} as {quoted(self.same)}, found {number} and {other}"
            return None if number == other else same
        low, high = self.low.value(env), self.high.value(env)
        if low <= number <= high:
            return None
        wanted = f"exactly {low}" if low == high else f"{low} to {high}"
        return f"expected {wanted} of {quoted(self.letters)}, found {number}"


@dataclass(frozen=True, kw_only=True)
class Grid(Kind[Rows]):
    """`rows` lines of `columns` cells; with a border, all outermost cells are the border's letter.

    Counts refer to the cells within the border.
    """

    fills_lines: ClassVar[bool] = True

    rows: Expression
    columns: Expression
    alphabet: bytes
    counts: tuple[Count, ...] = ()
    border: bytes = b""

    @property
    def marks(self) -> bytes:
        """Return the letters that some count limits, in alphabet order."""
        limited = b"".join(count.letters + count.same for count in self.counts)
        return bytes(letter for letter in self.alphabet if letter in limited)

    @property
    def fillers(self) -> bytes:
        """Return the letters that no count limits."""
        marks = self.marks
        return bytes(letter for letter in self.alphabet if letter not in marks)

    def frame(self, env: Env) -> Frame:
        """Return the frame of a grid with the sizes that `env` gives."""
        return Frame(rows=count_of(self.rows, env), columns=count_of(self.columns, env), border=self.border)

    def frame_around(self, rows: Rows) -> Frame:
        """Return the frame of these rows."""
        return Frame(rows=len(rows), columns=len(rows[0]) if rows else 0, border=self.border)

    def tallies(self, cells: int, env: Env) -> Tallies:
        """Return the tallies of marks that the counts allow in this many cells."""
        marks = self.marks
        sums = [
            MarkSum(
                signs=tuple((letter in count.letters) - (letter in count.same) for letter in marks),
                low=count.low.value(env),
                high=count.high.value(env),
            )
            for count in self.counts
        ]
        least = 0 if self.fillers else cells
        sums.append(MarkSum(signs=(1,) * len(marks), low=least, high=cells))
        return Tallies(sums=tuple(sums), letters=len(marks), cells=cells)

    def read(self, reader: Reader, env: Env) -> Rows:
        rows, columns = count_of(self.rows, env), count_of(self.columns, env)
        size = rows * (columns + 1)
        block = reader.data[reader.at : reader.at + size]
        ends = block[columns :: columns + 1]
        cells_are_right = not block.translate(None, self.alphabet + b"\n")
        if len(block) == size and ends == b"\n" * rows == b"\n" * block.count(b"\n") and cells_are_right:
            reader.at += size
            return tuple(block.split(b"\n")[:rows])
        return tuple(self._row(reader, columns, row) for row in range(1, rows + 1))

    def _row(self, reader: Reader, columns: int, number: int) -> bytes:
        row = reader.data[reader.at : reader.at + columns]
        strangers = row.translate(None, self.alphabet)
        if strangers or len(row) < columns:
            reader.at += row.find(strangers[:1]) if strangers else len(row)
            name = self.name or "the grid"
            reader.expected(f"row {number} of {name}, {columns} letters of {quoted(self.alphabet)}")
        reader.at += columns
        reader.newline()
        return row

    def write(self, part: Rows, lines: list[bytes]) -> None:
        lines.extend(part)

    def values(self, env: Env, size: int) -> Iterator[Rows]:
        frame = self.frame(env)
        if size == frame.rows * frame.columns:
            for tally in self.tallies(frame.cells, env).all():
                yield from self._filled(frame, tally)

    def _filled(self, frame: Frame, tally: tuple[int, ...]) -> Iterator[Rows]:
        marks, fillers = self.marks, self.fillers
        for cells, free in _marked(bytearray(frame.cells), tuple(range(frame.cells)), marks, tally):
            for letters in product(fillers, repeat=len(free)):
                for at, letter in zip(free, letters, strict=True):
                    cells[at] = letter
                yield frame.framed(bytes(cells))

    def rank(self, part: Rows, env: Env) -> Rank:
        frame = self.frame_around(part)
        cells = frame.inner(part)
        letters = sum(index * cells.count(letter) for index, letter in enumerate(self.alphabet))
        if letters == 0:
            return (frame.rows * frame.columns, 0, 0)
        free, width, height = self.alphabet[:1], frame.width, frame.height
        down = sum(at * (width - cells.count(free, at * width, (at + 1) * width)) for at in range(height))
        right = sum(at * (height - cells[at::width].count(free)) for at in range(width))
        return (frame.rows * frame.columns, letters, down + right)

    def tightened(self, scope: Sequence[str]) -> Iterator[Self]:
        """Yield the grid with a wall all around; other letters stand along a border by chance."""
        if not self.border and _WALL in self.alphabet:
            yield replace(self, border=_WALL)

    def loosest(self) -> "Grid":
        return replace(self, alphabet=joined_letters(self.alphabet, ANY_LETTERS), counts=(), border=b"")

    def fits(self, part: Rows, env: Env) -> bool:
        columns = count_of(self.columns, env)
        has_size = len(part) == count_of(self.rows, env) and all(len(row) == columns for row in part)
        return has_size and self.fault(part, env) is None

    def fault(self, part: Rows, env: Env) -> str | None:
        name = self.name or "the grid"
        if self.border and not _has_border(self.border, part):
            return f"expected {quoted(self.border)} all along the border of {name}"
        if not self.counts:
            return None
        cells = self.frame_around(part).inner(part)
        faults = (count.fault(cells, env) for count in self.counts)
        return next((f"{name}: {fault}" for fault in faults if fault), None)

    @property
    def lengths(self) -> tuple[Expression, ...]:
        return (self.rows, self.columns)

    @property
    def expressions(self) -> tuple[Expression, ...]:
        limits = (limit for count in self.counts for limit in (count.low, count.high))
        return (self.rows, self.columns, *limits)

    def least_cells(self, env: Env) -> int:
        return count_of(self.rows, env) * count_of(self.columns, env)

    def cut(self, part: Rows, cut: Cut) -> Rows:
        top, bottom = self._within_border(*cut.span(self.rows))
        left, right = self._within_border(*cut.span(self.columns))
        kept = (*part[:top], *part[bottom:])
        plain = tuple(row[:left] + row[right:] for row in kept)
        if not self.counts or self.fault(plain, cut.after) is None:
            return plain
        return self._with_marks(part, plain, (top, bottom), (left, right))

    def _within_border(self, start: int, end: int) -> tuple[int, int]:
        return (start + 1, end + 1) if self.border and start == 0 and end > 0 else (start, end)

    def _with_marks(self, rows: Rows, plain: Rows, down: tuple[int, int], across: tuple[int, int]) -> Rows:
        """Return `plain` with the marks of cut cells moved to the nearest remaining cells."""
        edge = 1 if self.border else 0
        frame = self.frame_around(plain)
        cells = [bytearray(row) for row in plain]
        marks = self.marks.replace(self.alphabet[:1], b"")
        for number, row in enumerate(rows):
            for at, letter in enumerate(row) if row.translate(None, self.fillers) else ():
                lost = down[0] <= number < down[1] or across[0] <= at < across[1]
                if lost and letter in marks and frame.cells:
                    row_at = max(edge, min(_moved(number, down), frame.rows - 1 - edge))
                    cells[row_at][max(edge, min(_moved(at, across), frame.columns - 1 - edge))] = letter
        return tuple(map(bytes, cells))

    def draw(self, drawer: Drawer, env: Env, budget: int) -> Rows:
        bits, frame = drawer.bits, self.frame(env)
        if self.border and min(frame.rows, frame.columns) < 2:
            raise Infeasible
        tally = self._drawn_tally(drawer, frame.cells, env)
        cells = bytearray(bits.bytes(frame.cells).translate(self._letter_table(drawer)))
        places = bits.sample(frame.cells, sum(tally))
        for letter, number in zip(self.marks, tally, strict=True):
            for _ in range(number):
                cells[places.pop()] = letter
        return frame.framed(bytes(cells))

    def _letter_table(self, drawer: Drawer) -> bytes:
        """Map a uniform byte to a letter: the first letter, except for a random density of others."""
        fillers = self.fillers or self.alphabet
        others = fillers[1:]
        dense = drawer.bits.style.choice(_DENSITIES) if others else 0
        return bytes(others[byte % len(others)] if byte < dense else fillers[0] for byte in range(256))

    def _drawn_tally(self, drawer: Drawer, cells: int, env: Env) -> tuple[int, ...]:
        tallies = self.tallies(cells, env)
        tally: tuple[int, ...] = ()
        for _ in range(tallies.letters):
            choices = tallies.choices(tally)
            number = tallies.nearest(tally, drawer.bits.small(choices[0], choices[-1])) if choices else None
            if number is None:
                raise Infeasible
            tally = (*tally, number)
        return tally


def _has_border(letter: bytes, rows: Rows) -> bool:
    ends = all(row[:1] == letter == row[-1:] for row in rows)
    return ends and not (rows[0] + rows[-1]).strip(letter) if rows else True


def _occurrences(cells: bytes, letters: bytes) -> int:
    return sum(cells.count(letter) for letter in letters)


def _moved(index: int, span: tuple[int, int]) -> int:
    if index < span[0]:
        return index
    return index - (span[1] - span[0]) if index >= span[1] else span[0]


def _marked(
    cells: bytearray, free: tuple[int, ...], marks: bytes, tally: tuple[int, ...]
) -> Iterator[tuple[bytearray, tuple[int, ...]]]:
    """Yield every way to set the marks, as the cells and the remaining indexes."""
    if not marks:
        yield cells, free
        return
    for places in combinations(free, tally[0]):
        for at in places:
            cells[at] = marks[0]
        taken = set(places)
        yield from _marked(cells, tuple(at for at in free if at not in taken), marks[1:], tally[1:])
