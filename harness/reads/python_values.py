"""What the variables of a validator in Python stand for (lines, words, values), and its translation to the model."""

import ast
import itertools
import re
from collections.abc import Sequence
from dataclasses import field as default_of
from dataclasses import replace

from harness.reads.nodes import Distinct, Loop, Newline, Node, ReadValue, Space, Unknown, UnreadableError
from harness.reads.patterns import word_of_pattern
from harness.values import dataclass

_MOST_VALUES = 100  # of a line
_NUMBER = re.compile(r"(?=.*(\\d|0-9|1-9))[-?()|0\[\]1-9\\d*+]+")
_REPEATED = re.compile(r"\((.*) \)\{([1-9])\}")  # `(X ){2}X`
_SPAN = re.compile(r"\w-\w")  # of letters or digits


@dataclass(kw_only=True)
class CheckedValue:
    """A value, or the values of an array. Limits and lengths are expressions of the source, "" if unknown.

    lengths: of a word (least, most). pattern: the regular expression that it matches. below: a later value that it
    does not exceed. count: the length of an array; None: it is a single value. order: larger than those of earlier
    values.
    """

    name: str = ""
    kind: str = "word"
    low: str = ""
    high: str = ""
    lengths: tuple[str, str] = ("", "")
    letters: bytes = b""
    pattern: str = ""
    below: "CheckedValue | None" = None
    count: str | None = None
    is_distinct: bool = False
    order: int = default_of(default_factory=itertools.count().__next__)


@dataclass(kw_only=True)
class CheckedLine:
    """A line. fields: its values in order, as far as the program uses them. pattern: a regular expression for it.

    kind: of all words, if they were converted together. is_split: the program splits it into words. is_end: it is not
    a line, but the end of the input.
    """

    fields: list[CheckedValue] = default_of(default_factory=list)
    pattern: str = ""
    kind: str = "word"
    is_split: bool = False
    is_end: bool = False

    @property
    def is_read(self) -> bool:
        """Return whether anything is known about the line."""
        return not self.is_end and bool(self.fields or self.pattern or self.is_split)

    def only(self) -> CheckedValue:
        """Return the line's only value. Raises UnreadableError if it has several."""
        if len(self.fields) > 1:
            raise UnreadableError("a line is one value and several")
        return self.field(0)

    def array(self) -> CheckedValue:
        """Return the array whose values are the whole line. Raises UnreadableError as `only`."""
        array = self.only()
        array.count = array.count or ""
        return array

    def field(self, index: int) -> CheckedValue:
        """Return the value at this index of the line. Raises UnreadableError if there are too many."""
        if not 0 <= index < _MOST_VALUES:
            raise UnreadableError(f"the value {index} of a line")
        while len(self.fields) <= index:
            self.fields.append(CheckedValue(kind=self.kind))
        value = self.fields[index]
        value.kind = self.kind if self.kind != "word" else value.kind
        return value


@dataclass(kw_only=True)
class Rounds:
    """Repeated lines. index: the variable that counts from `first`. distinct: values whose rows must all differ."""

    count: str
    index: str = ""
    first: int = 0
    steps: "list[CheckedLine | Rounds]" = default_of(default_factory=list)
    distinct: list[list[CheckedValue]] = default_of(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class LineText:
    """A line as text. more: letters besides those of its value, such as the end of the line."""

    line: CheckedLine
    more: int = 0


@dataclass(frozen=True, kw_only=True)
class LineWords:
    """The words of a line."""

    line: CheckedLine


@dataclass(frozen=True, kw_only=True)
class Letter:
    """Any letter of a word."""

    word: CheckedValue


@dataclass(frozen=True, kw_only=True)
class Different:
    """The different values of an array."""

    line: CheckedLine


@dataclass(frozen=True, kw_only=True)
class WholeInput:
    """All lines of the input."""


# str: a constant text; ast.expr: a number that is constant or counts rounds; None: anything else.
Symbol = LineText | LineWords | CheckedValue | Letter | Different | WholeInput | str | ast.expr | None


def nodes_of(
    steps: Sequence[CheckedLine | Rounds], unknown: Unknown, unequal: Sequence[Sequence[int]]
) -> list[Node]:
    """Translate steps to the model. unequal: pairs of values that must differ in each row, by their `order`."""
    nodes: list[Node] = []
    for step in steps:
        if isinstance(step, CheckedLine):
            nodes += _nodes_of_line(step, unknown)
            continue
        body = tuple(nodes_of(step.steps, unknown, unequal))
        nodes.append(Loop(count=step.count, index=step.index, first=step.first, body=body))
        # Pairs that differ, in rows that differ, are a graph, which the writer finds by itself.
        rows = [row for row in step.distinct if sorted(each.order for each in row) not in unequal]
        nodes += [Distinct(arrays=tuple(each.name for each in row)) for row in rows]
    return nodes


def _nodes_of_line(line: CheckedLine, unknown: Unknown) -> list[Node]:
    nodes: list[Node] = []
    for each in _fields_of(line):
        nodes += [Space()] if nodes else []
        value = _value(each, unknown)
        if each.count is None:
            nodes.append(value)
            continue
        if not each.count:
            raise UnreadableError("how many values a line has is not shown")
        nodes.append(Loop(count=each.count, body=(value,), separator=Space()))
        if each.is_distinct:
            nodes.append(Distinct(arrays=(value.array,)))
    return [*nodes, Newline()]


def _fields_of(line: CheckedLine) -> list[CheckedValue]:
    """Return the values of a line, with what its pattern says about them."""
    fields, patterns = line.fields, _patterns_of(line.pattern)
    if not fields and line.is_split and len(patterns) < 2:
        return [CheckedValue(count="", pattern="".join(patterns), kind=line.kind)]
    if not fields:
        return [CheckedValue(pattern=pattern) for pattern in patterns]
    if len(fields) == 1 and fields[0].count == "" and len(patterns) > 1:
        fields[0].count, patterns = str(len(patterns)), patterns[:1]
    if len(fields) == len(patterns):
        for each, pattern in zip(fields, patterns, strict=True):
            each.pattern = each.pattern or pattern
    return fields


def _value(each: CheckedValue, unknown: Unknown) -> ReadValue:
    """Return a value of the model; the array that it is stored in has its name."""
    kind = each.kind
    if kind == "word" and not each.letters and _NUMBER.fullmatch(each.pattern):
        kind = "integer"
    if kind == "word":
        word = ReadValue(kind="word", letters=each.letters, length=each.lengths)
        if each.pattern and not each.letters:
            word = word_of_pattern(each.pattern, each.lengths)
        return replace(word, name=each.name, array=each.name)
    least = ""
    if "-" in _SPAN.sub("", each.pattern):
        least = f"-{unknown.most}"
    elif each.pattern:
        least = "1" if each.pattern.startswith("[1-9]") and "|" not in each.pattern else "0"
    high = each.high or (each.below.high if each.below is not None else "")
    places = (0, unknown.places)
    return ReadValue(kind=kind, name=each.name, array=each.name, low=each.low or least, high=high, places=places)


def _patterns_of(pattern: str) -> list[str]:
    """Return the patterns of the words of a line that matches this pattern; none if they cannot be told apart."""
    pattern = re.sub(r"(\$|\\n|\n)*$", "", pattern.removeprefix("^"))
    pattern = _REPEATED.sub(lambda match: int(match[2]) * f"{match[1]} ", pattern)
    depth, parts = 0, [""]
    for at, letter in enumerate(pattern):
        if not pattern[:at].endswith("\\"):
            depth += (letter in "([") - (letter in ")]")
        if letter == " " and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts if all(parts) else []
