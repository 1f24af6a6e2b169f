"""The model of what a validator or a program reads: values, spaces and ends of lines, in loops."""

from collections.abc import Iterator, Sequence

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


Node = ReadValue | Space | Newline | Loop | Distinct


def walk(nodes: Sequence[Node]) -> Iterator[Node]:
    """Yield these nodes, and all nodes within their loops."""
    for node in nodes:
        yield node
        if isinstance(node, Loop):
            yield from walk(node.body)


@dataclass(frozen=True, kw_only=True)
class Unknown:
    """The values to assume where a source does not show them.

    least, most: limits and lengths. letters: the alphabet of words.
    """

    least: int = 1
    most: int = 10
    letters: bytes = b"abcdefghijklmnopqrstuvwxyz"
