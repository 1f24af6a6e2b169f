"""The model of what a validator or a program reads: values, spaces and ends of lines, in loops."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from harness.values import dataclass

UNTIL_END = "!ISEOF"  # count of a loop that runs up to the end of the input


class UnreadableError(Exception):
    """A validator reads something that no shape can express."""


@dataclass(frozen=True, kw_only=True)
class ReadValue:
    """A value that is read. low, high: limits as expressions of the source; "" if unknown.

    array: the name of the array that stores it, "" if none does. places: decimal places (least, most). Of a word:
    letters: its alphabet; words: the possible ones; length: (least, most) as expressions.
    """

    kind: str  # integer, decimal or word
    name: str = ""
    array: str = ""
    low: str = ""
    high: str = ""
    places: tuple[int, int] = (0, 2)
    letters: bytes = b""
    words: tuple[bytes, ...] = ()
    length: tuple[str, str] = ("", "")


@dataclass(frozen=True, kw_only=True)
class Space:
    """A space between two values."""


@dataclass(frozen=True, kw_only=True)
class Newline:
    """The end of a line."""


@dataclass(frozen=True, kw_only=True)
class Loop:
    """Repeated reads. count: the number of rounds as an expression of the source, "" if unknown.

    index: the variable that counts the rounds, from `first` on. separator: what is read between two rounds.
    """

    count: str
    body: "tuple[Node, ...]"
    index: str = ""
    first: int = 0
    separator: "Space | Newline | None" = None


@dataclass(frozen=True, kw_only=True)
class Distinct:
    """The demand that the values stored in these arrays are different, row by row."""

    arrays: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Forms:
    """A line of one of several forms: the first word, and what follows it. b"": a word that has no name."""

    forms: "tuple[tuple[bytes, tuple[ReadValue, ...]], ...]"


@dataclass(frozen=True, kw_only=True)
class Condition:
    """Reads under the condition that a variable is equal to a word, and otherwise; see harness.reads.forms."""

    variable: str
    word: bytes
    body: "tuple[Node, ...]"
    other: "tuple[Node, ...]"


Node = ReadValue | Space | Newline | Loop | Distinct | Forms | Condition


def walk(nodes: Sequence[Node]) -> Iterator[Node]:
    """Yield these nodes, and all nodes within their loops and forms."""
    for node in nodes:
        yield node
        if isinstance(node, Loop):
            yield from walk(node.body)
        elif isinstance(node, Forms):
            yield from (value for _, values in node.forms for value in values)


def with_counts(node: Node, given: Mapping[str, str]) -> Node:
    """Return what is read with these expressions in place of names in the counts of loops."""
    if not isinstance(node, Loop):
        return node
    count = re.sub(r"[A-Za-z_]\w*", lambda name: _as_factor(given.get(name[0], name[0])), node.count)
    return replace(node, count=count, body=tuple(with_counts(inner, given) for inner in node.body))


def _as_factor(expression: str) -> str:
    return expression if re.fullmatch(r"\w+", expression) else f"({expression})"


@dataclass(frozen=True, kw_only=True)
class Unknown:
    """The values to assume where a source does not show them.

    least, most: limits and lengths. letters: the alphabet of words. words: the only possible ones, if there are any.
    """

    least: int = 1
    most: int = 10
    letters: bytes = b"abcdefghijklmnopqrstuvwxyz"
    words: tuple[bytes, ...] = ()
