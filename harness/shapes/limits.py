"""Shapes with changed limits, letters or rules.

Samples are too few to show rules: `k: 1..10` of a head `n k` is mostly `1..n`. An additional rule: an integer
is at most, or at least, an earlier integer; an array is in order; a graph has no loops.
"""

import string
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from harness.shapes.expressions import Expression, Number
from harness.shapes.kinds import Block, Integer, Item, Record, Shape, String
from harness.shapes.kinds.words import joined_letters
from harness.values import dataclass

Leaf = Integer | String
_KINDS = (string.ascii_lowercase.encode(), string.ascii_uppercase.encode(), string.digits.encode())


@dataclass(frozen=True, kw_only=True)
class Span:
    """The limits of an integer, or of the length of a string, of a shape.

    index: its position among all integers and strings of the shape. low, high: None: no number, but another integer.
    ceiling: its highest possible value, also if `high` is None; None: unknown. counts: it counts something, or is the
    length of a string. bounds: it is a limit of other integers, as of indexes. words: it is the hidden number of
    items of a line. outer: it is a printed integer outside of repeated blocks. alphabet: of a string. decimals: the
    decimal places of an integer, whose limits count units of the last place.
    """

    index: int
    name: str
    low: int | None
    high: int | None
    ceiling: int | None
    counts: bool
    bounds: bool
    words: bool
    outer: bool
    alphabet: bytes
    decimals: int = 0

    @property
    def is_literal(self) -> bool:
        """Return whether only one value is possible, as for the number that begins a form of a line."""
        return self.low is not None and self.low == self.high


def spans(shape: Shape) -> list[Span]:
    """Return the spans of all integers and strings of a shape, in order."""
    leaves = _leaves(shape)
    counting, words = shape.block.counting, set(_counts_of_words(shape.block))
    used = {name for leaf in leaves for name in leaf.low.names | leaf.high.names}
    outer = {id(item) for item in shape.block.items}
    return [
        Span(
            index=index,
            name=leaf.name,
            low=_plain(leaf.low),
            high=_plain(leaf.high),
            ceiling=ceiling,
            counts=isinstance(leaf, String) or leaf.name in counting,
            bounds=leaf.name in used,
            words=leaf.name in words,
            outer=id(leaf) in outer and isinstance(leaf, Integer) and not leaf.hidden,
            alphabet=leaf.alphabet if isinstance(leaf, String) else b"",
            decimals=leaf.decimals if isinstance(leaf, Integer) else 0,
        )
        for index, (leaf, ceiling) in enumerate(zip(leaves, _ceilings(leaves), strict=True))
    ]


def _ceilings(leaves: Sequence[Leaf]) -> Iterator[int | None]:
    """Yield the highest possible value of each integer, or length of each string; None: it is not known."""
    highest: dict[str, int] = {}
    for leaf in leaves:
        ceiling = leaf.high.value(highest) if leaf.high.names <= highest.keys() else None
        if leaf.name and ceiling is not None:
            highest[leaf.name] = ceiling
        yield ceiling


def _leaves(shape: Shape) -> list[Leaf]:
    """Return all integers and strings of a shape, in order."""
    leaves: list[Leaf] = []

    def note(leaf: Leaf) -> Leaf:
        leaves.append(leaf)
        return leaf

    shape.block.with_leaves(note)
    return leaves


def _with_leaf(shape: Shape, index: int, change: Callable[[Leaf], Leaf]) -> Shape:
    """Return the shape with the integer or string of this index changed."""
    numbers = count()
    block = shape.block.with_leaves(lambda leaf: change(leaf) if next(numbers) == index else leaf)
    return replace(shape, block=block)


def _counts_of_words(block: Block) -> Iterator[str]:
    """Yield the hidden integers that count items of a line."""
    for line in block.lines:
        yield from (item.name for item in line if isinstance(item, Integer) and item.hidden and len(line) > 1)
    for item in block.items:
        for inner in item.inner:
            yield from _counts_of_words(inner)


