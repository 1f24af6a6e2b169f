"""How small the values of some items can be at least: what a draw holds an integer down by."""

import sys
from collections.abc import Sequence

from harness.shapes.expressions import Env, Name, count_of
from harness.shapes.model import Array, Choice, Edges, Grid, Integer, Item, Parents, Permutation, String, Times


def least_size(items: Sequence[Item], env: Env) -> int:
    """Cells, letters, array items, edges and vertices of the items if every unknown integer is as low as can be."""
    env = dict(env)
    total = 0
    for item in items:
        if isinstance(item, Integer):
            env[item.name] = item.low.value(env)
        else:
            total += _least(item, env)
    return total


def _least(item: Item, env: Env) -> int:  # noqa: PLR0911 (a case a kind of item)
    match item:
        case String():
            return count_of(item.low, env)
        case Array():
            return count_of(item.count, env) * (1 + _least(item.item, env))
        case Permutation() | Parents():
            return count_of(item.count, env)
        case Grid():
            return count_of(item.rows, env) * count_of(item.columns, env)
        case Edges():
            return max(count_of(item.edges, env), count_of(item.vertices, env))
        case Choice():
            return min(least_size(block.items, env) for block in item.blocks)
        case Times():
            times = count_of(item.count, env)
            return times * (1 + least_size(item.block.items, item.inner(env, 1))) if times else 0
        case _:
            return 0


def largest_within(item: Integer, later: Sequence[Item], env: Env, budget: int) -> int:
    """The largest value of an integer for which the later items may be no larger than the budget; its low if none."""
    low, high = item.bounds(env)
    while low < high:
        middle = (low + high + 1) // 2
        if least_size(later, {**env, item.name: middle}) <= budget:
            low = middle
        else:
            high = middle - 1
    return low


def allowed(item: Integer, later: Sequence[Item], env: Env) -> tuple[int, int]:
    """The bounds of an integer, tightened where it is the number of edges of a later graph, or of distinct numbers."""
    low, high = item.bounds(env)
    for other in later:
        if isinstance(other, Edges) and other.edges == Name(name=item.name) and other.vertices.names <= env.keys():
            vertices = count_of(other.vertices, env)
            low = max(low, vertices - 1) if other.connected else low
            high = min(high, other.pairs(vertices)) if other.simple else high
            high = 0 if vertices < (1 if other.has_loops else 2) else high
        if isinstance(other, Array) and other.is_distinct and other.count == Name(name=item.name):
            high = min(high, _room(other.item, env))
    return low, high


def _room(item: Item, env: Env) -> int:
    """How many different integers there are."""
    if not isinstance(item, Integer) or not (item.low.names | item.high.names) <= env.keys():
        return sys.maxsize
    low, high = item.bounds(env)
    return high - low + 1
