"""Bound and draw integers that count later items."""

import sys
from collections.abc import Sequence
from math import isqrt
from typing import Any

from harness.shapes.drawing import Drawer, Infeasible
from harness.shapes.expressions import Env
from harness.shapes.kinds.integer import Integer
from harness.shapes.kinds.kind import Item

_MOST_BLOCKS = 10_000  # drawn one by one, at most
_FEW = 100  # items: test cases with no more are small


def least_cells(items: Sequence[Item], env: Env) -> int:
    """Return the number of cells, letters, array items, edges and vertices if every unknown integer is lowest."""
    env, size = dict(env), 0
    for item in items:
        if isinstance(item, Integer):
            env[item.name] = item.low.value(env)
        else:
            size += item.least_cells(env)
    return size


def largest_within(item: Integer, later: Sequence[Item], env: Env, budget: int) -> int:
    """Return the largest value for which the later items can stay within the budget; if none, the lowest value."""
    low, high = item.bounds(env)
    while low < high:
        middle = (low + high + 1) // 2
        if least_cells(later, {**env, item.name: middle}) <= budget:
            low = middle
        else:
            high = middle - 1
    return low


def repeated(items: Sequence[Item], count: str) -> list[Any]:
    """Return the blocks that the items repeat `count` times."""
    counted = (item for item in items if any(count in each.names for each in item.lengths))
    return [block for item in counted for block in item.inner]


def most_blocks(items: Sequence[Item], count: str) -> int:
    """Return the highest count to draw: blocks that are drawn one by one take about a second for 10,000."""
    return _MOST_BLOCKS if any(not block.is_plain for block in repeated(items, count)) else sys.maxsize


def counts_cases(items: Sequence[Item], count: str) -> bool:
    """Return whether the count is that of test cases: blocks with a count of their own."""
    return any(block.counting & set(block.names) for block in repeated(items, count))


def _has_large_cases(items: Sequence[Item], count: str) -> bool:
    """Return whether the count is that of test cases, one of which may be most of an input."""
    inner = [
        (block, item) for block in repeated(items, count) for item in block.items if isinstance(item, Integer)
    ]
    counts = [item for block, item in inner if item.name in block.counting]
    return any(item.high.names or item.high.value({}) > _FEW for item in counts)


def allowed(item: Integer, later: Sequence[Item], env: Env) -> tuple[int, int]:
    """Return the bounds of an integer, narrowed to numbers for which each later item has a value."""
    low, high = item.bounds(env)
    for other in later:
        low, high = other.narrowed(item.name, low, high, env)
    return low, high


def draw_case_count(drawer: Drawer, item: Integer, later: Sequence[Item], env: Env) -> int:
    """Draw the number of test cases, as many as the drawer asks for. Raises Infeasible."""
    low, high = allowed(item, later, env)
    if low > high:
        raise Infeasible
    return max(low, min(drawer.many, high))


def draw_count(drawer: Drawer, item: Integer, later: Sequence[Item], env: Env, budget: int) -> int:
    """Draw a count for which the later items stay within the budget. Raises Infeasible."""
    style, (low, high) = drawer.bits.style, allowed(item, later, env)
    high = min(high, max(low, largest_within(item, later, env, budget)))
    high = min(high, max(low, most_blocks(later, item.name)))
    if low > high:
        raise Infeasible
    may_be_one_case = low <= 1 <= high and _has_large_cases(later, item.name)
    if drawer.full and may_be_one_case and style.one_in(3):
        return 1  # a single case gets the whole size
    may_share = any(isinstance(other, Integer) or other.inner for other in later)
    if may_share and style.one_in(2) and (not drawer.full or _are_counted(later)):
        high = max(low, min(high, isqrt(budget)))  # leave budget for the other side
    if style.one_in(4) or (drawer.full and style.one_in(2)):
        return high
    return drawer.bits.between(low, high) if style.one_in(3) else drawer.bits.small(low, high)


def _are_counted(items: Sequence[Item]) -> bool:
    """Return whether some integer among the items, or in a block that they repeat, counts something."""
    counting = {name for item in items for name in item.counting}
    own = any(isinstance(item, Integer) and item.name in counting for item in items)
    return own or any(block.counting for item in items for block in item.inner)
