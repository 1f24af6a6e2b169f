"""Guesses that numbers of a line are in order, or that none comes twice: where that is no coincidence."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import exp, lgamma, log

_CHANCE = 1 / 100  # of a coincidence
_EVEN = 1 / 2  # so likely are some equal numbers, were they allowed


def order_of(rows: Sequence[Sequence[int]]) -> str:
    """One of ORDERS, or "" where nothing says that it is one. `1 2 3 4 5` says nothing: samples are written by hand."""
    by_hand = [len({other - one for one, other in pairwise(row)}) <= 1 < len(row) for row in rows]
    rises = all(one <= other for row in rows for one, other in pairwise(row))
    telling = [row for row, known in zip(rows, by_hand, strict=True) if not known]
    sorted_by_chance = exp(-sum(map(_orders, telling)))
    different = all(len(set(row)) == len(row) for row in rows)
    different_by_chance = exp(sum(_different(row, rows) for row in telling)) if different else 1.0
    if rises and sorted_by_chance < _CHANCE:
        return "rising" if different_by_chance < _EVEN else "sorted"
    return "distinct" if different_by_chance < _CHANCE else ""


def _orders(row: Sequence[int]) -> float:
    """The logarithm of how many orders the numbers of a row have; equal ones change places for nothing."""
    return lgamma(len(row) + 1) - sum(lgamma(count + 1) for count in Counter(row).values())


def _different(row: Sequence[int], rows: Sequence[Sequence[int]]) -> float:
    """The logarithm of how likely so many numbers of the range of all are different."""
    known = [value for one in rows for value in one]
    span = max(known) - min(known) + 1
    return sum(log(1 - taken / span) for taken in range(len(row)))
