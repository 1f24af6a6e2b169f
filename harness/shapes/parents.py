"""Rooted trees and forests as a line of parents: what is wrong with one, and how vertices leave it."""

from collections.abc import Sequence

from harness.shapes.model import Parents

Above = list[int | None]  # of each vertex, counted from 0, the one it hangs on; None: a root


def above_of(item: Parents, part: Sequence[int]) -> Above:
    """What hangs where."""
    above: Above = [None if number == item.root else number - item.base for number in part]
    return [None, *above] if item.root is None else above


def numbered(item: Parents, above: Above) -> tuple[int, ...]:
    """The line that says what hangs where."""
    told = above[1:] if item.root is None else above
    root = item.base if item.root is None else item.root
    return tuple(root if each is None else each + item.base for each in told)


def relabelled(above: Above, labels: Sequence[int]) -> Above:
    """The same tree with another number for each vertex."""
    found: Above = [None] * len(above)
    for vertex, parent in enumerate(above):
        found[labels[vertex]] = None if parent is None else labels[parent]
    return found


def parents_fault(item: Parents, part: Sequence[int]) -> str | None:
    """What keeps a line of the right length from being a tree, or a forest."""
    name, above = item.name or "the parents", above_of(item, part)
    roots = above.count(None)
    for vertex, parent in enumerate(above):
        last = len(above) if item.anywhere else vertex
        if parent is not None and not 0 <= parent < last:
            wanted = "a vertex" if item.anywhere else "an earlier vertex"
            return f"{name}: vertex {vertex + item.base} hangs on {parent + item.base}, expected {wanted}"
    if above and (roots == 0 or (roots > 1 and not item.forest)):
        return f"{name}: expected {'a root' if item.forest else 'exactly one root'}, found {roots}"
    return f"{name}: a cycle" if item.anywhere and _has_cycle(above) else None


def _has_cycle(above: Above) -> bool:
    seen = [-1] * len(above)  # from which vertex a vertex was met first
    for start in range(len(above)):
        vertex: int | None = start
        while vertex is not None and seen[vertex] < 0:
            seen[vertex] = start
            vertex = above[vertex]
        if vertex is not None and seen[vertex] == start:
            return True
    return False


def without(item: Parents, part: Sequence[int], dropped: range) -> tuple[int, ...]:
    """The vertices outside `dropped`, numbered anew; what hung on one that is gone hangs on the next above it.

    Where none is left above, it is a root; if there may be only one, the first of them is, and the others hang on it.
    """
    above = above_of(item, part)
    kept = [vertex for vertex in range(len(above)) if vertex not in dropped]
    number = {vertex: place for place, vertex in enumerate(kept)}
    homes = [_home(above, vertex, dropped) for vertex in kept]
    head = None if item.forest or None not in homes else kept[homes.index(None)]
    moved = [head if home is None and vertex != head else home for vertex, home in zip(kept, homes, strict=True)]
    return numbered(item, [None if home is None else number[home] for home in moved])


def _home(above: Above, vertex: int, dropped: range) -> int | None:
    """The nearest vertex above that stays."""
    home, steps = above[vertex], 0
    while home is not None and home in dropped and steps < len(dropped):
        home, steps = above[home], steps + 1
    return None if home is None or home in dropped else home
