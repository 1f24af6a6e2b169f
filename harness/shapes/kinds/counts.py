"""Integers that count something: how large they may be, and how they are drawn."""

from collections.abc import Sequence
from math import isqrt
from typing import Any, TypeAlias

from harness.shapes.drawing import Drawer, Infeasible
from harness.shapes.expressions import Env
from harness.shapes.kinds.integer import Integer
from harness.shapes.kinds.kind import Kind

Item: TypeAlias = Kind[Any]

_MOST_BLOCKS = 10_000  # that are drawn one by one


def least_size(items: Sequence[Item], env: Env) -> int:
    """Return the cells, letters, array items, edges and vertices of the items if every unknown integer is lowest."""
    env, size = dict(env), 0
    for item in items:
        if isinstance(item, Integer):
            env[item.name] = item.low.value(env)
        else:
            size += item.least_size(env)
    return size


def largest_within(item: Integer, later: Sequence[Item], env: Env, budget: int) -> int:
    """Return the largest value for which the later items may be no larger than the budget; its low if none."""
    low, high = item.bounds(env)
    while low < high:
        middle = (low + high + 1) // 2
        if least_size(later, {**env, item.name: middle}) <= budget:
            low = middle
        else:
            high = middle - 1
    return low


def allowed(item: Integer, later: Sequence[Item], env: Env) -> tuple[int, int]:
    """Return the bounds of an integer without the values for which a later graph or array has none."""
    low, high = item.bounds(env)
    for other in later:
        low, high = other.narrowed(item.name, low, high, env)
    return low, high


def draw_case_count(drawer: Drawer, item: Integer, later: Sequence[Item], env: Env) -> int:
    """Draw how many test cases there are: as many as the drawer wants. Raises Infeasible."""
    low, high = allowed(item, later, env)
    if low > high:
        raise Infeasible
    return max(low, min(drawer.many, high))


def draw_count(drawer: Drawer, item: Integer, later: Sequence[Item], env: Env, budget: int) -> int:
    """Draw an integer that counts something, so that the later items keep to the budget. Raises Infeasible."""
    kind, (low, high) = drawer.bits.kind, allowed(item, later, env)
    high = min(high, max(low, largest_within(item, later, env, budget)))
    if any(other.is_slow(item.name) for other in later):
        high = min(high, max(low, _MOST_BLOCKS))
    if low > high:
        raise Infeasible
    if (
        drawer.full
        and low <= 1 <= high
        and any(other.counts_cases(item.name) for other in later)
        and kind.one_in(3)
    ):
        return 1  # all of the size for a single case
    if any(isinstance(other, Integer) or other.holds_blocks for other in later) and kind.one_in(2):
        high = max(low, min(high, isqrt(budget)))  # leave something to the other side
    if kind.one_in(4) or (drawer.full and kind.one_in(2)):
        return high
    return drawer.bits.between(low, high) if kind.one_in(3) else drawer.bits.small(low, high)
