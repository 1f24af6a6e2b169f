"""Find what an input validator in C++ reads, if it calls a library for each value and each space.

Libraries: testlib (`readInt(1, n, "m")`), those of BAPCtools (`read_integer("m", 1, n)`) and of the Swedish and
German contests (`Int(1, n)`, `integer(1, n + 1)`). Only limits in these calls, and in constants that they name, are
seen.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from harness.reads.control_flow import ControlFlow, tokens_of_braces
from harness.reads.nodes import Distinct, Loop, Newline, Node, ReadValue, Space, Unknown, UnreadableError
from harness.reads.patterns import word_of_pattern
from harness.reads.writer import shape_text
from harness.values import dataclass

_INTEGER = re.compile(r"Int|Integer|integer|read_?(Int|Long|Integer|integer|int|long|Unsigned|UInt)")
_INTEGERS = re.compile(r"integers|SpacedInts|read_?(Ints|Longs|Integers|integers|ints)")
_DECIMAL = re.compile(r"Float|real|float|read_?(Strict)?(Double|Real|Float|double|real|float|Decimal|decimal)")
_WORD = re.compile(r"Line|Word|Token|String|string|read_?(Token|Word|String|Line|string|token|word|line)")
_SPACE = re.compile(r"Space|space|read_?(Space|space)")
_NEWLINE = re.compile(r"Endl|endl|Newline|newline|readE(OL|oln|ndl)|read_?(newline|Newline|eol|NewLine)")
_END = re.compile(r"Eof|eof|EOF|readE(OF|of)|read_?(eof|EOF)")
_OTHER = re.compile(r"read(_\w+|[A-Z]\w*)|Spaced\w+|test_\w+|expect\w*")  # calls that read something unknown
_DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(\S[^\n]*)", re.MULTILINE)
_HALF_OPEN = re.compile(r"\b(testIn|tin)\b")  # in libraries whose upper limits are the first invalid numbers
_SEPARATOR = re.compile(r"(?<=\d)'(?=\d)")
_STRING = re.compile(r'R"\((?P<raw>.*)\)"|"(?P<text>(?:\\.|[^"\\])*)"')
_HEADER = re.compile(r"(?:[\w:]+ )*(\w+) = (\d+) ; \1 (<=|<|! =) (.+?) ; (?:\1 \+\+|\+\+ \1|\1 \+ = 1)")
_LIMITS = 2
_LONGEST_VALUE = 100  # tokens of a constant
_WHOLE_LINES = ("SpacedInts", "read_integers")
_LINES = ("Line", "readLine", "read_line", "readString")
_LETTERS = ("Char", "readChar", "read_char")


def shape_of_cpp(source: str, unknown: Unknown) -> str:
    """Return the text of the shape that a validator describes. Raises UnreadableError."""
    source = _SEPARATOR.sub("", source)
    tokens = tokens_of_braces(source)
    constants = {name: text.rstrip() for name, text in _DEFINED.findall(source)} | _constants(tokens)
    nodes = _Calls(tokens=tokens).main()
    if Newline() not in nodes:
        raise UnreadableError("it does not read line by line")
    lowered = [_lowered(node) for node in nodes] if _HALF_OPEN.search(source) else nodes
    return shape_text(lowered, unknown, constants.get)


def _constants(tokens: Sequence[str]) -> dict[str, str]:
    """Return the values of the variables that are set where they are declared, and nowhere else."""
    values: dict[str, str] = {}
    changed = set()
    for at, token in enumerate(tokens):
        before, after = tokens[at - 1 : at], tokens[at + 1 : at + 3]
        if not re.match(r"[A-Za-z_]", token):
            continue
        if after[:1] in (["++"], ["--"]) or before in (["++"], ["--"], [">>"]) or after[1:] == ["="]:
            changed.add(token)
        if after[:1] == ["="] and after[1:] != ["="]:
            if token in values or not re.match(r"[A-Za-z_]|[>&,]", "".join(before)):
                changed.add(token)
            value = tokens[at + 2 : at + _LONGEST_VALUE]
            end = next((index for index, each in enumerate(value) if each in (";", ",", ")")), 0)
            values.setdefault(token, "".join(value[:end]))
    return {name: value for name, value in values.items() if name not in changed and value}


@dataclass(kw_only=True)
class _Calls(ControlFlow):
    """Finds the calls of the library that read."""

    def condition(self, inside: str, head: list[Node], body: list[Node], other: list[Node]) -> list[Node]:
        """Return the spaces and line ends of a condition. Raises UnreadableError for other reads."""
        kinds = {type(node) for node in (*body, *other)}
        if not head and kinds <= {Space, Newline}:
            return [_BETWEEN] if len(kinds) > 1 else [*body, *other][:1]
        raise UnreadableError("some values are read under a condition")

    def loop(self, inside: str, head: list[Node], body: list[Node]) -> list[Node]:
        """Return what a loop reads."""
        if head:
            raise UnreadableError("a condition reads a value")
        if not body:
            return []
        if down := re.fullmatch(r"(\w+) --", inside):
            return _loop(down[1], "", 0, body)
        header = _HEADER.fullmatch(inside)
        if header is None:
            raise UnreadableError(f"the loop {inside}")
        first, most = int(header[2]), header[4].replace(" ", "")
        shift = int(header[3] == "<=") - first
        return _loop(f"{most}{shift:+d}" if shift else most, header[1], first, body)

    def reads(self, tokens: Sequence[str], begin: int) -> list[Node]:
        """Return the values, spaces and line ends of a statement, in order."""
        nodes: list[Node] = []
        for at, token in enumerate(tokens):
            if tokens[at + 1 : at + 2] != ["("]:
                continue
            end = begin + at + 1
            arguments = _arguments(self.tokens[end + 1 : self.closing(end)])
            if token in self.functions and not _KNOWN.fullmatch(token):
                nodes += self.call(token)
            elif _SPACE.fullmatch(token):
                nodes.append(Space())
            elif _NEWLINE.fullmatch(token):
                nodes.append(Newline())
            elif not _END.fullmatch(token):
                nodes += self._values(token, arguments, self.assigned(tokens, at))
        return nodes

    def _values(self, call: str, arguments: list[str], name: str) -> list[Node]:
        """Return what a call with these arguments reads. name: of the variable that takes it."""
        limits = [each for each in arguments if not _STRING.fullmatch(each) and each != "Newline"]
        if _INTEGERS.fullmatch(call) and len(limits) > _LIMITS:
            low, high, count = limits[:3] if call == "integers" else (*limits[1:3], limits[0])
            array = ReadValue(kind="integer", array=name, low=low, high=high)
            separator = Newline() if "Newline" in arguments else Space()
            ends = [Newline()] if call in _WHOLE_LINES else []
            return [Loop(count=count, body=(array,), separator=separator), *ends]
        if _INTEGER.fullmatch(call) or _DECIMAL.fullmatch(call):
            if len(limits) < _LIMITS:
                raise UnreadableError(f"{call} without limits")
            number = ReadValue(kind="integer", name=name, low=limits[0], high=limits[1])
            places = [int(each) for each in limits[_LIMITS:] if each.isdigit()] or [2]
            span = (places[0], places[-1]) if "Strict" in call else (0, places[0])
            return [number if _INTEGER.fullmatch(call) else replace(number, kind="decimal", places=span)]
        if call in _LETTERS:
            return [_letter(limits[0] if limits else "", name)]
        if call == "AssertUnique":
            return [Distinct(arrays=tuple(limits[:1]))]
        if _OTHER.fullmatch(call) and not _WORD.fullmatch(call):
            raise UnreadableError(f"the call {call}")
        return _word(call, arguments, limits, name) if _WORD.fullmatch(call) else []


def _letter(expected: str, name: str) -> Node:
    """Return what a call reads that reads a single letter. expected: which letter it must be, "" for any."""
    if not expected:
        return ReadValue(kind="word", name=name, length=("1", "1"))
    if expected not in ("' '", r"'\n'"):
        raise UnreadableError(f"the letter {expected}")
    return Space() if expected == "' '" else Newline()


def _word(call: str, arguments: list[str], limits: list[str], name: str) -> list[Node]:
    """Return what a call reads that reads a word or a line."""
    matches = [match for each in arguments if (match := _STRING.fullmatch(each)) is not None]
    texts = [match["raw"] or match["text"] or "" for match in matches]
    if any("regex" in each for each in limits):
        raise UnreadableError("a pattern that is an object")
    if call == "read_string" and len(limits) >= _LIMITS:
        letters = texts[1].encode() if len(texts) > 1 else b""
        return [ReadValue(kind="word", name=name, letters=letters, length=(limits[0], limits[1]))]
    word = ReadValue(kind="word", name=name)
    if texts and re.search(r"[\[{+*|]", texts[0]):
        word = replace(word_of_pattern(texts[0]), name=name)
    return [word, *([Newline()] if call in _LINES else [])]


_KNOWN = re.compile("|".join(each.pattern for each in (_INTEGER, _INTEGERS, _DECIMAL, _WORD, _SPACE, _NEWLINE)))
_BETWEEN = Loop(count="", body=())  # stands for a space between rounds, and the end of the line after the last


def _loop(count: str, index: str, first: int, body: Sequence[Node]) -> list[Node]:
    """Return a loop; a space that not all rounds read is its separator."""
    rest = tuple(node for node in body if node != _BETWEEN)
    values = [node for node in rest if not isinstance(node, Space)]
    loop = Loop(count=count, body=rest, index=index, first=first)
    if len(rest) < len(body):
        return [replace(loop, separator=Space()), Newline()]
    if len(values) == 1 and isinstance(values[0], ReadValue) and values[0].kind != "word":
        return [replace(loop, body=(values[0],), separator=Space())]  # the space before or after each number
    return [loop]


def _arguments(tokens: Sequence[str]) -> list[str]:
    """Return the arguments of a call, without spaces."""
    arguments, depth = [""], 0
    for token in tokens:
        depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
        if token == "," and depth == 0:
            arguments.append("")
        else:
            arguments[-1] += token
    return [each for each in arguments if each]


def _lowered(node: Node) -> Node:
    """Return what is read with all upper limits lowered by 1: the library's are the first invalid numbers."""
    if isinstance(node, Loop):
        return replace(node, body=tuple(map(_lowered, node.body)))
    if not isinstance(node, ReadValue) or node.kind != "integer":
        return node
    return replace(node, high=str(int(node.high) - 1) if node.high.isdigit() else f"({node.high})-1")
