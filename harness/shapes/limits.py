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
    """The limits of an integer, or of a string's length, by its index and name in the shape. None: no plain number.

    ceiling: its highest possible value, also if its limit is another integer. counts: a count, or a string's length;
    bounds: whether it is the limit of others, as of indexes; words: whether it is the hidden number
    of items of a line; outer: whether it is an integer alone outside of repeated blocks. alphabet: of a string.
    decimals: the decimal places of an integer's limits, which count units of the last place.
    """

    place: int
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
        """Return whether it has a single value, as the number that begins a form of a line."""
        return self.low is not None and self.low == self.high


def spans(shape: Shape) -> list[Span]:
    """Return the spans of all integers and strings of a shape, in order."""
    leaves = _leaves(shape)
    counting, words = shape.block.counting, set(_counts_of_words(shape.block))
    used = {name for leaf in leaves for name in leaf.low.names | leaf.high.names}
    outer = {id(item) for item in shape.block.items}
    return [
        Span(
            place=place,
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
        for place, (leaf, ceiling) in enumerate(zip(leaves, _ceilings(leaves), strict=True))
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


def _with_leaf(shape: Shape, place: int, change: Callable[[Leaf], Leaf]) -> Shape:
    """Return the shape with the integer or string of this index changed."""
    numbers = count()
    block = shape.block.with_leaves(lambda leaf: change(leaf) if next(numbers) == place else leaf)
    return replace(shape, block=block)


def _counts_of_words(block: Block) -> Iterator[str]:
    """Yield the hidden integers that count items of a line."""
    for line in block.lines:
        yield from (item.name for item in line if isinstance(item, Integer) and item.hidden and len(line) > 1)
    for item in block.items:
        for inner in item.inner:
            yield from _counts_of_words(inner)


def with_limits(shape: Shape, place: int, *, low: int | None = None, high: int | None = None) -> Shape:
    """Return the shape with other limits of one integer or string; None: unchanged."""
    given = {"low": low, "high": high}
    limits: dict[str, Any] = {end: Number(amount=limit) for end, limit in given.items() if limit is not None}
    return _with_leaf(shape, place, lambda leaf: replace(leaf, **limits))


def with_counts(shape: Shape, value: Record) -> Shape:
    """Return the shape with the integers that other items depend on fixed to those of a value."""
    used = {name for item in shape.block.items for each in item.expressions for name in each.names}

    def fixed(item: Item) -> Item:
        if not isinstance(item, Integer) or item.name not in used:
            return item
        number = Number(amount=value.part(item.name))
        return replace(item, low=number, high=number)

    return replace(shape, block=shape.block.mapped(fixed))


def with_alphabet(shape: Shape, place: int, alphabet: bytes) -> Shape:
    """Return the shape with another alphabet of one string; brackets that match stay."""

    def spelled(leaf: Leaf) -> Leaf:
        if not isinstance(leaf, String) or leaf.matching:
            return leaf
        return replace(leaf, alphabet=alphabet)

    return _with_leaf(shape, place, spelled)


def of_whole_kinds(alphabet: bytes) -> bytes:
    """Extend an alphabet to all letters of its kinds: small letters, capitals, digits. Signs stay."""
    return joined_letters(alphabet, *(kind for kind in _KINDS if set(kind) & set(alphabet)))


def wider_alphabets(alphabet: bytes) -> list[bytes]:
    """Return two wider alphabets: all letters of the alphabet's kinds; all letters and digits."""
    if not alphabet.isalnum():
        return []
    wider = (of_whole_kinds(alphabet), joined_letters(alphabet, *_KINDS))
    return [letters for letters in dict.fromkeys(wider) if len(letters) > len(alphabet)]


def present(shape: Shape, value: Record) -> set[int]:
    """Return the indexes of the integers and strings that a value holds: a block may occur 0 times, a form never."""
    return {place for place, held in enumerate(shape.block.leaf_values([value])) if held}


def seen_values(shape: Shape, values: Sequence[Record]) -> list[list[int]]:
    """Return for each integer and string of a shape, in order, the numbers or the lengths that these values hold."""
    leaves = shape.block.leaf_values(values)
    return [[len(part) if isinstance(part, bytes) else part for part in held] for held in leaves]


def _plain(expression: Expression) -> int | None:
    return expression.amount if isinstance(expression, Number) else None


# Rules to drop, in this order. A graph is connected, rising, acyclic, simple, loopless. "ordered" drops any order of an
# array; of a rising one, "strict" leaves it sorted, "in order" leaves it distinct. A permutation has each number once;
# numbers have few decimal places and digits; brackets match.
FLAGS = (
    *("connected", "rising", "acyclic", "simple", "loopless", "ordered", "strict", "in order", "once", "places"),
    "matching",
)


def looser(shape: Shape, flag: str) -> Shape | None:
    """Return the shape whose graphs (trees apart) and arrays lack the rule `flag`; None if none has it.

    "numbers": no other integer limits the numbers of arrays and permutations.
    """
    block = shape.block.mapped(lambda item: item.relaxed(flag))
    return None if block == shape.block else replace(shape, block=block)


def loosest(shape: Shape) -> Shape:
    """Return the shape without any limit, letter or rule that samples can only suggest: only its structure."""
    return replace(shape, block=shape.block.mapped(lambda item: item.loosest()))


def tighter(shape: Shape) -> Iterator[Shape]:
    """Yield the shape with each possible additional rule."""
    for block in shape.block.variants(lambda item, scope: item.tightened(scope), ()):
        yield replace(shape, block=block)


def without_repeats(shape: Shape) -> Iterator[Shape]:
    """Yield the shape with each possible additional rule against repetition."""
    for block in shape.block.variants(lambda item, _: item.without_repeats(), ()):
        yield replace(shape, block=block)
