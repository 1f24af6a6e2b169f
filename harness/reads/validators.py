"""Write what an input validator reads (model.py) as a shape.

A validator states more than samples show: every limit, every letter, what counts what. Languages of validators are
translated to this model by ctd.py (Checktestdata) and calls.py (C++ libraries). What a shape cannot say,
such as the assertions, is left out: the validators check each input anyway.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from decimal import Decimal

from harness.reads.model import Branch, Distinct, Loop, Newline, Node, Space, Unknown, UnreadableError, Value
from harness.reads.terms import UNKNOWN_TERM, Term, term_of
from harness.shapes.grammar import RESERVED
from harness.shapes.guess_ranges import quoted_text
from harness.values import dataclass

_MOST_FORMS = 10  # values of a number that decides what is read
_GRAPH = (2, 3)  # numbers of an edge, without and with a weight


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
    resolving: set[str] = field(default_factory=set)  # constants whose values are being computed

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
        branch = nodes[place]
        if not isinstance(branch, Branch):
            return
        deciding = [number for number, node in enumerate(nodes[:place]) if _decides(node, branch)]
        if not deciding:
            raise UnreadableError("some values are read under a condition")
        at, lines = deciding[-1], [number for number, node in enumerate(nodes) if isinstance(node, Newline)]
        start = max((line + 1 for line in lines if line < at), default=0)
        later = min((line + 1 for line in lines if line > place), default=len(nodes))
        end = place + 1 if _has_lines(branch) else later
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
        rows = self._count(count)
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
        arrays = sorted(value.array for value in values)
        if any(value.name in self.used for value in values) or any(
            sorted(each) == arrays for each in self.distinct
        ):
            return ""
        base = int(ends[0][0])
        vertices = ends[0][1] if base else ends[0][1].removesuffix("-1")
        if (base == 0) is (vertices == ends[0][1]) or not vertices.isidentifier():
            return ""
        weight = f", weight={'..'.join(ends[2])}" if len(ends) == max(_GRAPH) else ""
        return f"graph({vertices}, {rows}{'' if base else ', base=0'}{weight})"

    def _array(self, loop: Loop) -> str:
        """Return the text of values that are repeated within a line."""
        count = self.term(loop.count)
        text = self._count(count)
        if loop.index:
            self.known[loop.index] = Term(text="", low=loop.first, high=count.high)
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

    def _count(self, count: Term) -> str:
        """Return the text of a number of repetitions."""
        if not count.text and count.high is not None:
            raise UnreadableError("a shape has no such count")
        return count.text or str(self.unknown.most)

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
            least_number, most_number = self._decimal(value.low)[0], self._decimal(value.high)[1]
            self.known[value.name] = Term(text="", low=math.floor(least_number), high=math.ceil(most_number))
            fewest, most_places = map(max, value.places, (_places(least_number), _places(most_number)))
            return f"({least_number:.{fewest}f}..{most_number:.{max(fewest, most_places)}f})"
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

    def _decimal(self, text: str) -> tuple[Decimal, Decimal]:
        """Return the least and highest value of a limit with decimal places."""
        if re.fullmatch(r"-?\d+(\.\d*)?([eE][-+]?\d\d?)?", text):
            return (Decimal(text) + 0, Decimal(text) + 0)  # without -0
        term = self.term(text)
        low, high = (0 if term.low is None else term.low), (self.unknown.most if term.high is None else term.high)
        return (Decimal(low), Decimal(high))

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
        if text is None or name in self.resolving:
            return UNKNOWN_TERM
        self.resolving.add(name)
        self.known[name] = self.term(text)
        self.resolving.discard(name)
        return self.known[name]


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
        if int(value.high) - int(value.low) > _MOST_FORMS:
            raise UnreadableError("a number of many values decides what is read")
        words = [str(number).encode() for number in range(int(value.low), int(value.high) + 1)]
    else:
        words = list(value.words) or [bytes([letter]) for letter in value.letters or letters]
    rest = tuple(word for word in words if word != literal)
    chosen = replace(value, kind="word", words=(literal,))
    return [(chosen, branch.body), *([(replace(chosen, words=rest), branch.other)] if rest else [])]


def _places(number: Decimal) -> int:
    """Return the decimal places of a number, without zeros at its end."""
    exponent = number.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _is_block(loop: Loop) -> bool:
    """Return whether a loop reads whole lines."""
    return isinstance(loop.separator, Newline) or any(map(_has_lines, loop.body))


def _has_lines(node: Node) -> bool:
    """Return whether the end of a line is read."""
    if isinstance(node, Branch):
        return any(map(_has_lines, (*node.body, *node.other)))
    return isinstance(node, Newline) or (isinstance(node, Loop) and (node.ends_line or _is_block(node)))


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
