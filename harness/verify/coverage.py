"""What a package's inputs reach of their declared shape: each bound's minimum and maximum, and the odd classes."""

from collections.abc import Iterator, Mapping
from dataclasses import field

from harness.shapes.expressions import Env
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


@dataclass(kw_only=True)
class Reach:
    """How far the values of one place went. ends: the case that first met the minimum, and the maximum, of the place.

    lowest, highest: the least and the greatest value seen; bound: the place's own bounds where they are fixed.
    """

    place: str
    bound: str
    lowest: int | None = None
    highest: int | None = None
    at_low: str | None = None
    at_high: str | None = None

    def see(self, value: int, low: int, high: int, case: str) -> None:
        """One value of one case, whose bounds are here `low` and `high`."""
        self.lowest = value if self.lowest is None else min(self.lowest, value)
        self.highest = value if self.highest is None else max(self.highest, value)
        if value == low:
            self.at_low = self.at_low or case
        if value == high:
            self.at_high = self.at_high or case


@dataclass(kw_only=True)
class Coverage:
    """Everything seen. classes: what setters forget, with the first case of each, None while there is none."""

    reaches: dict[str, Reach] = field(default_factory=dict)
    classes: dict[str, str | None] = field(default_factory=dict)

    def see(self, shape: Shape, value: Record, case: str) -> None:
        """One input."""
        self._block(shape.block, value, {}, case, "")

    def _block(self, block: Block, record: Record, outer: Mapping[str, int], case: str, within: str) -> None:
        env = dict(outer)
        for number, (item, part) in enumerate(zip(block.items, record.parts, strict=True), start=1):
            place = within + _name(item, number)
            if isinstance(item, Integer) and item.hidden:
                continue  # no number of the input
            self._item(item, part, env, case, place)
            if isinstance(item, Integer) and item.name:
                env[item.name] = part

    def _item(self, item: Item, part: Part, env: Env, case: str, place: str) -> None:  # noqa: PLR0912 (a case a kind)
        match item:
            case Integer():
                self._number(place, part, item, env, case)
            case Word():
                if len(item.words) > 1:
                    for word in item.words:
                        self._class(f"{place} is `{word.decode(errors='replace')}`", part == word, case)
            case String():
                self._number(f"length of {place}", len(part), item, env, case)
            case Array():
                self._array(item, part, env, case, place)
            case Permutation():
                self._class(f"{place} in order", list(part) == sorted(part), case)
                self._class(
                    f"{place} in reverse", len(part) > 1 and list(part) == sorted(part, reverse=True), case
                )
            case Grid():
                self._grid(item, part, env, case, place)
            case Edges():
                if item.weight is not None:
                    for edge in part:
                        self._number(f"weight in {place}", edge[2], item.weight, env, case)
            case Times():
                for record in part:
                    self._block(item.block, record, env, case, within=place)
            case Choice():
                form = f"{place}form {part.form + 1} "
                self._class(form.rstrip(), True, case)
                self._block(item.blocks[part.form], part, env, case, within=form)

    def _array(self, item: Array, part: Part, env: Env, case: str, place: str) -> None:
        for value in part:
            self._item(item.item, value, env, case, f"item of {place}")
        if isinstance(item.item, Integer):
            self._class(f"{place} all equal", len(part) > 1 and len(set(part)) == 1, case)

    def _grid(self, grid: Grid, rows: Part, env: Env, case: str, place: str) -> None:
        cells = b"".join(rows)
        for letter in grid.fillers:
            if letter in grid.border:
                continue  # it is in every grid
            sign = chr(letter)
            others = cells.translate(None, bytes([letter]) + grid.marks + grid.border)
            self._class(f"{place} with no `{sign}`", letter not in cells, case)
            if len(grid.fillers) > 1:
                self._class(f"{place} with no filler but `{sign}`", letter in cells and not others, case)
        for count in grid.counts:
            if count.same:
                continue
            low, high = count.low.value(env), count.high.value(env)
            found = sum(cells.count(letter) for letter in count.letters)
            name = f"number of `{count.letters.decode(errors='replace')}` in {place}"
            if low != high:
                self._reach(name, f"{low}..{high}" if _fixed(count) else "").see(found, low, high, case)

    def _number(self, place: str, value: int, item: Integer | String, env: Env, case: str) -> None:
        low, high = item.low.value(env), item.high.value(env)
        place += units(item)
        if low != high or not _fixed(item):
            self._reach(place, f"{low}..{high}" if _fixed(item) else "").see(value, low, high, case)

    def _reach(self, place: str, bound: str) -> Reach:
        return self.reaches.setdefault(place, Reach(place=place, bound=bound))

    def _class(self, name: str, holds: bool, case: str) -> None:
        self.classes.setdefault(name, None)
        if holds and self.classes[name] is None:
            self.classes[name] = case


def _fixed(item: object) -> bool:
    """Whether the bounds depend on nothing that the input says."""
    return not getattr(item, "low").names and not getattr(item, "high").names  # noqa: B009 - of three classes


def units(item: Integer | String) -> str:
    """What to say of a number with decimal places, which is taken as an integer."""
    return f" (times 10^{item.decimals})" if isinstance(item, Integer) and item.decimals else ""


def _name(item: Item, number: int) -> str:
    if isinstance(item, Times):
        return "each "
    if isinstance(item, Choice):
        return ""
    return item.name or {Grid: "the grid", Edges: "the edges"}.get(type(item), f"item {number}")


def fixed_integers(block: Block, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Integer]]:
    """The integers of a shape whose bounds are fixed, each with the way to it through the blocks."""
    for number, item in enumerate(block.items):
        if isinstance(item, Integer) and _fixed(item) and not item.hidden:
            yield (*path, number), item
        elif isinstance(item, Times):
            yield from fixed_integers(item.block, (*path, number))
