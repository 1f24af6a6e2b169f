"""What a shape is made of, and the one model of its values.

A shape is a block of lines, a line holds items. A value of a block is a `Record` with one part an item:

    Integer → int                 Word, String, Fields → bytes
    Array → tuple of parts        Permutation → tuple of int
    Grid → tuple of rows, bytes   Edges → tuple of (u, v) or (u, v, weight)
    Parents → tuple of int
    Times → tuple of Records      Choice → Record, whose `form` says of which of its blocks
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

from harness.shapes.expressions import Env, Expression

ORDERS = ("sorted", "rising", "distinct")  # none smaller than the one before it; all larger; none twice
Part: TypeAlias = Any  # as the table above says; the item decides
Rows: TypeAlias = tuple[bytes, ...]
Edge: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Integer:
    """An integer from low to high; a name binds it for what follows.

    decimals: it is printed with at most so many decimal places, and is an integer in units of the last of them;
    least_decimals are printed even where they are 0. hidden: it is not printed at all: the blocks of a `Times` that
    is read until something comes, the items of an `Array` that is read to the end of its line.
    """

    name: str = ""
    low: Expression
    high: Expression
    decimals: int = 0
    least_decimals: int = 0
    hidden: bool = False

    def bounds(self, env: Env) -> tuple[int, int]:
        """Lowest and highest value here."""
        return self.low.value(env), self.high.value(env)


@dataclass(frozen=True, kw_only=True)
class Word:
    """One of some words; a literal is the only one."""

    name: str = ""
    words: tuple[bytes, ...]


@dataclass(frozen=True, kw_only=True)
class String:
    """A word of low to high letters."""

    name: str = ""
    low: Expression
    high: Expression
    alphabet: bytes


@dataclass(frozen=True, kw_only=True)
class Field:
    """A number within a word, with zeros before it up to its width."""

    low: int
    high: int
    width: int = 1


@dataclass(frozen=True, kw_only=True)
class Fields:
    """A word of numbers with fixed signs between them, as clock times and dates are."""

    name: str = ""
    pieces: tuple[bytes | Field, ...]

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The numbers alone."""
        return tuple(piece for piece in self.pieces if isinstance(piece, Field))


Scalar: TypeAlias = Integer | Word | String | Fields


@dataclass(frozen=True, kw_only=True)
class Array:
    """`count` items on one line. order: of ORDERS, what integers are; "": anything."""

    name: str = ""
    count: Expression
    item: Scalar
    order: str = ""

    @property
    def is_distinct(self) -> bool:
        """Whether no integer comes twice."""
        return self.order in ("rising", "distinct")


@dataclass(frozen=True, kw_only=True)
class Permutation:
    """The integers base … base + count − 1 in any order on one line."""

    name: str = ""
    count: Expression
    base: int


@dataclass(frozen=True, kw_only=True)
class Count:
    """How many cells hold one of `letters`: low to high, or, if `same` is not empty, as many as hold one of those."""

    letters: bytes
    low: Expression
    high: Expression
    same: bytes = b""


@dataclass(frozen=True, kw_only=True)
class Grid:
    """`rows` lines of `columns` cells; with a border, the outermost cells are all that letter.

    Counts are of the cells within the border.
    """

    name: str = ""
    rows: Expression
    columns: Expression
    alphabet: bytes
    counts: tuple[Count, ...] = ()
    border: bytes = b""

    @property
    def marks(self) -> bytes:
        """The letters that some count limits, in the order of the alphabet."""
        limited = b"".join(count.letters + count.same for count in self.counts)
        return bytes(letter for letter in self.alphabet if letter in limited)

    @property
    def fillers(self) -> bytes:
        """The letters that may stand anywhere, any number of times."""
        marks = self.marks
        return bytes(letter for letter in self.alphabet if letter not in marks)


@dataclass(frozen=True, kw_only=True)
class Edges:
    """A tree or graph as one edge a line: `u v`, or `u v w` with a weight."""

    name: str = ""
    vertices: Expression
    edges: Expression
    tree: bool = False
    connected: bool = False
    simple: bool = False
    directed: bool = False
    rising: bool = False  # from a smaller vertex to a larger one
    acyclic: bool = False  # no way along the edges comes back to where it began
    loopless: bool = False  # no edge from a vertex to itself
    base: int = 1
    weight: Integer | None = None

    @property
    def has_loops(self) -> bool:
        """Whether an edge may go from a vertex to itself."""
        return not (self.simple or self.rising or self.acyclic or self.loopless)

    def pairs(self, vertices: int) -> int:
        """How many edges there may be between so many vertices, if none comes twice and none is a loop."""
        return vertices * (vertices - 1) // (1 if self.both_ways else 2)

    @property
    def both_ways(self) -> bool:
        """Whether there may be an edge to a vertex and another one back."""
        return self.directed and not (self.rising or self.acyclic)


