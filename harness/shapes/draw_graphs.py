"""Random trees and graphs: random ones, paths, stars, and what lies between."""

from collections.abc import Callable
from math import isqrt

from harness.shapes.expressions import Env, count_of
from harness.shapes.model import Edge, Edges, Integer, Parents
from harness.shapes.parents import Above, numbered, relabelled
from harness.shapes.randomness import Bits

Pair = tuple[int, int]
Weights = Callable[[Integer, int], tuple[int, ...]]


def draw_edges(bits: Bits, item: Edges, env: Env, weights: Weights) -> tuple[Edge, ...] | None:
    """Random edges, in random order and (if undirected) direction; None if there is no such graph."""
    vertices, edges = count_of(item.vertices, env), count_of(item.edges, env)
    pairs = _pairs(bits, item, vertices, edges)
    if pairs is None:
        return None
    if not bits.kind.one_in(4):
        pairs = _disordered(bits, pairs, vertices, turn=not item.directed or item.tree)
    if item.rising or item.acyclic:
        place = list(range(vertices))
        if not item.rising and not bits.kind.one_in(4):
            bits.shuffle(place)
        pairs = [(one, other) if place[one] < place[other] else (other, one) for one, other in pairs]
    based = [(one + item.base, other + item.base) for one, other in pairs]
    if item.weight is None:
        return tuple(based)
    return tuple((*pair, weight) for pair, weight in zip(based, weights(item.weight, edges), strict=True))


def _pairs(bits: Bits, item: Edges, vertices: int, edges: int) -> list[Pair] | None:
    most = item.pairs(vertices)
    impossible = (item.simple and edges > most) or (edges > 0 and vertices < (1 if item.has_loops else 2))
    if impossible or (item.connected and edges < vertices - 1):
        return None
    pairs = _tree(bits, vertices) if item.connected else []
    if item.has_loops:
        return pairs + [(bits.below(vertices), bits.below(vertices)) for _ in range(edges - len(pairs))]
    if not item.simple:
        return pairs + [pair_of(bits.below(most), vertices, item.both_ways) for _ in range(edges - len(pairs))]
    return _simple(bits, item, vertices, edges, pairs)


def _simple(bits: Bits, item: Edges, vertices: int, edges: int, pairs: list[Pair]) -> list[Pair]:
    if edges == len(pairs):
        return pairs
    most = item.pairs(vertices)
    found = dict.fromkeys(pairs)
    for number in bits.sample(most, most) if 3 * edges > most else iter(lambda: bits.below(most), -1):
        found[pair_of(number, vertices, item.both_ways)] = None
        if len(found) == edges:
            break
    return list(found)


def pair_of(number: int, vertices: int, both_ways: bool) -> Pair:
    """The number-th pair of different vertices; the smaller one first unless either may be."""
    if both_ways:
        one, other = divmod(number, vertices - 1)
        return one, other + (other >= one)
    high = (isqrt(8 * number + 1) + 1) // 2
    return number - high * (high - 1) // 2, high


def _tree(bits: Bits, vertices: int) -> list[Pair]:
    """Every vertex hangs on an earlier one, the smaller one first."""
    return [(above, vertex) for vertex, above in enumerate(_above(bits, vertices), 1)]


def _above(bits: Bits, vertices: int) -> list[int]:
    """On which earlier vertex each but the first hangs: a path, a star, a path with legs, or what lies between."""
    reach = bits.kind.choice((1, 1, 2, 4, vertices, vertices))  # 1: a path
    style, later = bits.kind.below(8), range(1, vertices)
    if style == 0:
        return [0 for _ in later]
    if style == 1:
        spine = max(1, vertices // 2)
        return [vertex - 1 if vertex < spine else vertex % spine for vertex in later]
    return [vertex - 1 - bits.below(min(reach, vertex)) for vertex in later]


def draw_parents(bits: Bits, item: Parents, env: Env) -> tuple[int, ...]:
    """A random line of parents."""
    vertices = count_of(item.vertices, env)
    if vertices == 0:
        return ()
    above: Above = [None, *_above(bits, vertices)]
    if item.forest and bits.kind.one_in(2):
        for root in bits.sample(vertices, bits.small(1, vertices)):
            above[root] = None
    if item.anywhere and not bits.kind.one_in(4):
        above = relabelled(above, _labels(bits, item, vertices))
    return numbered(item, above)


def _labels(bits: Bits, item: Parents, vertices: int) -> list[int]:
    """New numbers for the vertices in any order; the first keeps its own where nothing is said of it."""
    labels = list(range(vertices)) if item.root is not None else list(range(1, vertices))
    bits.shuffle(labels)
    return labels if item.root is not None else [0, *labels]


def _disordered(bits: Bits, pairs: list[Pair], vertices: int, *, turn: bool) -> list[Pair]:
    labels = list(range(vertices))
    bits.shuffle(labels)
    moved = [(labels[one], labels[other]) for one, other in pairs]
    if turn:
        moved = [(other, one) if bits.one_in(2) else (one, other) for one, other in moved]
    bits.shuffle(moved)
    return moved
