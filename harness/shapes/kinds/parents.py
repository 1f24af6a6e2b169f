"""Rooted trees and forests as a line of parents."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from typing import Self

from harness.shapes.drawing import Bits, Drawer
from harness.shapes.expressions import Env, Expression, Number, count_of
from harness.shapes.graphs import is_acyclic
from harness.shapes.kinds.array import Array
from harness.shapes.kinds.integer import ANY_INTEGER, Integer
from harness.shapes.kinds.kind import Cut, Rank, Row
from harness.shapes.kinds.permutation import Numbers
from harness.shapes.reader import Reader
from harness.shapes.steps import Steps, in_chunks, lowered
from harness.values import dataclass

Above = list[int | None]  # the parent of each vertex, vertices counted from 0; None: it is a root
FEW = 40  # parents, for passes that try other vertices for each parent


@dataclass(frozen=True, kw_only=True)
class Parents(Row):
    """A rooted tree as `count` numbers: each vertex's parent, which is an earlier vertex unless `anywhere`.

    root: the number printed for a root; None: the first vertex is the root, and is not printed.
    forest: there may be several roots.
    """

    vertices: Expression
    base: int = 1
    root: int | None = None
    anywhere: bool = False
    forest: bool = False

    def above_of(self, part: Sequence[int]) -> Above:
        """Return the parent of each vertex."""
        above: Above = [None if number == self.root else number - self.base for number in part]
        return [None, *above] if self.root is None else above

    def numbered(self, above: Above) -> Numbers:
        """Return the line of parents."""
        printed = above[1:] if self.root is None else above
        root = self.base if self.root is None else self.root
        return tuple(root if parent is None else parent + self.base for parent in printed)

    def read_items(self, reader: Reader, env: Env, count: int) -> Numbers:
        low = self.base if self.root is None else min(self.base, self.root)
        return reader.integers(self.name, count, low, self.base + count_of(self.vertices, env) - 1)

    def relaxed(self, flag: str) -> Array | Self:
        if flag not in ("once", "numbers"):
            return self
        item = Integer(low=Number(amount=self.base), high=self.vertices)
        return Array(name=self.name, count=self.count, item=item.unbound() if flag == "numbers" else item)

    def loosest(self) -> Array:
        return Array(name=self.name, count=self.count, item=ANY_INTEGER)

    def values(self, env: Env, size: int) -> Iterator[Numbers]:
        if size != count_of(self.count, env):
            return
        vertices, root = count_of(self.vertices, env), () if self.root is None else (self.root,)
        places = range(self.base + (self.root is None), self.base + vertices)
        ends = (self.base + vertices if self.anywhere else index for index in places)
        lines = product(*((*root, *range(self.base, end)) for end in ends))
        yield from (line for line in lines if self.fault(line, env) is None)

    def rank(self, part: Numbers, env: Env) -> Rank:
        return (len(part), 0, sum(number - self.base + 1 for number in part if number != self.root))

    def fault(self, part: Numbers, env: Env) -> str | None:
        name, above = self.name or "the parents", self.above_of(part)
        roots = above.count(None)
        for vertex, parent in enumerate(above):
            last = len(above) if self.anywhere else vertex
            if parent is not None and not 0 <= parent < last:
                wanted = "a vertex" if self.anywhere else "an earlier vertex"
                return f"{name}: vertex {vertex + self.base} hangs on {parent + self.base}, expected {wanted}"
        if above and (roots == 0 or (roots > 1 and not self.forest)):
            return f"{name}: expected {'a root' if self.forest else 'exactly one root'}, found {roots}"
        hung = [(vertex, parent) for vertex, parent in enumerate(above) if parent is not None]
        return f"{name}: a cycle" if self.anywhere and not is_acyclic(hung) else None

    @property
    def lengths(self) -> tuple[Expression, ...]:
        return (self.vertices,)

    def cut(self, part: Numbers, cut: Cut) -> Numbers:
        """Renumber the remaining vertices; a removed parent is replaced by its nearest remaining ancestor.

        A vertex without such an ancestor becomes a root, or a child of the first root if only one is allowed.
        """
        above, dropped = self.above_of(part), range(*cut.span(self.vertices))
        kept = [vertex for vertex in range(len(above)) if vertex not in dropped]
        number = {vertex: index for index, vertex in enumerate(kept)}
        homes = [_home(above, vertex, dropped) for vertex in kept]
        head = None if self.forest or None not in homes else kept[homes.index(None)]
        moved = [
            head if home is None and vertex != head else home for vertex, home in zip(kept, homes, strict=True)
        ]
        return self.numbered([None if home is None else number[home] for home in moved])

    def draw(self, drawer: Drawer, env: Env, budget: int) -> Numbers:
        bits, vertices = drawer.bits, count_of(self.vertices, env)
        if vertices == 0:
            return ()
        above: Above = [None, *draw_above(bits, vertices)]
        if self.forest and bits.style.one_in(2):
            for root in bits.sample(vertices, bits.small(1, vertices)):
                above[root] = None
        if self.anywhere and not bits.style.one_in(4):
            above = relabelled(above, self._labels(bits, vertices))
        return self.numbered(above)

    def _labels(self, bits: Bits, vertices: int) -> list[int]:
        """Draw new numbers for the vertices; an unprinted root keeps its number."""
        labels = list(range(vertices)) if self.root is not None else list(range(1, vertices))
        bits.shuffle(labels)
        return labels if self.root is not None else [0, *labels]

    def hang_on_the_root(self, numbers: Numbers, env: Env) -> Steps[Numbers]:
        """Make chunks of vertices children of the first vertex, or roots; then lower each vertex's parent."""
        first = self.root if self.forest and self.root is not None else self.base

        def hung(now: Numbers, start: int, count: int) -> Numbers:
            chunk = (number if number == self.root else first for number in now[start : start + count])
            return (*now[:start], *chunk, *now[start + count :])

        def put(now: Numbers, number: int, at: int) -> Numbers:
            return (*now[:at], number, *now[at + 1 :])

        numbers = yield from in_chunks(numbers, len, hung)
        for at, number in enumerate(numbers) if len(numbers) <= FEW else ():
            if number != self.root:
                numbers = yield from lowered(numbers, number, self.base, partial(put, at=at))
        return numbers


def relabelled(above: Above, labels: Sequence[int]) -> Above:
    """Return the same tree with these vertex numbers."""
    moved: Above = [None] * len(above)
    for vertex, parent in enumerate(above):
        moved[labels[vertex]] = None if parent is None else labels[parent]
    return moved


def draw_above(bits: Bits, vertices: int) -> list[int]:
    """Draw an earlier parent for each vertex but the first: a path, a star, a path with legs, or between these."""
    reach = bits.style.choice((1, 1, 2, 4, vertices, vertices))  # 1: a path
    style, later = bits.style.below(8), range(1, vertices)
    if style == 0:
        return [0 for _ in later]
    if style == 1:
        spine = max(1, vertices // 2)
        return [vertex - 1 if vertex < spine else vertex % spine for vertex in later]
    return [vertex - 1 - bits.below(min(reach, vertex)) for vertex in later]


def _home(above: Above, vertex: int, dropped: range) -> int | None:
    """Return the nearest remaining ancestor."""
    home, steps = above[vertex], 0
    while home is not None and home in dropped and steps < len(dropped):
        home, steps = above[home], steps + 1
    return None if home is None or home in dropped else home
