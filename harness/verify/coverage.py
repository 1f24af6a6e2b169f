"""Measure which bounds and special classes of a shape the inputs reach; draw inputs just beyond a bound."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from random import Random

from harness.shapes import ShapeError, draw, parsed, write
from harness.shapes.expressions import Env, Number
from harness.shapes.kinds import (
    Array,
    Block,
    Choice,
    Edges,
    Grid,
    Integer,
    Item,
    Part,
    Permutation,
    Record,
    Shape,
    String,
    Times,
    Word,
)
from harness.values import dataclass

_SEVERAL_LINES: Mapping[type, str] = {Grid: "the grid", Edges: "the edges"}
_LINES_BEFORE: Mapping[type, str] = {**_SEVERAL_LINES, Choice: "the line of several forms"}
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
DRAWN_SIZE = 60
MOST_DRAWN_BYTES = 4 << 20


@dataclass(kw_only=True)
class Reach:
    """The range of values that a number of the shape takes in the cases.

    bound: `low..high` if these are fixed; else empty. lowest, highest: the least and the greatest value of all cases.
    at_low, at_high: the first case that reaches the minimum, and the maximum.
    """

    name: str
    bound: str
    lowest: int | None = None
    highest: int | None = None
    at_low: str | None = None
    at_high: str | None = None

    def add(self, value: int, low: int, high: int, case: str) -> None:
        """Add a value of a case in which the bounds are `low` and `high`."""
        self.lowest = value if self.lowest is None else min(self.lowest, value)
        self.highest = value if self.highest is None else max(self.highest, value)
        if value == low:
            self.at_low = self.at_low or case
        if value == high:
            self.at_high = self.at_high or case


@dataclass(kw_only=True)
class Coverage:
    """The bounds and special classes that the cases reach.

    reaches: by the name of the number. classes: kinds of inputs that setters forget: name → first such case, or None.
    guessed: the names of the shape are guesses, so that all is named by its line.
    """

    guessed: bool = False

    reaches: dict[str, Reach] = field(default_factory=dict)
    classes: dict[str, str | None] = field(default_factory=dict)

    def add(self, shape: Shape, value: Record, case: str) -> None:
        """Add the input of a case."""
        self._block(shape.block, value, {}, case, "")

    def _block(self, block: Block, record: Record, outer: Mapping[str, int], case: str, within: str) -> None:
        env = dict(outer)
        for item, name, part in zip(block.items, _names(block, self.guessed), record.parts, strict=True):
            if _is_hidden(item):
                continue
            self._item(item, part, env, case, within + name)
            if isinstance(item, Integer) and item.name:
                env[item.name] = part

    def _item(self, item: Item, part: Part, env: Env, case: str, location: str) -> None:  # noqa: PLR0912 (a case a kind)
        """Add a part of an input. env: the integers read so far. location: the name of the part."""
        match item:
            case Integer():
                self._number(location, part, item, env, case)
            case Word():
                if len(item.words) > 1:
                    for word in item.words:
                        self._class(f"{location} is `{word.decode(errors='replace')}`", part == word, case)
            case String():
                self._number(f"length of {location}", len(part), item, env, case)
            case Array():
                self._array(item, part, env, case, location)
            case Permutation():
                self._class(f"{location} in order", list(part) == sorted(part), case)
                self._class(
                    f"{location} in reverse", len(part) > 1 and list(part) == sorted(part, reverse=True), case
                )
            case Grid():
                self._grid(item, part, env, case, location)
            case Edges():
                if item.weight is not None:
                    for weight in _extremes(item.weight, [edge[2] for edge in part]):
                        self._number(f"weight in {location}", weight, item.weight, env, case)
            case Times():
                for record in part:
                    self._block(item.block, record, env, case, within=location)
            case Choice():
                form = f"{location}form {part.form + 1} "
                self._class(form.rstrip(), True, case)
                self._block(item.blocks[part.form], part, env, case, within=form)

    def _array(self, item: Array, part: Part, env: Env, case: str, location: str) -> None:
        for value in _extremes(item.item, part):
            self._item(item.item, value, env, case, f"item of {location}")
        if isinstance(item.item, Integer):
            self._class(f"{location} all equal", len(part) > 1 and len(set(part)) == 1, case)

    def _grid(self, grid: Grid, rows: Part, env: Env, case: str, location: str) -> None:
        """Add a grid: cells that are all or none of a filler, and the numbers of its marks."""
        cells = b"".join(rows)
        for letter in grid.fillers:
            if letter in grid.border:
                continue  # every grid has this letter
            sign = chr(letter)
            others = cells.translate(None, bytes([letter]) + grid.marks + grid.border)
            self._class(f"{location} with no `{sign}`", letter not in cells, case)
            if len(grid.fillers) > 1:
                self._class(f"{location} with no filler but `{sign}`", letter in cells and not others, case)
        for count in grid.counts:
            if count.same:
                continue
            low, high = count.low.value(env), count.high.value(env)
            number = sum(cells.count(letter) for letter in count.letters)
            name = f"number of `{count.letters.decode(errors='replace')}` in {location}"
            if low != high:
                self._reach(name, f"{low}..{high}" if _fixed(count) else "").add(number, low, high, case)

    def _number(self, location: str, value: int, item: Integer | String, env: Env, case: str) -> None:
        low, high = item.low.value(env), item.high.value(env)
        location += units(item)
        if low != high or not _fixed(item):
            self._reach(location, f"{low}..{high}" if _fixed(item) else "").add(value, low, high, case)

    def _reach(self, name: str, bound: str) -> Reach:
        return self.reaches.setdefault(name, Reach(name=name, bound=bound))

    def _class(self, name: str, holds: bool, case: str) -> None:
        self.classes.setdefault(name, None)
        if holds and self.classes[name] is None:
            self.classes[name] = case


def _extremes(item: Item, values: Sequence[Part]) -> Iterable[Part]:
    """Return the values that decide which bounds are reached: not all, since there may be millions."""
    match item:
        case Integer() if values:
            return (min(values), max(values))
        case String() if values:
            return (min(values, key=len), max(values, key=len))
        case Word():
            return set(values)
        case _:
            return values


def _fixed(item: object) -> bool:
    """Return whether the bounds are the same in every input."""
    return not getattr(item, "low").names and not getattr(item, "high").names  # noqa: B009 - of three classes


def units(item: Integer | String) -> str:
    """Return the suffix for the name of a number with decimal places: its values are stored as scaled integers."""
    return f" (times 10^{item.decimals})" if isinstance(item, Integer) and item.decimals else ""


def _names(block: Block, guessed: bool) -> Iterator[str]:
    """Yield a name for each item; an item without a name is named by its line and its position in the line.

    guessed: their names do not count.
    """
    number, after = 0, ""
    for line in block.lines:
        number, words, integers = number + 1, 0, 0
        location = f"line {number}{after}"
        alone = len(line) - sum(map(_is_hidden, line)) == 1
        for item in line:
            words += not _is_hidden(item)
            place = location if alone else f"item {words} of {location}"
            if guessed and isinstance(item, Integer) and not item.hidden:
                ordinal = "" if alone else f"{_ORDINALS[integers]} " if integers < len(_ORDINALS) else None
                place, integers = place if ordinal is None else f"{ordinal}integer of {location}", integers + 1
            yield _name(
                item,
                place,
                "" if guessed else item.name,
                each=f"repeated from {location}: " if guessed else "each ",
            )
        if line[-1].fills_lines:
            before = ("" if guessed else line[-1].name) or _LINES_BEFORE.get(type(line[-1]), "the repeated lines")
            number, after = 0, f" after {before}"


def _is_hidden(item: Item) -> bool:
    """Return whether the item is a number that the input does not contain."""
    return isinstance(item, Integer) and item.hidden


def _name(item: Item, location: str, name: str, *, each: str) -> str:
    """Return the name of an item. each: before the names of what is repeated."""
    if isinstance(item, Times):
        return each
    if isinstance(item, Choice):
        return ""
    return name or _SEVERAL_LINES.get(type(item), location)


@dataclass(frozen=True, kw_only=True)
class BeyondBound:
    """An input in which only the integer `name` is wrong: it is `value`, just beyond the limit `bound`."""

    name: str
    value: int
    bound: int
    content: bytes


def inputs_beyond_bounds(shape: Shape) -> Iterator[BeyondBound]:
    """For each integer with fixed bounds, draw an input just below its minimum and one just above its maximum."""
    for path, item in fixed_integers(shape.block):
        low, high = item.bounds({})
        for value, bound in ((low - 1, low), (high + 1, high)):
            content = _drawn(shape, path, value)
            if content is not None:
                name = (item.name or "a number") + units(item)
                yield BeyondBound(name=name, value=value, bound=bound, content=content)


def fixed_integers(block: Block, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Integer]]:
    """Yield the integers of a shape whose bounds are fixed, each with its path of indices through the blocks."""
    for index, item in enumerate(block.items):
        if isinstance(item, Integer) and _fixed(item) and not item.hidden:
            yield (*path, index), item
        elif isinstance(item, Times):
            yield from fixed_integers(item.block, (*path, index))


def _drawn(shape: Shape, path: tuple[int, ...], value: int) -> bytes | None:
    """Draw an input in which the integer at `path` is `value`; None if there is none, or if it fits the shape."""
    pinned = replace(shape, block=_pinned(shape.block, path, value))
    try:
        content = write(pinned, draw(pinned, Random(1), DRAWN_SIZE))  # noqa: S311 - reproducible, no secret
    except (ShapeError, ValueError):
        return None  # for example, a grid without rows cannot hold its marks
    if len(content) > MOST_DRAWN_BYTES:
        return None
    return content if parsed(shape, content) is None else None


def _pinned(block: Block, path: tuple[int, ...], value: int) -> Block:
    first, *rest = path
    item = pinned = block.items[first]
    if rest and isinstance(item, Times):
        pinned = replace(item, block=_pinned(item.block, tuple(rest), value))
    elif isinstance(item, Integer):
        pinned = replace(item, low=Number(amount=value), high=Number(amount=value))
    return block.mapped(lambda each: pinned if each is item else each)
