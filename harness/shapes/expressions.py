"""Integer expressions of a shape, such as `n`, `10^9` or `2*n-1`. Their value depends on earlier integers."""

import operator
from collections.abc import Callable, Mapping

from harness.values import dataclass

Env = Mapping[str, int]
SIGNS: Mapping[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}


@dataclass(frozen=True, kw_only=True)
class Number:
    """A literal. amount: in units of the last decimal place. decimals: the number of places; 0 except in ranges."""

    amount: int
    decimals: int = 0

    @property
    def names(self) -> frozenset[str]:
        """Return the names of the integers that the value depends on."""
        return frozenset()

    def value(self, env: Env) -> int:
        """Return the value; `env` holds the integers bound so far."""
        return self.amount


@dataclass(frozen=True, kw_only=True)
class Name:
    """An integer of the input, bound by an earlier item."""

    name: str

    @property
    def names(self) -> frozenset[str]:
        """Return the names of the integers that the value depends on."""
        return frozenset({self.name})

    def value(self, env: Env) -> int:
        """Return the value; `env` holds the integers bound so far."""
        return env[self.name]


@dataclass(frozen=True, kw_only=True)
class Operation:
    """A sum, a difference or a product."""

    sign: str
    left: "Expression"
    right: "Expression"

    @property
    def names(self) -> frozenset[str]:
        """Return the names of the integers that the value depends on."""
        return self.left.names | self.right.names

    def value(self, env: Env) -> int:
        """Return the value; `env` holds the integers bound so far."""
        return SIGNS[self.sign](self.left.value(env), self.right.value(env))


Expression = Number | Name | Operation


def scaled(expression: Expression, decimals: int) -> Expression:
    """Return the expression in units of the last of `decimals` decimal places."""
    if isinstance(expression, Number):
        return Number(amount=expression.amount * 10 ** (decimals - expression.decimals), decimals=decimals)
    return product_of(expression, Number(amount=10**decimals)) if decimals else expression


def product_of(left: Expression, right: Expression) -> Expression:
    """Return the product, a number if both are numbers."""
    if isinstance(left, Number) and isinstance(right, Number):
        return Number(amount=left.amount * right.amount)
    return Operation(sign="*", left=left, right=right)


def count_of(expression: Expression, env: Env) -> int:
    """Return the value as a count, never negative."""
    return max(0, expression.value(env))


def origin(low: int, high: int) -> int:
    """Return the simplest integer of a range: the one nearest to 0."""
    return max(low, min(0, high))
