"""Passes within one string, word, date, array, permutation or edge list."""

from collections.abc import Callable, Sequence
from functools import partial

from harness.shapes.expressions import Env
from harness.shapes.fields import numbers_of, word_of
from harness.shapes.model import Array, Edge, Edges, Fields, Integer, Parents, Permutation, String, Word
from harness.shapes.reduce_protocol import Steps, in_chunks, lowered

_LONG = 40  # letters: shorter strings lose them one by one as soon
FEW = 40  # edges or parents, for what tries other vertices for each of them


def drop_letters(item: String, text: bytes, env: Env) -> Steps[bytes]:
    """Drop all of one letter, then chunks, of a string whose length is free."""
    if item.low == item.high:
        return text
    for letter in sorted(set(text)) if len(text) >= _LONG else ():
        without = text.replace(bytes([letter]), b"")
        if len(without) >= item.low.value(env) and (yield without):
            text = without
    return (yield from in_chunks(text, len, lambda now, at, count: now[:at] + now[at + count :], len(text)))


def lower_letters(item: String, text: bytes, env: Env) -> Steps[bytes]:
    """Turn chunks of letters to the first one, then single letters to earlier ones."""
    first = item.alphabet[:1]
    text = yield from in_chunks(
        text, len, lambda now, at, count: now[:at] + first * count + now[at + count :], len(text)
    )
    for at in range(len(text)):

        def put(now: bytes, place: int, at: int = at) -> bytes:
            return now[:at] + item.alphabet[place : place + 1] + now[at + 1 :]

        text = yield from lowered(text, item.alphabet.index(text[at]), 0, put)
    return text


def earlier_words(item: Word, word: bytes, env: Env) -> Steps[bytes]:
    """Try the words that stand earlier."""
    for other in item.words[: item.words.index(word)]:
        if (yield other):
            return other
    return word


def lower_fields(item: Fields, word: bytes, env: Env) -> Steps[bytes]:
    """Lower each number of a word, the first ones first."""
    for at, field in enumerate(item.fields):

        def put(now: bytes, number: int, at: int = at) -> bytes:
            numbers = numbers_of(item, now)
            return word_of(item, [*numbers[:at], number, *numbers[at + 1 :]])

        word = yield from lowered(word, numbers_of(item, word)[at], field.low, put)
    return word


def sort_numbers(item: Permutation, numbers: tuple[int, ...], env: Env) -> Steps[tuple[int, ...]]:
    """Put chunks in order, all of it first; then swap neighbours that are out of order."""

    def ordered(now: tuple[int, ...], start: int, count: int) -> tuple[int, ...]:
        return (*now[:start], *sorted(now[start : start + count]), *now[start + count :])

    numbers = yield from in_chunks(numbers, len, ordered, len(numbers))
    for at in range(len(numbers) - 1):
        numbers = yield from _once(numbers, ordered(numbers, at, 2))
    return numbers


def _once(value: tuple[int, ...], candidate: tuple[int, ...]) -> Steps[tuple[int, ...]]:
    taken = candidate != value and (yield candidate)
    return candidate if taken else value


def hang_on_the_root(item: Parents, numbers: tuple[int, ...], env: Env) -> Steps[tuple[int, ...]]:
    """Hang chunks of vertices on the first one, or make them roots; then each on earlier ones."""
    first = item.root if item.forest and item.root is not None else item.base

    def hung(now: tuple[int, ...], start: int, count: int) -> tuple[int, ...]:
        chunk = (each if each == item.root else first for each in now[start : start + count])
        return (*now[:start], *chunk, *now[start + count :])

    def put(now: tuple[int, ...], number: int, at: int) -> tuple[int, ...]:
        return (*now[:at], number, *now[at + 1 :])

    numbers = yield from in_chunks(numbers, len, hung, len(numbers))
    for at, number in enumerate(numbers) if len(numbers) <= FEW else ():
        if number != item.root:
            numbers = yield from lowered(numbers, number, item.base, partial(put, at=at))
    return numbers


def merge_items(item: Array, values: tuple[int, ...], env: Env) -> Steps[tuple[int, ...]]:
    """Move all of one number to its right neighbour, so that the sum stays."""
    if not isinstance(item.item, Integer):
        return values
    low, _ = item.item.bounds(env)
    for at in range(len(values) - 1):
        merged = (*values[:at], low, values[at] + values[at + 1] - low, *values[at + 2 :])
        values = yield from _once(values, merged)
    return values


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
    one, other = edge[0], edge[1]
    return edge if item.directed or one <= other else (other, one, *edge[2:])


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
                queue += sorted(beside.get(vertex, []), key=lambda other: (-len(beside[other]), other))
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
