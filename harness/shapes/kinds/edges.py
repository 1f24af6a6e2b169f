"""Trees and graphs as one edge a line."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, pairwise
from math import isqrt
from typing import Any, ClassVar, Self, TypeAlias

from harness.shapes.drawing import Bits, Drawer, Infeasible
from harness.shapes.expressions import Env, Expression, Name, count_of
from harness.shapes.graphs import Edge, components, contracted, is_acyclic, is_simple, without_vertices
from harness.shapes.kinds.block import Block
from harness.shapes.kinds.integer import ANY_INTEGER, Integer
from harness.shapes.kinds.kind import Cut, Kind, Rank, sequences
from harness.shapes.kinds.parents import draw_above
from harness.shapes.kinds.times import Times
from harness.shapes.reader import Reader
from harness.shapes.steps import Steps, first_taken
from harness.values import dataclass

EdgeList: TypeAlias = tuple[Edge, ...]
Pair = tuple[int, int]

_TIGHTER_FLAGS = ("loopless", "simple", "acyclic", "rising", "connected")
_FEW = 40  # edges, at most, of a graph for which a pass tries other vertices for each edge
_WEAKER = {"rising": "acyclic", "simple": "loopless"}  # what stays when a rule is dropped


@dataclass(frozen=True, kw_only=True)
class Edges(Kind[EdgeList]):
    """A tree or graph as one edge a line: `u v`, or `u v w` with a weight."""

    fills_lines: ClassVar[bool] = True

    vertices: Expression
    edges: Expression
    tree: bool = False
    connected: bool = False
    simple: bool = False
    directed: bool = False
    rising: bool = False  # from a smaller vertex to a larger one
    acyclic: bool = False  # no directed cycle
    loopless: bool = False  # no edge from a vertex to itself
    base: int = 1
    weight: Integer | None = None

    @property
    def has_loops(self) -> bool:
        """Return whether an edge may go from a vertex to itself."""
        return not (self.simple or self.rising or self.acyclic or self.loopless)

    def pairs(self, vertices: int) -> int:
        """Return the largest number of edges between `vertices` vertices without loops and double edges."""
        return vertices * (vertices - 1) // (1 if self.both_ways else 2)

    @property
    def both_ways(self) -> bool:
        """Return whether both u → v and v → u may be edges."""
        return self.directed and not (self.rising or self.acyclic)

    def read(self, reader: Reader, env: Env) -> EdgeList:
        low, high = self.base, self.base + count_of(self.vertices, env) - 1
        return tuple(self._edge(reader, env, low, high) for _ in range(count_of(self.edges, env)))

    def _edge(self, reader: Reader, env: Env, low: int, high: int) -> Edge:
        first = reader.integer("a vertex", low, high)
        reader.space()
        edge: Edge = (first, reader.integer("a vertex", low, high))
        if self.weight is not None:
            reader.space()
            edge = (*edge, self.weight.read(reader, env, "a weight"))
        reader.newline()
        return edge

    def write(self, part: EdgeList, lines: list[bytes]) -> None:
        if self.weight is not None and self.weight.decimals:
            lines.extend(b"%d %d %s" % (u, v, self.weight.text(value)) for u, v, value in part)
        else:
            line = b"%d %d" if self.weight is None else b"%d %d %d"
            lines.extend([line % edge for edge in part])

    def values(self, env: Env, size: int) -> Iterator[EdgeList]:
        """Yield every structure once: edges ascend, undirected ones have the smaller vertex first."""
        vertices, edges = count_of(self.vertices, env), count_of(self.edges, env)
        if edges > size or (self.weight is None and size != edges):
            return
        choose = combinations if self.simple else combinations_with_replacement
        for chosen in choose(self._ascending_pairs(vertices), edges):
            if self.fault(chosen, env) is None:
                yield from self._weighted(chosen, env, size - edges)

    def _ascending_pairs(self, vertices: int) -> list[Edge]:
        numbers = range(self.base, self.base + vertices)
        either = self.directed or self.acyclic
        pairs = ((u, v) for u in numbers for v in numbers if either or u <= v)
        return [pair for pair in pairs if self.has_loops or pair[0] != pair[1]]

    def _weighted(self, chosen: EdgeList, env: Env, size: int) -> Iterator[EdgeList]:
        weight = self.weight
        if weight is None:
            yield chosen
            return
        for weights in sequences(lambda own, _: weight.values(env, own), len(chosen), size + len(chosen)):
            edges = tuple((*edge, value) for edge, value in zip(chosen, weights, strict=True))
            if self.simple or all(u <= v for u, v in pairwise(edges)):
                yield edges

    def rank(self, part: EdgeList, env: Env) -> Rank:
        flipped = 0 if self.directed else sum(edge[0] > edge[1] for edge in part)
        ends = sum(edge[0] + edge[1] for edge in part)
        if self.weight is None:
            return (len(part), flipped, ends)
        weights = self.weight.rank_of([edge[2] for edge in part], env)
        return (len(part) + weights[0], flipped + weights[1], ends)

    def fits(self, part: EdgeList, env: Env) -> bool:
        low, high = self.base, self.base + count_of(self.vertices, env) - 1
        weighed = self.weight is None or all(self.weight.fits(edge[2], env) for edge in part)
        inside = all(low <= edge[0] <= high and low <= edge[1] <= high for edge in part)
        return len(part) == count_of(self.edges, env) and inside and weighed and self.fault(part, env) is None

    def fault(self, part: EdgeList, env: Env) -> str | None:
        name, vertices = self.name or "the edges", count_of(self.vertices, env)
        if self.simple and not is_simple(part, directed=self.directed):
            return f"{name}: a loop, or two edges between the same vertices"
        if self.loopless and any(edge[0] == edge[1] for edge in part):
            return f"{name}: a loop"
        if self.acyclic and not is_acyclic(part):
            return f"{name}: a way along the edges comes back to where it began"
        if self.rising and any(edge[0] >= edge[1] for edge in part):
            return f"{name}: an edge does not go from a smaller vertex to a larger one"
        if self.connected and vertices and components(vertices, part, self.base) > 1:
            return f"{name}: the vertices do not hang together"
        return None

    def integers(self, part: EdgeList) -> Iterator[tuple[tuple[int, ...], Any]]:
        if self.weight is not None:
            yield from (((at, 2), self.weight) for at in range(len(part)))

    @property
    def lengths(self) -> tuple[Expression, ...]:
        return (self.vertices, self.edges)

    @property
    def length_name(self) -> str:
        return self.edges.name if isinstance(self.edges, Name) else ""

    def least_cells(self, env: Env) -> int:
        return max(count_of(self.edges, env), count_of(self.vertices, env))

    def narrowed(self, count: str, low: int, high: int, env: Env) -> tuple[int, int]:
        if self.edges != Name(name=count) or not self.vertices.names <= env.keys():
            return low, high
        vertices = count_of(self.vertices, env)
        low = max(low, vertices - 1) if self.connected else low
        high = min(high, self.pairs(vertices)) if self.simple else high
        return low, 0 if vertices < (1 if self.has_loops else 2) else high

    def cut(self, part: EdgeList, cut: Cut) -> EdgeList:
        if cut.axis in self.vertices.names:
            start, end = cut.span(self.vertices)
            dropped = range(start + self.base, end + self.base)
            if self.connected:
                return contracted(part, dropped, simple=self.simple, directed=self.directed)
            return without_vertices(part, dropped)
        start, end = cut.span(self.edges)
        return (*part[:start], *part[end:])

    def draw(self, drawer: Drawer, env: Env, budget: int) -> EdgeList:
        """Draw edges in random order and (if undirected) direction."""
        bits, vertices, edges = drawer.bits, count_of(self.vertices, env), count_of(self.edges, env)
        pairs = self._drawn_pairs(bits, vertices, edges)
        if not bits.style.one_in(4):
            pairs = _disordered(bits, pairs, vertices, turn=not self.directed or self.tree)
        if self.rising or self.acyclic:
            rank = list(range(vertices))
            if not self.rising and not bits.style.one_in(4):
                bits.shuffle(rank)
            pairs = [(u, v) if rank[u] < rank[v] else (v, u) for u, v in pairs]
        based = [(u + self.base, v + self.base) for u, v in pairs]
        if self.weight is None:
            return tuple(based)
        weights = self.weight.draw_many(drawer, env, edges)
        return tuple((*pair, weight) for pair, weight in zip(based, weights, strict=True))

    def _drawn_pairs(self, bits: Bits, vertices: int, edges: int) -> list[Pair]:
        most = self.pairs(vertices)
        impossible = (self.simple and edges > most) or (edges > 0 and vertices < (1 if self.has_loops else 2))
        if impossible or (self.connected and edges < vertices - 1):
            raise Infeasible
        # In a tree every vertex has an earlier parent; the smaller vertex comes first.
        above = draw_above(bits, vertices) if self.connected else []
        pairs = [(parent, vertex) for vertex, parent in enumerate(above, 1)]
        if self.has_loops:
            return pairs + [(bits.below(vertices), bits.below(vertices)) for _ in range(edges - len(pairs))]
        if not self.simple:
            return pairs + [pair_of(bits.below(most), vertices, self.both_ways) for _ in range(edges - len(pairs))]
        return self._simple_pairs(bits, vertices, edges, pairs)

    def _simple_pairs(self, bits: Bits, vertices: int, edges: int, pairs: list[Pair]) -> list[Pair]:
        if edges == len(pairs):
            return pairs
        most = self.pairs(vertices)
        chosen = dict.fromkeys(pairs)
        for number in bits.sample(most, most) if 3 * edges > most else iter(lambda: bits.below(most), -1):
            chosen[pair_of(number, vertices, self.both_ways)] = None
            if len(chosen) == edges:
                break
        return list(chosen)

    def relaxed(self, flag: str) -> Self:
        if self.tree or not getattr(self, flag, False):
            return self
        changes: dict[str, Any] = {flag: False, **({_WEAKER[flag]: True} if flag in _WEAKER else {})}
        return replace(self, **changes)

    def loosest(self) -> Times:
        weights = () if self.weight is None else (self.weight.loosest(),)
        return Times(count=self.edges, block=Block(lines=((ANY_INTEGER, ANY_INTEGER, *weights),)))

    def tightened(self, scope: Sequence[str]) -> Iterator[Self]:
        changes: list[dict[str, Any]] = [{flag: True} for flag in _TIGHTER_FLAGS if not getattr(self, flag)]
        yield from (replace(self, **change) for change in changes if not self.tree)

    def without_repeats(self) -> Iterator[Self]:
        if not self.tree and self.has_loops:
            yield replace(self, loopless=True)
        if not self.tree and not self.simple:
            yield replace(self, simple=True)

    def with_leaves(self, change: Callable[[Any], Any]) -> Self:
        return self if self.weight is None else replace(self, weight=change(self.weight))

    def leaf_values(self, parts: Sequence[EdgeList]) -> list[list[Any]]:
        return [] if self.weight is None else [[edge[2] for edges in parts for edge in edges]]

    def tidy_edges(self, edges: EdgeList, env: Env) -> Steps[EdgeList]:
        """Put the smaller vertex first, and sort the edges."""
        tidiers: tuple[Callable[[Sequence[Edge]], EdgeList], ...] = (
            lambda now: tuple(self._turned(edge) for edge in now),
            lambda now: tuple(sorted(now)),
            lambda now: tuple(sorted(self._turned(edge) for edge in now)),
        )
        for tidy in tidiers:
            candidate = tidy(edges)
            if (yield candidate):
                edges = candidate
        return edges

    def _turned(self, edge: Edge) -> Edge:
        u, v = edge[0], edge[1]
        return edge if self.directed or u <= v else (v, u, *edge[2:])

    def hang_higher(self, edges: EdgeList, env: Env) -> Steps[EdgeList]:
        """Lower the ends of single edges: this turns a tree into a star."""
        if len(edges) > _FEW:
            return edges
        for index in range(len(edges)):
            for end in (0, 1):
                before, edge, after = edges[:index], edges[index], edges[index + 1 :]
                moved = ((*edge[:end], vertex, *edge[end + 1 :]) for vertex in range(self.base, edge[end]))
                edges = yield from first_taken(edges, ((*before, self._turned(each), *after) for each in moved))
        return edges


def pair_of(number: int, vertices: int, both_ways: bool) -> Pair:
    """Return the number-th pair of different vertices; the smaller vertex first, unless `both_ways`."""
    if both_ways:
        u, v = divmod(number, vertices - 1)
        return u, v + (v >= u)
    high = (isqrt(8 * number + 1) + 1) // 2
    return number - high * (high - 1) // 2, high


def _disordered(bits: Bits, pairs: list[Pair], vertices: int, *, turn: bool) -> list[Pair]:
    labels = list(range(vertices))
    bits.shuffle(labels)
    moved = [(labels[u], labels[v]) for u, v in pairs]
    if turn:
        moved = [(v, u) if bits.one_in(2) else (u, v) for u, v in moved]
    bits.shuffle(moved)
    return moved
