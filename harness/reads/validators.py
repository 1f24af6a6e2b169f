"""Model of what an input validator reads, space by space and line by line; written as a shape.

A validator states more than samples show: every limit, every letter, what counts what. Languages of validators are
translated to this model by ctd_reads.py (Checktestdata) and call_reads.py (C++ libraries). What a shape cannot say,
such as the assertions, is left out: the validators check each input anyway.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace

from harness.reads.terms import UNKNOWN_TERM, Term, term_of
from harness.shapes.grammar import RESERVED
from harness.shapes.guess_ranges import quoted_text
from harness.values import dataclass

_GRAPH = (2, 3)  # numbers of an edge, without and with a weight


class UnreadableError(Exception):
    """A validator reads something that no shape expresses."""


@dataclass(frozen=True, kw_only=True)
class Value:
    """A value that is read. low, high: limits as expressions of the source; "" if unknown.

    array: the name of the array that it is stored in, if any. places: of a decimal, at least and at most. letters,
    words, length (least, most): of a word.
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
    """Repeated reads. count: an expression; "": up to the end of the input.

    index: the variable that counts from `first`. separator: what is read between two rounds. ends_line: whether the
    last round is followed by the end of the line.
    """

    count: str
    body: "tuple[Node, ...]"
    index: str = ""
    first: int = 0
    separator: "Space | Newline | None" = None
    ends_line: bool = False


@dataclass(frozen=True, kw_only=True)
class Distinct:
    """The demand that the values stored in these arrays are different, row by row."""

    arrays: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Branch:
    """Reads that depend on an earlier value: `body` if the value `name` is `literal`, else `other`."""

    name: str
    literal: str
    body: "tuple[Node, ...]"
    other: "tuple[Node, ...]" = ()


Node = Branch | Value | Space | Newline | Loop | Distinct


@dataclass(frozen=True, kw_only=True)
class Unknown:
    """What stands for that which a source does not show. most: for an upper limit or a length; letters: of words."""

    most: int = 10
    letters: bytes = b"abcdefghijklmnopqrstuvwxyz"


def shape_text(
    nodes: Sequence[Node], unknown: Unknown, constants: Callable[[str], str | None] = lambda _: None
) -> str:
    """Return the text of the shape. Raises UnreadableError.

    constants: returns the expression of a named constant.
    """
    writer = _Writer(
        used=set(_names_used(nodes)), distinct=list(_distinct(nodes)), constants=constants, unknown=unknown
    )
    writer.write(nodes, "")
    if not writer.lines:
        raise UnreadableError("it reads nothing")
    return "\n".join(writer.lines)


def _names_used(nodes: Sequence[Node]) -> Iterator[str]:
    """Yield the names in expressions."""
    for node in nodes:
        texts: tuple[str, ...] = ()
        if isinstance(node, Value):
            texts = (node.low, node.high, *node.length)
        elif isinstance(node, Loop):
            texts = (node.count,)
            yield from _names_used(node.body)
        elif isinstance(node, Branch):
            yield from _names_used((*node.body, *node.other))
        for text in texts:
            yield from re.findall(r"[A-Za-z_]\w*", text)


def _distinct(nodes: Sequence[Node]) -> Iterator[tuple[str, ...]]:
    for node in nodes:
        if isinstance(node, Distinct):
            yield node.arrays
        elif isinstance(node, Loop):
            yield from _distinct(node.body)


