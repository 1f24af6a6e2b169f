"""Write what is read (nodes.py) as a shape.

A validator states more than samples show: every limit, every letter, what counts what. Its source is translated to
the model by ctd.py (Checktestdata) or cpp_validators.py (C++ libraries); a program's source by braces.py or
python.py. What no shape can express is left out, since the validators check each input anyway.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from decimal import Decimal
from typing import Self

from harness.reads.nodes import (
    UNTIL_END,
    Distinct,
    Forms,
    Loop,
    Newline,
    Node,
    ReadValue,
    Space,
    Unknown,
    UnreadableError,
    walk,
)
from harness.reads.terms import UNKNOWN_TERM, Term, term_of
from harness.shapes.grammar import RESERVED
from harness.shapes.guess_ranges import is_integer, quoted_text
from harness.values import dataclass


def shape_text(
    nodes: Sequence[Node], unknown: Unknown, constants: Callable[[str], str | None] = lambda _: None
) -> str:
    """Return the text of the shape. Raises UnreadableError.

    constants: returns the expression of a named constant.
    """
    writer = Writer(used=names_used(nodes), distinct=distinct_arrays(nodes), constants=constants, unknown=unknown)
    writer.write(nodes, "")
    if not writer.lines:
        raise UnreadableError("it reads nothing")
    return "\n".join(writer.lines)


def names_used(nodes: Sequence[Node]) -> set[str]:
    """Return the names in expressions."""
    texts: list[str] = []
    for node in walk(nodes):
        if isinstance(node, ReadValue):
            texts += [node.low, node.high, *node.length]
        elif isinstance(node, Loop):
            texts.append(node.count)
    return {name for text in texts for name in re.findall(r"[A-Za-z_]\w*", text)}


def distinct_arrays(nodes: Sequence[Node]) -> list[list[str]]:
    """Return the sorted arrays of each Distinct node, also of those within loops."""
    inner = [each for node in nodes if isinstance(node, Loop) for each in distinct_arrays(node.body)]
    return inner + [sorted(node.arrays) for node in nodes if isinstance(node, Distinct)]


@dataclass(kw_only=True)
class Writer:
    """Writes the lines of a shape. used: the names in expressions: only such values get a name in the shape."""

    used: set[str]
    distinct: list[list[str]] = field(default_factory=list)
    constants: Callable[[str], str | None] = lambda _: None
    unknown: Unknown
    lines: list[str] = field(default_factory=list)
    terms: dict[str, Term] = field(default_factory=dict)  # by the name in the source
    taken: set[str] = field(default_factory=set)  # names of the shape
    resolving: set[str] = field(default_factory=set)  # constants whose values are being computed

    def inner(self) -> Self:
        """Return a writer of the lines of a block, whose names are its own."""
        return replace(self, terms=dict(self.terms), taken=set(self.taken))

    def write(self, nodes: Sequence[Node], indent: str) -> None:
        """Append the lines of these nodes."""
        rest = [node for node in nodes if not isinstance(node, Distinct)]
        for line in _lines(rest):
            match line:
                case [Loop() as loop] if _has_lines(loop):
                    self.block(loop, indent)
                case [Forms() as forms]:
                    texts = list(self._texts_of(forms))
                    if len(texts) < 2:
                        raise UnreadableError("the words that begin other lines are not known")
                    self.lines.append(f"{indent}either {' or '.join(texts)}")
                case _:
                    self.line([node for node in line if not isinstance(node, Forms)], indent)

    def _texts_of(self, node: Forms) -> Iterator[str]:
        """Yield the text of each form; a form without a word gets one that only another program names."""
        named = {head for head, _ in node.forms}
        others = [word for word in self.unknown.words if word not in named]
        for head, values in node.forms:
            for word in [head] if head else others[:1]:
                inner = self.inner()
                inner.lines = []
                inner.line(values, "")
                text = word.decode() if is_integer(word) else quoted_text(word)
                yield f"{{ {text} {inner.lines[0] if values else ''}".rstrip() + " }"

    def line(self, nodes: Sequence[ReadValue | Loop], indent: str) -> None:
        """Append a line."""
        texts = [self.item(node, alone=len(nodes) == 1) for node in nodes]
        self.lines.append(indent + (" ".join(texts) or '""'))

    def item(self, node: ReadValue | Loop, *, alone: bool) -> str:
        """Return the text of values on a line. alone: nothing else is on the line."""
        return self._array(node) if isinstance(node, Loop) else self._item(node)

    def block(self, loop: Loop, indent: str) -> None:
        """Append repeated lines: a grid, a graph, or a block."""
        body = (*loop.body, *((loop.separator,) if isinstance(loop.separator, Newline) else ()))
        inner, head = self.inner(), "until end"
        if loop.count != UNTIL_END:
            count = self.term(loop.count)
            rows = self._count(count) or str(self.unknown.most)
            if whole := self.whole(rows, body):
                self.lines.append(indent + whole)
                return
            head = f"{rows} times"
            if loop.index in self.used:
                name = inner.named(loop.index)
                shift = loop.first - 1
                text = f"{name}{shift:+d}" if shift else name
                inner.terms[loop.index] = Term(text=text, low=loop.first, high=count.high)
                head += f" as {name}"
        opening, closing = ("distinct(", ")") if self._are_distinct(body) else ("", "")
        self.lines.append(f"{indent}{opening}{head} {{")
        inner.write(body, indent + "  ")
        self.lines.append(f"{indent}}}{closing}")

    def _are_distinct(self, nodes: Sequence[Node]) -> bool:
        """Return whether the values that are read in a round differ from those of all other rounds."""
        return sorted(node.array for node in nodes if isinstance(node, ReadValue)) in self.distinct

    def whole(self, rows: str, body: Sequence[Node]) -> str:
        """Return the text of lines that are a grid or a graph; else ""."""
        return self._grid(rows, body) or self._graph(rows, body)

    def _grid(self, rows: str, body: Sequence[Node]) -> str:
        """Return the text of a grid if each row is a word of the same length; else ""."""
        if len(body) != 2 or not isinstance(body[1], Newline):
            return ""
        row = body[0]
        if isinstance(row, Loop) and _is_letters(row):
            columns, row = self.term(row.count).text, row.body[0]
        elif isinstance(row, ReadValue) and row.kind == "word" and row.length[0] == row.length[1] != "":
            columns = self.term(row.length[0]).text
        else:
            return ""
        return f"grid({rows}, {columns}, {self._letters_of(row)})" if columns else ""

    def _graph(self, rows: str, body: Sequence[Node]) -> str:
        """Return the text of a graph if each row has two numbers limited by the same earlier one; else ""."""
        values = edge_of(body)
        ends = [self._limits(value) for value in values]
        if not ends or ends[0] != ends[1] or re.match(r"\d", ends[0][1]) or ends[0][0] not in ("0", "1"):
            return ""
        if any(value.name in self.used for value in values) or self._are_distinct(body):
            return ""
        base = int(ends[0][0])
        vertices = ends[0][1] if base else ends[0][1].removesuffix("-1")
        if (base == 0) is (vertices == ends[0][1]) or not vertices.isidentifier():
            return ""
        weight = f", weight={'..'.join(ends[2])}" if ends[2:] else ""
        return f"graph({vertices}, {rows}{'' if base else ', base=0'}{weight})"

    def _letters_of(self, word: Node) -> str:
        """Return the alphabet of a word."""
        letters = word.letters if isinstance(word, ReadValue) else b""
        return _alphabet(letters or self.unknown.letters)

    def _array(self, loop: Loop) -> str:
        """Return the text of values that are repeated within a line."""
        count = self.term(loop.count)
        text = self._count(count)
        if loop.index:
            self.terms[loop.index] = Term(text="", low=loop.first, high=count.high)
        if _is_letters(loop):
            return f"(string({text or f'1..{self.unknown.most}'}, {self._letters_of(loop.body[0])}))"
        values = [node for node in loop.body if isinstance(node, ReadValue)]
        items = {self._item(replace(value, name="")) for value in values}
        if len(items) != 1 or any(isinstance(node, Loop | Newline) for node in loop.body):
            raise UnreadableError("different values are repeated within a line")
        if len(values) > 1:
            if count.is_sum:
                raise UnreadableError("a count within a line has parentheses")
            text = f"{len(values)}*{text or self.unknown.most}"
        item = items.pop()
        whole = f"{text or f'1..{self.unknown.most}'} * {item if item.startswith('(') else f'({item})'}"
        return f"distinct({whole})" if self._are_distinct(values[:1]) else whole

    def _count(self, count: Term) -> str:
        """Return the text of a number of repetitions; "" if it is unknown."""
        if not count.text and count.high is not None:
            raise UnreadableError("a shape has no such count")
        return count.text

    def _item(self, value: ReadValue) -> str:
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
            least_number, most_number = self._decimal(value.low)[0], self._decimal(value.high)[1]
            self.terms[value.name] = Term(text="", low=math.floor(least_number), high=math.ceil(most_number))
            fewest, most_places = map(max, value.places, (_places(least_number), _places(most_number)))
            return f"({least_number:.{fewest}f}..{most_number:.{max(fewest, most_places)}f})"
        low_text, high_text = self._limits(value)
        if value.name not in self.used:
            return f"({low_text}..{high_text})"
        name = self.named(value.name)
        low, high = self.term(value.low), self.term(value.high)
        self.terms[value.name] = Term(text=name, low=low.low, high=high.high)
        return f"{name}: {low_text}..{high_text}"

    def _limits(self, value: ReadValue) -> tuple[str, str]:
        low, high = self.term(value.low), self.term(value.high)
        unknown = min(self.unknown.least, 1 if high.high is None else high.high)
        least = low.text or str(unknown if low.low is None else low.low)
        return least, high.text or str(self.unknown.most if high.high is None else high.high)

    def _decimal(self, text: str) -> tuple[Decimal, Decimal]:
        """Return the least and highest value of a limit with decimal places."""
        if re.fullmatch(r"-?\d+(\.\d*)?([eE][-+]?\d\d?)?", text):
            return (Decimal(text) + 0, Decimal(text) + 0)  # without -0
        term = self.term(text)
        low = min(0, self.unknown.least) if term.low is None else term.low
        high = self.unknown.most if term.high is None else term.high
        return (Decimal(low), Decimal(high))

    def named(self, name: str) -> str:
        """Return a name for the shape that is not taken."""
        plain = name if re.fullmatch(r"[A-Za-z]\w*", name) else f"v{len(self.taken) + 1}"
        plain += "_" * (plain in RESERVED)
        while plain in self.taken:
            plain += "_"
        self.taken.add(plain)
        return plain

    def term(self, text: str) -> Term:
        """Return the term of an expression of the source."""
        return term_of(text, self._value_of)

    def _value_of(self, name: str) -> Term:
        if name in self.terms:
            return self.terms[name]
        text = self.constants(name)
        if text is None or name in self.resolving:
            return UNKNOWN_TERM
        self.resolving.add(name)
        self.terms[name] = self.term(text)
        self.resolving.discard(name)
        return self.terms[name]


def _places(number: Decimal) -> int:
    """Return the decimal places of a number, without zeros at its end."""
    exponent = number.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _lines(nodes: Sequence[Node]) -> Iterator[list[ReadValue | Loop | Forms]]:
    """Yield the values of each line, and each block of lines on its own."""
    line: list[ReadValue | Loop | Forms] = []
    after_block = False  # of lines with ends between them: the next end belongs to the last
    for node in nodes:
        if isinstance(node, Loop) and _has_lines(node):
            if line:
                raise UnreadableError("lines are repeated in the middle of a line")
            yield [node]
        elif isinstance(node, Newline):
            if line or not after_block:
                yield line
            line = []
        elif isinstance(node, ReadValue | Loop | Forms):
            line.append(node)
        after_block = isinstance(node, Loop) and isinstance(node.separator, Newline)
    if line:
        yield line


def edge_of(body: Sequence[Node]) -> list[ReadValue]:
    """Return the numbers of a line that may be an edge of a graph: two, and perhaps a weight; else nothing."""
    values = [node for node in body if isinstance(node, ReadValue) and node.kind == "integer"]
    spaces = sum(isinstance(node, Space) for node in body)
    is_line = len(values) + spaces + 1 == len(body) and isinstance(body[-1], Newline)
    return values if is_line and len(values) in (2, 3) else []


def _has_lines(node: Node) -> bool:
    """Return whether the end of a line is read."""
    inside = list(walk([node]))
    ends = [*inside, *(each.separator for each in inside if isinstance(each, Loop))]
    return any(isinstance(each, Newline) for each in ends)


def _is_letters(loop: Loop) -> bool:
    """Return whether a loop reads one letter a round, with nothing between."""
    if loop.separator is not None or len(loop.body) != 1 or not isinstance(loop.body[0], ReadValue):
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
