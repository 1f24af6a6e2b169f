"""Passes within one edge list: the vertices in order, then smaller ends."""

from collections.abc import Callable, Sequence

from harness.shapes.expressions import Env
from harness.shapes.graphs import Edge
from harness.shapes.kinds.edges import Edges
from harness.shapes.steps import Steps

FEW = 40  # edges, for what tries other vertices for each of them


def tidy_edges(item: Edges, edges: tuple[Edge, ...], env: Env) -> Steps[tuple[Edge, ...]]:
    """The smaller vertex first, the edges in order, the vertices numbered as a search from one of them finds them."""
    tidiers: tuple[Callable[[Sequence[Edge]], tuple[Edge, ...]], ...] = (
        lambda now: tuple(_turned(edge, item) for edge in now),
        lambda now: tuple(sorted(now)),
        lambda now: tuple(sorted(_turned(edge, item) for edge in now)),
        *(lambda now, root=root: _searched(now, root, item) for root in _roots(item, edges)),
    )
    for tidy in tidiers:
        candidate = tidy(edges)
        if (yield candidate):
            edges = candidate
    return edges


def _turned(edge: Edge, item: Edges) -> Edge:
    u, v = edge[0], edge[1]
    return edge if item.directed or u <= v else (v, u, *edge[2:])


def _roots(item: Edges, edges: Sequence[Edge]) -> list[int]:
    degree: dict[int, int] = {}
    for edge in edges:
        for vertex in edge[:2]:
            degree[vertex] = degree.get(vertex, 0) + 1
    return sorted(degree, key=lambda vertex: (-degree[vertex], vertex))[:4]


def _searched(edges: Sequence[Edge], root: int, item: Edges) -> tuple[Edge, ...]:
    beside: dict[int, list[int]] = {}
    for edge in edges:
        beside.setdefault(edge[0], []).append(edge[1])
        beside.setdefault(edge[1], []).append(edge[0])
    label: dict[int, int] = {}
    for start in (root, *sorted(beside)):
        queue = [start] if start not in label else []
        for vertex in queue:
            if vertex not in label:
                label[vertex] = item.base + len(label)
                queue += sorted(beside.get(vertex, []), key=lambda v: (-len(beside[v]), v))
    moved = ((label[edge[0]], label[edge[1]], *edge[2:]) for edge in edges)
    return tuple(sorted(_turned(edge, item) for edge in moved))


def hang_higher(item: Edges, edges: tuple[Edge, ...], env: Env) -> Steps[tuple[Edge, ...]]:
    """Give single edges smaller ends: a tree turns into a star."""
    if len(edges) > FEW:
        return edges
    for place in range(len(edges)):
        for end in (0, 1):
            for vertex in range(item.base, edges[place][end]):
                edge = list(edges[place])
                edge[end] = vertex
                candidate = (*edges[:place], _turned(tuple(edge), item), *edges[place + 1 :])
                if (yield candidate):
                    edges = candidate
                    break
    return edges