@dataclass(kw_only=True)
class _Writer:
    """Writes the lines of a shape. used: names that occur in expressions; only such values are named."""

    used: set[str]
    distinct: list[tuple[str, ...]]
    constants: Callable[[str], str | None]
    unknown: Unknown
    lines: list[str] = field(default_factory=list)
    known: dict[str, Term] = field(default_factory=dict)  # by the name in the source
    taken: set[str] = field(default_factory=set)  # names of the shape

    def write(self, nodes: Sequence[Node], indent: str) -> None:
        """Append the lines of these nodes."""
        line: list[str] = []
        rest = [node for node in nodes if not isinstance(node, Distinct)]
        place = next((place for place, node in enumerate(rest) if isinstance(node, Branch)), None)
        if place is not None:
            self._forms(rest, place, indent)
            return
        for place, node in enumerate(rest):
            if isinstance(node, Value):
                line.append(self._item(node))
            elif isinstance(node, Newline):
                if line or not (place and _ends_line(rest[place - 1])):
                    self.lines.append(indent + (" ".join(line) or '""'))
                line = []
            elif isinstance(node, Loop):
                if _is_block(node):
                    if line:
                        raise UnreadableError("lines are repeated in the middle of a line")
                    self._block(node, indent)
                else:
                    line.append(self._array(node))
                    if node.ends_line:
                        self.lines.append(indent + " ".join(line))
                        line = []
        if line:
            self.lines.append(indent + " ".join(line))

    def _forms(self, nodes: Sequence[Node], place: int, indent: str) -> None:
        """Append nodes with a branch at an index: the lines from that of the deciding value on have two forms."""
        branch, before = nodes[place], nodes[:place]
        at = next(
            (at for at, node in enumerate(before) if isinstance(branch, Branch) and _decides(node, branch)), None
        )
        if not isinstance(branch, Branch) or at is None:
            raise UnreadableError("some values are read under a condition")
        start = next((at + 1 for at in range(at, 0, -1) if isinstance(before[at], Newline)), 0)
        inside = any(isinstance(node, Newline) for node in (*branch.body, *branch.other))
        ends = [at for at in range(place, len(nodes)) if isinstance(nodes[at], Newline)]
        end = place + 1 if inside else ends[0] + 1 if ends else len(nodes)
        self.write(nodes[:start], indent)
        for number, (value, body) in enumerate(_alternatives(nodes[at], branch, self.unknown.letters)):
            self.lines.append(f"{indent}{'} or' if number else 'either'} {{")
            known, taken = dict(self.known), set(self.taken)
            self.write(
                (*nodes[start:at], value, *nodes[at + 1 : place], *body, *nodes[place + 1 : end]), indent + "  "
            )
            self.known, self.taken = known, taken
        self.lines.append(indent + "}")
        self.write(nodes[end:], indent)

    def _block(self, loop: Loop, indent: str) -> None:
        """Append repeated lines: a grid, a graph, or a block."""
        body = (*loop.body, *((loop.separator,) if isinstance(loop.separator, Newline) else ()))
        if not loop.count:
            self._lines_inside(body, "until end {", indent)
            return
        count = self.term(loop.count)
        rows = count.text or str(count.high if count.high is not None else self.unknown.most)
        known, taken = dict(self.known), set(self.taken)
        whole = self._grid(rows, body) or self._graph(rows, body)
        self.known, self.taken = known, taken
        if whole:
            self.lines.append(indent + whole)
            return
        head = f"{rows} times"
        if loop.index in self.used:
            name = self._named(loop.index)
            shift = loop.first - 1
            text = f"{name}{shift:+d}" if shift else name
            self.known[loop.index] = Term(text=text, low=loop.first, high=count.high, is_sum=bool(shift))
            head += f" as {name}"
        self._lines_inside(body, head + " {", indent, known)

    def _lines_inside(
        self, body: Sequence[Node], head: str, indent: str, known: dict[str, Term] | None = None
    ) -> None:
        """Append a block; its names are its own. known: the names outside of it."""
        outside = dict(self.known) if known is None else known
        self.lines.append(indent + head)
        before = len(self.lines)
        self.write(body, indent + "  ")
        values = [node for node in body if isinstance(node, Value)]
        if any(
            len(arrays) == len(values) and set(arrays) == {each.array for each in values}
            for arrays in self.distinct
        ):
            self.lines[before - 1] = f"{indent}distinct({head}"
            self.lines.append(indent + "})")
        else:
            self.lines.append(indent + "}")
        self.known = outside

    def _grid(self, rows: str, body: Sequence[Node]) -> str:
        """Return the text of a grid if each row is a word of letters whose number is the same; else ""."""
        if len(body) != 2 or not isinstance(body[1], Newline):
            return ""
        row = body[0]
        if isinstance(row, Loop) and _is_letters(row):
            letter: Node = row.body[0]
            columns = self.term(row.count).text
        elif isinstance(row, Value) and row.kind == "word" and row.length[0] == row.length[1] != "":
            letter, columns = row, self.term(row.length[0]).text
        else:
            return ""
        return (
            f"grid({rows}, {columns}, {self._letters_of(letter)})" if columns and isinstance(letter, Value) else ""
        )

    def _letters_of(self, word: Node) -> str:
        """Return the alphabet of a word."""
        letters = word.letters if isinstance(word, Value) else b""
        return _alphabet(letters or self.unknown.letters)

    def _graph(self, rows: str, body: Sequence[Node]) -> str:
        """Return the text of a graph if each row has two numbers up to the same earlier one; else ""."""
        values = [node for node in body if isinstance(node, Value)]
        spaces = sum(isinstance(node, Space) for node in body)
        is_line = len(values) + spaces + 1 == len(body) and isinstance(body[-1], Newline)
        if not is_line or len(values) not in _GRAPH or any(value.kind != "integer" for value in values):
            return ""
        ends = [self._limits(value) for value in values]
        if ends[0] != ends[1] or re.match(r"\d", ends[0][1]) or ends[0][0] not in ("0", "1"):
            return ""
        if any(value.name in self.used for value in values):
            return ""
        base = int(ends[0][0])
        vertices = ends[0][1] if base else ends[0][1].removesuffix("-1")
        if (base == 0) is (vertices == ends[0][1]) or not vertices.isidentifier():
            return ""
        weight = f", weight={'..'.join(ends[2])}" if len(ends) == max(_GRAPH) else ""
        simple = any(len(arrays) == 2 for arrays in self.distinct)
        return f"graph({vertices}, {rows}{', simple' if simple else ''}{'' if base else ', base=0'}{weight})"

    def _array(self, loop: Loop) -> str:
        """Return the text of values that are repeated within a line."""
        count = self.term(loop.count)
        text = count.text or str(count.high if count.high is not None else self.unknown.most)
        if _is_letters(loop):
            [letter] = loop.body
            return f"(string({text}, {self._letters_of(letter)}))"
        values = [node for node in loop.body if not isinstance(node, Space | Distinct)]
        items = {self._item(replace(node, name="")) for node in values if isinstance(node, Value)}
        if len(items) != 1 or not all(isinstance(node, Value) for node in values):
            raise UnreadableError("different values are repeated within a line")
        if len(values) > 1:
            text = f"{len(values)}*{text}" if not count.is_sum else ""
            if not text:
                raise UnreadableError("a count within a line has parentheses")
        array = {node.array for node in values if isinstance(node, Value)}
        item = items.pop()
        whole = f"{text} * {item if item.startswith('(') else f'({item})'}"
        return f"distinct({whole})" if any(set(arrays) == array for arrays in self.distinct) else whole

    def _item(self, value: Value) -> str:
        """Return the text of a value; note its name."""
        if value.words:
            return "|".join(map(quoted_text, value.words))
        if value.kind == "word":
            low, high = (self.term(text) for text in value.length)
            least = low.text or str(low.low if low.low is not None else 1)
            most = high.text or str(high.high if high.high is not None else self.unknown.most)
            length = least if least == most else f"{least}..{most}"
            return f"(string({length}, {self._letters_of(value)}))"
        if value.kind == "decimal":
            least_number, most_number = (
                self._decimal(value.low, 0.0)[0],
                self._decimal(value.high, self.unknown.most)[1],
            )
            self.known[value.name] = Term(text="", low=int(least_number), high=int(most_number))
            return f"({least_number:.{value.places[0]}f}..{most_number:.{value.places[1]}f})"
        low_text, high_text = self._limits(value)
        if value.name not in self.used or not value.name:
            return f"({low_text}..{high_text})"
        name = self._named(value.name)
        low, high = self.term(value.low), self.term(value.high)
        self.known[value.name] = Term(text=name, low=low.low, high=high.high)
        return f"{name}: {low_text}..{high_text}"

    def _limits(self, value: Value) -> tuple[str, str]:
        low, high = self.term(value.low), self.term(value.high)
        least = low.text or str(low.low if low.low is not None else min(1, high.high or 1))
        return least, high.text or str(high.high if high.high is not None else self.unknown.most)

    def _decimal(self, text: str, unknown: float) -> tuple[float, float]:
        """Return the least and highest value of a limit with decimal places."""
        try:
            return (float(text), float(text))
        except ValueError:
            term = self.term(text)
            return (unknown if term.low is None else term.low, unknown if term.high is None else term.high)

    def _named(self, name: str) -> str:
        """Return a name for the shape that is not taken."""
        plain = name if name not in RESERVED else f"{name}_"
        while plain in self.taken:
            plain += "_"
        self.taken.add(plain)
        return plain

    def term(self, text: str) -> Term:
        """Return the term of an expression of the source."""
        return term_of(text, self._value_of)

    def _value_of(self, name: str) -> Term:
        if name in self.known:
            return self.known[name]
        text = self.constants(name)
        return self.term(text) if text is not None and name not in text else UNKNOWN_TERM


