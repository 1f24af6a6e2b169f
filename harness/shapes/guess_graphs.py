"""Guess that lines are the edges of a tree or a graph."""

from collections.abc import Mapping, Sequence

from harness.shapes.graphs import components, is_acyclic, is_simple
from harness.shapes.guess_ranges import is_integer, is_number, numbers_text, seen_text
from harness.shapes.guess_rules import Instance

_TELLING = 4  # rising edges that are no accident
_RINGS = 2  # rings without a directed cycle that are no accident

Pairs = list[list[tuple[int, int]]]  # the edges of each instance


def edges_text(
    integers: Mapping[str, Sequence[int]], count: str, groups: list[Instance], *, at_once: bool
) -> str | None:
    """Return the text of the tree or graph whose `count` edges are these lines; None: they are not edges.

    at_once: they follow the first line, or another graph with as many edges: so they are no ranges `l r` of an array.
    """
    rows = [[line.split(b" ") for line in group] for group in groups]
    every = [row for group in rows for row in group]
    if not all(len(row) in (2, 3) and all(map(is_integer, row[:2])) and is_number(row[-1]) for row in every):
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
            return _call(name, count, edges, options, hang=hang) + seen
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