def with_limits(shape: Shape, index: int, *, low: int | None = None, high: int | None = None) -> Shape:
    """Return the shape with other limits of one integer or string; None: unchanged."""
    given = {"low": low, "high": high}
    limits: dict[str, Any] = {end: Number(amount=limit) for end, limit in given.items() if limit is not None}
    return _with_leaf(shape, index, lambda leaf: replace(leaf, **limits))


def with_counts(shape: Shape, value: Record) -> Shape:
    """Return the shape with each outer integer that other items depend on fixed to the number in a value."""
    used = {name for item in shape.block.items for each in item.expressions for name in each.names}

    def fixed(item: Item) -> Item:
        if not isinstance(item, Integer) or item.name not in used:
            return item
        number = Number(amount=value.part(item.name))
        return replace(item, low=number, high=number)

    return replace(shape, block=shape.block.mapped(fixed))


def with_alphabet(shape: Shape, index: int, alphabet: bytes) -> Shape:
    """Return the shape with another alphabet of one string; brackets that match stay."""

    def spelled(leaf: Leaf) -> Leaf:
        if not isinstance(leaf, String) or leaf.matching:
            return leaf
        return replace(leaf, alphabet=alphabet)

    return _with_leaf(shape, index, spelled)


def of_whole_kinds(alphabet: bytes) -> bytes:
    """Return an alphabet with all small letters, capitals or digits of which it has some; other signs stay."""
    return joined_letters(alphabet, *(kind for kind in _KINDS if set(kind) & set(alphabet)))


def wider_alphabets(alphabet: bytes) -> list[bytes]:
    """Return up to two wider alphabets: see `of_whole_kinds`; all letters and digits."""
    if not alphabet.isalnum():
        return []
    wider = (of_whole_kinds(alphabet), joined_letters(alphabet, *_KINDS))
    return [letters for letters in dict.fromkeys(wider) if len(letters) > len(alphabet)]


def present(shape: Shape, value: Record) -> set[int]:
    """Return the indexes of the integers and strings that occur in a value: blocks and forms may be missing."""
    return {index for index, held in enumerate(shape.block.leaf_values([value])) if held}


def seen_values(shape: Shape, values: Sequence[Record]) -> list[list[int]]:
    """Return for each integer and string of a shape, in order, the numbers or the lengths that these values hold."""
    leaves = shape.block.leaf_values(values)
    return [[len(part) if isinstance(part, bytes) else part for part in held] for held in leaves]


def _plain(expression: Expression) -> int | None:
    return expression.amount if isinstance(expression, Number) else None


# Rules to drop, in this order. Of a graph: connected, rising, acyclic, simple, loopless. Of an array: "ordered" drops
# any order; "strict" makes a rising one sorted, "in order" makes it distinct. Of a permutation: each number comes
# once. Of numbers: few decimal places and digits. Of brackets: they match.
FLAGS = (
    *("connected", "rising", "acyclic", "simple", "loopless", "ordered", "strict", "in order", "once", "places"),
    "matching",
)


def looser(shape: Shape, flag: str) -> Shape | None:
    """Return the shape without a rule of graphs (not of trees), arrays and others; None: no item has this rule.

    flag: one of FLAGS, or "numbers": no other integer limits the numbers of arrays and permutations.
    """
    block = shape.block.mapped(lambda item: item.relaxed(flag))
    return None if block == shape.block else replace(shape, block=block)


def loosest(shape: Shape) -> Shape:
    """Return the shape with only its structure: without the limits, letters and rules that samples suggest."""
    return replace(shape, block=shape.block.mapped(lambda item: item.loosest()))


def tighter(shape: Shape) -> Iterator[Shape]:
    """Yield the shape with each possible additional rule."""
    for block in shape.block.variants(lambda item, scope: item.tightened(scope), ()):
        yield replace(shape, block=block)


def without_repeats(shape: Shape) -> Iterator[Shape]:
    """Yield the shape with each possible additional rule against repetition."""
    for block in shape.block.variants(lambda item, _: item.without_repeats(), ()):
        yield replace(shape, block=block)
