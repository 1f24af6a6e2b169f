"""A shape with other limits, letters or rules.

Samples are too few to show rules: `k: 1..10` of a head `n k` is `1..n` more often than not. One rule more: an integer
goes no further than an earlier one, or not below it; an array is in order; a graph has no loops.
"""

import string
from collections.abc import Iterator
from dataclasses import replace

from harness.shapes.expressions import Expression, Number
from harness.shapes.kinds import Block, Integer, Record, Shape, String, inner_blocks
from harness.values import dataclass

Leaf = Integer | String
_KINDS = (string.ascii_lowercase.encode(), string.ascii_uppercase.encode(), string.digits.encode())


@dataclass(frozen=True, kw_only=True)
class Span:
    """An integer, or the length of a string, by its place among all of a shape. None: no plain number.

    ceiling: the highest that it can be, also where its limit is another integer. counts: whether it says how many
    things there are; bounds: whether it is the limit of others, as of places; words: whether it is how
    many items a line has, which is not printed. alphabet: of a string.
    """

    place: int
    low: int | None
    high: int | None
    ceiling: int | None
    counts: bool
    bounds: bool = False
    words: bool = False
    alphabet: bytes = b""

    @property
    def is_literal(self) -> bool:
        """Whether it is always the same, as the number that a form of a line begins with."""
        return self.low is not None and self.low == self.high


def spans(shape: Shape) -> list[Span]:
    """All integers and strings of a shape, in order."""
    counting = shape.block.counting
    leaves: list[Span] = []
    highest: dict[str, int] = {}
    names: list[str | None] = []
    used: set[str | None] = set()

    def note(leaf: Leaf) -> Leaf:
        counts = isinstance(leaf, String) or leaf.name in counting
        ceiling = leaf.high.value(highest) if leaf.high.names <= highest.keys() else None
        low, high = _plain(leaf.low), _plain(leaf.high)
        alphabet = leaf.alphabet if isinstance(leaf, String) else b""
        leaves.append(
            Span(place=len(leaves), low=low, high=high, ceiling=ceiling, counts=counts, alphabet=alphabet)
        )
        names.append(leaf.name or None)
        used.update(leaf.low.names | leaf.high.names)
        if leaf.name and ceiling is not None:
            highest[leaf.name] = ceiling
        return leaf

    shape.block.with_leaves(note)
    words = set(_counts_of_words(shape.block))
    return [
        replace(span, bounds=name in used, words=name in words) for span, name in zip(leaves, names, strict=True)
    ]


def _counts_of_words(block: Block) -> Iterator[str]:
    """The integers that are not printed and stand in a line with what they count."""
    for line in block.lines:
        yield from (item.name for item in line if isinstance(item, Integer) and item.hidden and len(line) > 1)
    for item in block.items:
        for inner in inner_blocks(item):
            yield from _counts_of_words(inner)


def with_limits(shape: Shape, place: int, *, low: int | None = None, high: int | None = None) -> Shape:
    """The shape with other limits of one integer or string; None: as it was."""
    numbers = iter(range(place + 1))

    def change(leaf: Leaf) -> Leaf:
        if next(numbers, None) != place:
            return leaf
        new_low = leaf.low if low is None else Number(amount=low)
        new_high = leaf.high if high is None else Number(amount=high)
        return replace(leaf, low=new_low, high=new_high)

    return replace(shape, block=shape.block.with_leaves(change))


def with_alphabet(shape: Shape, place: int, alphabet: bytes) -> Shape:
    """The shape with another alphabet of one string."""
    numbers = iter(range(place + 1))

    def change(leaf: Leaf) -> Leaf:
        here = next(numbers, None) == place
        return replace(leaf, alphabet=alphabet) if here and isinstance(leaf, String) else leaf

    return replace(shape, block=shape.block.with_leaves(change))


def of_whole_kinds(alphabet: bytes) -> bytes:
    """An alphabet with all letters of the kinds that it has: small ones, capitals, digits; with signs, as it is."""
    if not alphabet.isalnum():
        return alphabet
    whole = b"".join(kind for kind in _KINDS if set(kind) & set(alphabet))
    return alphabet + bytes(each for each in whole if each not in alphabet)


def wider_alphabets(alphabet: bytes) -> list[bytes]:
    """All letters of the kinds that an alphabet has; then all letters and digits."""
    if not alphabet.isalnum():
        return []
    every = alphabet + bytes(each for each in b"".join(_KINDS) if each not in alphabet)
    wider = (of_whole_kinds(alphabet), every)
    return [letters for letters in dict.fromkeys(wider) if len(letters) > len(alphabet)]


def present(shape: Shape, value: Record) -> set[int]:
    """The places of the integers and strings that a value holds: a block may be repeated no times, a form not occur."""
    return {place for place, held in enumerate(shape.block.held([value])) if held}


def _plain(expression: Expression) -> int | None:
    return expression.amount if isinstance(expression, Number) else None


# In this order: a graph hangs together, rises, is acyclic, simple, loopless; an array is in order or distinct, else
# one of the two.
FLAGS = ("connected", "rising", "acyclic", "simple", "loopless", "ordered", "strict", "in order")


def looser(shape: Shape, flag: str) -> Shape | None:
    """Return the shape whose graphs (trees apart) and arrays lack the rule `flag`; None if none has it."""
    block = shape.block.relaxed(flag)
    return None if block == shape.block else replace(shape, block=block)


def loosest(shape: Shape) -> Shape:
    """Return the shape without any limit, letter or rule that samples can only suggest: what follows what is left."""
    return replace(shape, block=shape.block.loosest())


def tighter(shape: Shape) -> Iterator[Shape]:
    """Yield the shape with each of the rules that it could have besides."""
    for block in shape.block.tightened(()):
        yield replace(shape, block=block)