def _decides(node: Node, branch: Branch) -> bool:
    return isinstance(node, Value) and node.name == branch.name


def _alternatives(value: Node, branch: Branch, letters: bytes) -> list[tuple[Node, tuple[Node, ...]]]:
    """Return the deciding value of each branch, with what is read then. letters: of words with unknown letters."""
    literal = branch.literal.encode()
    if not isinstance(value, Value):
        return []
    if value.kind == "integer":
        if not all(re.fullmatch(r"-?\d+", text) for text in (value.low, value.high, branch.literal)):
            raise UnreadableError("a number without fixed limits decides what is read")
        words = [
            str(number).encode() for number in range(int(value.low), min(int(value.high), int(value.low) + 9) + 1)
        ]
    else:
        words = list(value.words) or [bytes([letter]) for letter in value.letters or letters]
    rest = tuple(word for word in words if word != literal)
    chosen = replace(value, kind="word", words=(literal,))
    return [(chosen, branch.body), *([(replace(chosen, words=rest), branch.other)] if rest else [])]


def _is_block(loop: Loop) -> bool:
    """Return whether a loop reads whole lines."""
    return isinstance(loop.separator, Newline) or any(
        isinstance(node, Newline) or (isinstance(node, Loop) and (_is_block(node) or node.ends_line))
        for node in loop.body
    )


def _ends_line(node: Node) -> bool:
    """Return whether the end of line after this node was written with it."""
    return isinstance(node, Loop) and (isinstance(node.separator, Newline) or node.ends_line)


def _is_letters(loop: Loop) -> bool:
    """Return whether a loop reads one letter a round, with nothing between."""
    if loop.separator is not None or len(loop.body) != 1 or not isinstance(loop.body[0], Value):
        return False
    return loop.body[0].kind == "word" and loop.body[0].length == ("1", "1")


def _alphabet(letters: bytes) -> str:
    """Return an alphabet as a shape writes it."""
    left, spans = bytes(dict.fromkeys(letters)), []
    for first, last in ("az", "AZ", "09"):
        kind = bytes(range(ord(first), ord(last) + 1))
        if set(kind) <= set(left):
            spans.append(f"{first}..{last}")
            left = bytes(letter for letter in left if letter not in kind)
    return " ".join([*([quoted_text(left)] if left else []), *spans])