@dataclass(frozen=True, kw_only=True)
class Parents:
    """A rooted tree as `count` numbers: on which vertex each hangs, which is an earlier one unless `anywhere`.

    root: what stands for the root; if None, the first vertex is the root, and nothing is said of it.
    forest: there may be several roots.
    """

    name: str = ""
    vertices: Expression
    count: Expression
    base: int = 1
    root: int | None = None
    anywhere: bool = False
    forest: bool = False


@dataclass(frozen=True, kw_only=True)
class Block:
    """Lines of items; an item that fills several lines stands alone in its line."""

    lines: tuple[tuple["Item", ...], ...]

    @cached_property
    def items(self) -> tuple["Item", ...]:
        """All items, in order."""
        return tuple(item for line in self.lines for item in line)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The items' names, "" where there is none."""
        return tuple("" if isinstance(item, Times) else item.name for item in self.items)

    @cached_property
    def counting(self) -> frozenset[str]:
        """The integers that count something in this block or in one inside it."""
        found: set[str] = set()
        for item in self.items:
            found.update(*(expression.names for expression in counts_in(item)))
            for inner in inner_blocks(item):
                found |= inner.counting
            if isinstance(item, Array) and isinstance(item.item, String):
                found.update(*(expression.names for expression in counts_in(item.item)))
        return frozenset(found)


@dataclass(frozen=True, kw_only=True)
class Times:
    """A block, `count` times. row: a name that the block knows its own number by, from 1 on.

    until: the line that ends it, b"" for the end of the input; the count is then the hidden integer before it.
    """

    count: Expression
    block: Block
    row: str = ""
    until: bytes | None = None

    def inner(self, env: Env, number: int) -> Env:
        """What is known within the block when it comes for the `number`-th time."""
        return {**env, self.row: number} if self.row else env


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One of several blocks: queries of different kinds. The first that fits is the one that is read."""

    name: str = ""
    blocks: tuple[Block, ...]


Item: TypeAlias = Integer | Word | String | Fields | Array | Permutation | Parents | Grid | Edges | Times | Choice


@dataclass(frozen=True, kw_only=True)
class Shape:
    """An input format: its text, and what the text says."""

    text: str
    block: Block


@dataclass(frozen=True, kw_only=True)
class Record:
    """A value of a block: one part an item, which `record["n"]` finds by the item's name.

    form: where several blocks are possible, of which it is a value.
    """

    names: tuple[str, ...]
    parts: tuple[Part, ...]
    form: int = 0

    def __getitem__(self, name: str) -> Part:
        if not name or name not in self.names:
            raise KeyError(name)
        return self.parts[self.names.index(name)]

    def with_part(self, index: int, part: Part) -> "Record":
        """This record with one part replaced."""
        return replace(self, parts=(*self.parts[:index], part, *self.parts[index + 1 :]))


def bound(block: Block, record: Record, outer: Env) -> Env:
    """The integers that are known within a record: those from outside and its own."""
    own = {
        item.name: part
        for item, part in zip(block.items, record.parts, strict=True)
        if isinstance(item, Integer) and item.name
    }
    return {**outer, **own}


def counts_in(item: Item) -> tuple[Expression, ...]:
    """The expressions that say how many things an item holds."""
    match item:
        case Array() | Permutation() | Times():
            return (item.count,)
        case Parents():
            return (item.vertices,)
        case Grid():
            return (item.rows, item.columns)
        case Edges():
            return (item.vertices, item.edges)
        case String():
            return (item.low, item.high)
        case _:
            return ()


def inner_blocks(item: Item) -> tuple[Block, ...]:
    """The blocks that an item is made of: one that is repeated, or those of a choice."""
    return (item.block,) if isinstance(item, Times) else item.blocks if isinstance(item, Choice) else ()


def leaves(item: Item, part: Part) -> Iterator[tuple[Item, Part]]:
    """The item itself, or, of an array, each of its items."""
    if isinstance(item, Array):
        yield from ((item.item, each) for each in part)
    else:
        yield item, part
