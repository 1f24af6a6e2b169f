"""Edge lists: components, cycles, and the removal of vertices."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

Edge: TypeAlias = tuple[int, ...]  # two vertices, and perhaps a weight


def components(vertices: int, edges: Iterable[Edge], base: int) -> int:
    """Count the connected components. Stores only vertices with edges: all vertices may not fit into memory."""
    parent: dict[int, int] = {}
    left = vertices
    for edge in edges:
        u, v = _root(parent, edge[0] - base), _root(parent, edge[1] - base)
        if u != v:
            parent[u] = v
            left -= 1
    return left


def _root(parent: dict[int, int], vertex: int) -> int:
    while (above := parent.get(vertex, vertex)) != vertex:
        parent[vertex] = parent.get(above, above)
        vertex = above
    return vertex


def is_simple(edges: Sequence[Edge], *, directed: bool) -> bool:
    """Return whether there is no loop and no double edge (in the same direction, if directed)."""
    pairs = {_pair(edge, directed) for edge in edges}
    return len(pairs) == len(edges) and all(edge[0] != edge[1] for edge in edges)


def is_acyclic(edges: Iterable[Edge]) -> bool:
    """Return whether the directed edges form no cycle."""
    after: dict[int, list[int]] = {}
    into: dict[int, int] = {}
    for edge in edges:
        after.setdefault(edge[0], []).append(edge[1])
        after.setdefault(edge[1], [])
        into[edge[1]] = into.get(edge[1], 0) + 1
    free = [vertex for vertex in after if vertex not in into]
    for vertex in free:
        for v in after[vertex]:
            into[v] -= 1
            if into[v] == 0:
                free.append(v)
    return len(free) == len(after)


def _pair(edge: Edge, directed: bool) -> tuple[int, int]:
    u, v = edge[0], edge[1]
    return (u, v) if directed or u < v else (v, u)


def without_vertices(edges: Iterable[Edge], dropped: range) -> tuple[Edge, ...]:
    """Return the edges that touch no dropped vertex; the other vertices are renumbered."""
    kept = (edge for edge in edges if edge[0] not in dropped and edge[1] not in dropped)
    return tuple((_renumbered(edge[0], dropped), _renumbered(edge[1], dropped), *edge[2:]) for edge in kept)


def _renumbered(vertex: int, dropped: range) -> int:
    return vertex - len(dropped) if vertex >= dropped.stop else vertex


def contracted(edges: Sequence[Edge], dropped: range, *, simple: bool, directed: bool) -> tuple[Edge, ...]:
    """Return the edges after merging each dropped vertex into a neighbour: connected vertices stay connected."""
    home = _homes(edges, dropped)
    moved = [(home.get(edge[0], edge[0]), home.get(edge[1], edge[1]), *edge[2:]) for edge in edges]
    # An edge within a merged part is dropped; an original loop stays.
    left = [
        after for before, after in zip(edges, moved, strict=True) if after[0] != after[1] or before[0] == before[1]
    ]
    if simple:
        left = list({_pair(edge, directed): edge for edge in reversed(left)}.values())[::-1]
    return without_vertices(left, dropped)


def _homes(edges: Sequence[Edge], dropped: range) -> dict[int, int]:
    """Return for each dropped vertex the nearest remaining vertex, if it can be reached."""
    beside: dict[int, list[int]] = {vertex: [] for vertex in dropped}
    home: dict[int, int] = {}
    for edge in edges:
        for u, v in ((edge[0], edge[1]), (edge[1], edge[0])):
            if u in dropped and v in dropped:
                beside[u].append(v)
            elif u in dropped:
                home.setdefault(u, v)
    queue = list(home)
    for vertex in queue:
        for v in beside[vertex]:
            if v not in home:
                home[v] = home[vertex]
                queue.append(v)
    return home
