"""Model of what an input validator reads, space by space and line by line; written as a shape.

A validator states more than samples show: every limit, every letter, what counts what. Languages of validators are
translated to this model by ctd_reads.py (Checktestdata) and call_reads.py (C++ libraries). What a shape cannot say,
such as the assertions, is left out: the validators check each input anyway.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace

from harness.shapes.grammar import RESERVED
from harness.shapes.guess_ranges import quoted_text
from harness.values import dataclass

_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\d'_]*(?:\.\d+)?(?:[eE]\d+)?|<<|\*\*|\S")
_SUFFIX = re.compile(r"[uUlL]+$")
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


Node = Value | Space | Newline | Loop | Distinct


@dataclass(frozen=True, kw_only=True)
class Term:
    """An expression: its text in a shape, "" if it has none, and the least and highest value, None if unknown."""

    text: str
    low: int | None = None
    high: int | None = None
    is_sum: bool = False

    @staticmethod
    def of_number(number: int) -> "Term":
        """Return the term of a constant."""
        return Term(text=str(number), low=number, high=number, is_sum=number < 0)


_UNKNOWN = Term(text="")
_MOST_NUMBER = 10**100
_EXPONENTS = ("2", "3")  # of names, which a shape multiplies


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
        tokens = _TOKEN.findall(_CAST.sub("", text))
        if not tokens:
            return _UNKNOWN
        parser = _Expression(tokens=tokens, known=self._value_of)
        term = parser.sum()
        return term if parser.at == len(tokens) else _UNKNOWN

    def _value_of(self, name: str) -> Term:
        if name in self.known:
            return self.known[name]
        text = self.constants(name)
        return self.term(text) if text is not None and name not in text else _UNKNOWN


_TYPE = r"(?:int|long|long long|longlong|ll|LL|double|size_t|int64_t|i64|lint)"
_CAST = re.compile(rf"\({_TYPE}\)|\b{_TYPE}\b(?=\()")


@dataclass(kw_only=True)
class _Expression:
    """Parses sums, products and powers; keeps the interval of values where a shape has no text for them."""

    tokens: list[str]
    known: Callable[[str], Term]
    at: int = 0

    def _next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def sum(self) -> Term:
        left = self.product()
        while self._next() in ("+", "-"):
            sign = self.tokens[self.at]
            self.at += 1
            right = self.product()
            left = _combined(left, right, sign)
        return left

    def product(self) -> Term:
        left = self.power()
        while self._next() in ("*", "/", "%"):
            sign = self.tokens[self.at]
            self.at += 1
            left = _combined(left, self.power(), sign)
        return left

    def power(self) -> Term:
        base = self.atom()
        if self._next() in ("^", "**", "<<"):
            sign = self.tokens[self.at]
            self.at += 1
            return _combined(base, self.power(), "**" if sign == "^" else sign)
        return base

    def atom(self) -> Term:
        token = self._next()
        self.at += 1
        if token == "-":
            return _combined(Term.of_number(0), self.power(), "-")
        if token == "(":
            inner = self.sum()
            self.at += self._next() == ")"
            return inner
        if token[:1].isdigit():
            number = float(_SUFFIX.sub("", re.sub(r"['_]", "", token)))
            plain = re.sub(r"['_]", "", token)
            return Term.of_number(int(plain) if plain.isdigit() else int(number))
        if self._next() == "(":
            return self._called(token)
        while self._next() == "::":
            self.at += 2
        if self._next() in ("[", "."):
            self.at = len(self.tokens) + 1
            return _UNKNOWN
        return self.known(token)

    def _called(self, name: str) -> Term:
        """Return the term of a call: of `min` and `max` the interval."""
        self.at += 1
        terms = [self.sum()]
        while self._next() == ",":
            self.at += 1
            terms.append(self.sum())
        self.at += self._next() == ")"
        if name.rsplit(":", 1)[-1] not in ("min", "max"):
            return _UNKNOWN
        choose = min if name == "min" else max
        lows, highs = (
            [term.low for term in terms if term.low is not None],
            [term.high for term in terms if term.high is not None],
        )
        if not lows or not highs or (name == "max" and len(highs) < len(terms)):
            return _UNKNOWN
        return Term(text="", low=choose(lows), high=choose(highs))


_SIGNS: dict[str, Callable[[int, int], int]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left // right if right else left,
    "%": lambda left, right: left % right if right else left,
    "**": lambda left, right: left**right if 0 <= right <= 1000 and abs(left) <= 10**6 else left,
    "<<": lambda left, right: left << right if 0 <= right <= 64 else left,
}


def _combined(left: Term, right: Term, sign: str) -> Term:
    """Return the term of an operation: a text if a shape can express it, and its interval."""
    apply = _SIGNS[sign]
    ends = [
        apply(a, b)
        for a in (left.low, left.high)
        for b in (right.low, right.high)
        if a is not None and b is not None
    ]
    low, high = (min(ends), max(ends)) if len(ends) == 4 else (None, None)
    if low is not None and low == high:
        return Term.of_number(max(-_MOST_NUMBER, min(low, _MOST_NUMBER)))
    text = ""
    if sign == "**" and left.text.isidentifier() and right.text in _EXPONENTS:
        text = "*".join([left.text] * int(right.text))
    if left.text and right.text and sign in "+-*":
        has_sums = (left.is_sum or right.is_sum) if sign == "*" else (right.is_sum and sign == "-")
        if left.text == "0" and sign in "+-":
            text = ""  # the negation of a name
        elif not has_sums:
            text = _folded(f"{left.text}{'' if sign == '+' and right.text.startswith('-') else sign}{right.text}")
    return Term(text=text, low=low, high=high, is_sum=sign in "+-")


def _folded(text: str) -> str:
    """Return a sum with its last two numbers added, as in `n+1-1`."""
    match = re.fullmatch(r"(.*[a-z_A-Z)])([-+]\d+)([-+]\d+)", text)
    if match is None:
        return text
    rest = int(match[2]) + int(match[3])
    return f"{match[1]}{rest:+d}" if rest else match[1]


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


_CLASS = re.compile(r"\[(\^?)((?:\\.|[^\]\\])+)\]|\\(.)|([^\\\[\](){}|*+?.^$])")
_TIMES = re.compile(r"\{(\w+)(?:,(\w*))?\}|[*+?]")
_ESCAPED = {"d": b"0123456789", "w": b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"}


def word_of_pattern(pattern: str, length: tuple[str, str] = ("", "")) -> Value:
    """Return the word that a regular expression describes: words to choose from, or letters and a length.

    length: what is known otherwise. Of groups only the letters count. Raises UnreadableError.
    """
    pattern = pattern.removeprefix("^").removesuffix("$")
    if re.fullmatch(r"\(?[\w+#.*-]+(\|[\w+#.*-]+)+\)?", pattern) and not re.search(r"[.*+]\w|\w[*+]", pattern):
        return Value(kind="word", words=tuple(word.encode() for word in pattern.strip("()").split("|")))
    letters, least, most, at = b"", 0, 0, 0
    is_open = False
    while at < len(pattern):
        match = _CLASS.match(pattern, at)
        if match is None:
            if pattern[at] not in "()|?*+{}":
                raise UnreadableError(f"the pattern {pattern}")
            is_open, at = True, at + 1
            if pattern[at - 1] == "{":
                at = pattern.find("}", at) + 1 or len(pattern)
            continue
        at = match.end()
        letters += _letters_of(match)
        times = _TIMES.match(pattern, at)
        low, high = 1, 1
        if times is not None:
            at = times.end()
            if times[1] is not None:
                if not times[1].isdigit() or not (times[2] or "0").isdigit():
                    is_open = True
                else:
                    low, high = int(times[1]), int(times[2] or times[1])
                    is_open = is_open or times[2] == ""
            else:
                low = int(times[0] == "+")
                is_open = is_open or times[0] != "?"
        least, most = least + low, most + high
    if not letters:
        raise UnreadableError(f"the pattern {pattern}")
    known = (str(max(1, least)) if not is_open else "1", "" if is_open else str(most))
    return Value(kind="word", letters=letters, length=(length[0] or known[0], length[1] or known[1]))


def _letters_of(match: re.Match[str]) -> bytes:
    """Return the letters of a class, an escaped letter or a single letter."""
    if match[2] is None:
        letter = match[3] or match[4]
        return _ESCAPED.get(letter, letter.encode()) if match[3] else letter.encode()
    letters = b""
    for part in re.finditer(r"(\\?.)-(\\?.)|\\(.)|(.)", match[2]):
        if part[1]:
            letters += bytes(range(ord(part[1][-1]), ord(part[2][-1]) + 1))
        else:
            letters += _ESCAPED.get(part[3], part[3].encode()) if part[3] else part[4].encode()
    if match[1]:
        return bytes(byte for byte in range(33, 127) if byte not in letters)
    return letters
