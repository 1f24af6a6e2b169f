"""The orders of arrays and of repeated blocks: sorted, rising, distinct."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

ORDERS = ("sorted", "rising", "distinct")  # non-decreasing; strictly increasing; no duplicates
TIGHTER_ORDERS = {
    "": ("distinct", "sorted", "rising"),
    "distinct": ("rising",),
    "sorted": ("rising",),
    "rising": (),
}
UNREPEATED = {"": "distinct", "sorted": "rising"}  # an order, and the same without duplicates
_RELAXED_ORDERS = {
    "ordered": {"sorted": "", "rising": "", "distinct": ""},
    "strict": {"rising": "sorted"},
    "in order": {"rising": "distinct"},
}


def relaxed_order(order: str, flag: str) -> str:
    """Return the order without the rule `flag`."""
    return _RELAXED_ORDERS.get(flag, {}).get(order, order)


def order_fault(order: str, values: Sequence[Any], word: str) -> str | None:
    """Describe how values break an order (of ORDERS, or ""); None: they keep it. word: the name of a value."""
    if order == "distinct":
        return None if len(set(values)) == len(values) else f"expected different {word}s, found one twice"
    if order == "sorted":
        return None if all(left <= right for left, right in pairwise(values)) else f"expected {word}s in order"
    rises = order != "rising" or all(left < right for left, right in pairwise(values))
    return None if rises else f"expected each {word} to be larger than the one before it"


def ordered(order: str, numbers: Sequence[int], low: int, high: int) -> tuple[int, ...] | None:
    """Return the numbers in an order of ORDERS; forbidden duplicates are raised. None: the range is too small."""
    if order in ("rising", "distinct"):
        if len(numbers) > high - low + 1:
            return None
        numbers = _apart(numbers, low, high)
    return tuple(numbers) if order == "distinct" else tuple(sorted(numbers))


def _apart(numbers: Sequence[int], low: int, high: int) -> list[int]:
    """Return each number, or the next free number above it, wrapping from the highest to the lowest."""
    following: dict[int, int] = {}  # for a used number, the next number to try
    distinct = []
    for number in numbers:
        free, passed = number, []
        while free in following:
            passed.append(free)
            free = following[free]
        following[free] = after = free + 1 if free < high else low
        for each in passed:
            following[each] = after
        distinct.append(free)
    return distinct
