"""Write what a program reads as shapes.

Even without samples its source shows how many numbers a line has, and which number counts what. Limits are assumed to
be small; which of two numbers counts a line is tried both ways.
"""

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import field, replace
from typing import Self

from harness.reads.nodes import Loop, Newline, Node, ReadValue, Space, Unknown, UnreadableError, walk
from harness.reads.terms import Term, term_of
from harness.reads.writer import Writer, edge_of, names_used
from harness.values import dataclass

_FEW = "3"  # rounds of a loop if no number counts them
_BOUNDED = (2, 3)  # values of a row with numbers of items: two items, or two items and a weight
_ITEMS = re.compile("[nvhrNVHR]")  # first letters of names of the number of items; `w` is rather a weight
_DECIDING_NAMES = re.compile(r"t|q|c|k|f|num|op\w*|ty\w*|kind|query|cmd|com\w*|mode", re.IGNORECASE)
_FEW_CHOICES = range(2, 11)  # how many first values of rows are possible
_PAIR = "2"  # numbers on a repeated line, if nothing shows how many
_WIDTH = re.compile("[wmcWMC]")  # first letters of names of the number of columns, unlike `x` and `k`
_KINDS = {
    "letter": ReadValue(kind="word", length=("1", "1")),
    "digits": ReadValue(kind="word", letters=b"0123456789"),
    "decimal": ReadValue(kind="decimal", places=(2, 2)),
}


def value_of(kind: str, name: str) -> ReadValue:
    """Return a value that is read into a variable. kind: integer, decimal, letter, word or digits."""
    return replace(_KINDS.get(kind, ReadValue(kind=kind)), name=name)


def in_lines(nodes: Sequence[Node], *, row: bool = False) -> list[Node]:
    """Add the ends of lines: consecutive numbers share a line; each word, and each list of numbers, has its own.

    row: whether the lines are repeated; then words may follow numbers on the same line.
    """
    lines: list[Node] = []
    line: list[Node] = []  # the current line, without its end
    for node in nodes:
        if not (isinstance(node, ReadValue) and _go_together(line, node, row=row)) and not isinstance(node, Space):
            lines, line = [*lines, *line, *_ended(line)], []
        if isinstance(node, Loop) and node.separator is None:
            lines += _repeated(node, in_lines(node.body, row=True))
        elif not isinstance(node, Newline):
            line.append(node)
    return [*lines, *line, *_ended(line)]


def _ended(line: Sequence[Node]) -> list[Node]:
    return [Newline()] if line else []


def _repeated(loop: Loop, body: Sequence[Node]) -> list[Node]:
    """Return repeated lines; but if each round reads a single number or letter, one line with all of these."""
    match body:
        case [ReadValue() as value, Newline()] if value.kind != "word" or value.length == ("1", "1"):
            return [replace(loop, body=(value,)), Newline()]
    return [replace(loop, body=tuple(body))] if body else []


def _go_together(line: Sequence[Node], more: ReadValue, *, row: bool) -> bool:
    """Return whether a value continues the line. row: see `in_lines`."""
    if line and isinstance(line[-1], Space):  # a line that is split at its spaces
        return True
    values = [node for node in (*line, more) if isinstance(node, ReadValue)]
    has_words = any(value.kind == "word" and not value.length[0] for value in values)
    return len(values) == len(line) + 1 and (not has_words or (row and values[0].kind == "integer"))


def completed(
    nodes: Sequence[Node],
    constants: Mapping[str, str],
    compared: Mapping[str, Sequence[int]],
) -> list[Node]:
    """Return the reads with constant numbers of rounds, and with the possible first values of repeated lines.

    compared: see kinds_of_rows. The numbers are all the possible values of a variable if they go on from 0 or 1 without
    gaps, and the variable counts nothing and is named like `type`.
    """
    counting, read = names_used(nodes), {node.name for node in walk(nodes) if isinstance(node, ReadValue)}
    constants = {name: number for name, number in constants.items() if name not in read}
    choices: dict[str, tuple[bytes, ...]] = {}
    for name, known in compared.items():
        numbers = known if name not in counting and _DECIDING_NAMES.fullmatch(name) else ()
        is_range = bool(numbers) and numbers[-1] - numbers[0] == len(numbers) - 1
        if is_range and numbers[0] in (0, 1) and len(numbers) in _FEW_CHOICES:
            choices[name] = tuple(str(number).encode() for number in numbers)
    return [each for node in nodes for each in _completed(node, constants, choices)]


def kinds_of_rows(chains: Sequence[Sequence[int | None]]) -> list[int]:
    """Return the numbers with which chains of conditions compare a variable, in order.

    None stands for an `else`, which adds the number after the largest.
    """
    numbers = {number for chain in chains for number in chain if number is not None}
    closed = [chain for chain in chains if None in chain and (len(chain) > 2 or len(numbers) == 1)]
    return sorted(numbers | {max(filter(None, chain), default=0) + 1 for chain in closed})


def _completed(
    node: Node, constants: Mapping[str, str], choices: Mapping[str, tuple[bytes, ...]]
) -> Sequence[Node]:
    if not isinstance(node, Loop):
        return [node]
    body = [each for inner in node.body for each in _completed(inner, constants, choices)]
    text = term_of(node.count, lambda name: Term(text=constants.get(name, name))).text
    count = text if text.isdigit() and int(text) else node.count
    if count == "1":
        return body
    for index, (value, after) in enumerate(itertools.pairwise(body)):
        starts_line = index == 0 or isinstance(body[index - 1], Newline)
        if (
            starts_line
            and isinstance(value, ReadValue)
            and value.name in choices
            and not isinstance(after, Newline)
        ):
            body[index] = replace(value, kind="word", words=choices[value.name])
    return [replace(node, count=count, body=tuple(body))]


def shape_texts(nodes: Sequence[Node], letters: bytes, words: tuple[bytes, ...] = ()) -> list[str]:
    """Return the texts of shapes that the program may read, the likeliest first.

    letters: of its words. words: the possible ones, if it tells some apart.
    """
    counting, texts = names_used(nodes), []
    for known, bounded, fixed in itertools.product(dict.fromkeys((words, ())), (True, False), (True, False)):
        unknown = Unknown(letters=letters, words=known)
        writer = _Guessing(used=set(counting), counting=counting, unknown=unknown, fixed=fixed, bounded=bounded)
        with suppress(UnreadableError):
            writer.write(nodes, "")
            texts.append("\n".join(writer.lines))
    return [text for text in dict.fromkeys(texts) if text]


@dataclass(kw_only=True)
class _Guessing(Writer):
    """Writes a shape, and guesses what the program does not show.

    fixed: numbers that count nothing else are lengths of words and lists. bounded: the values of repeated lines are
    numbers of items, as in the edges of a graph; the number before that of the lines counts these items.
    counting: the names in counts. Counts and lengths are expressions of the source.
    """

    fixed: bool
    bounded: bool
    counting: set[str]
    free: list[str] = field(default_factory=list)  # names that count nothing yet
    length: str = ""  # the length of the previous word
    row_length: str = ""  # the length of the words on repeated lines
    columns: str = ""  # how many numbers are on each repeated line
    outside: Set[str] = frozenset()  # names that are read before the block
    bounds: Sequence[str] = ()  # upper limits of the first values on repeated lines
    headers: list[list[str]] = field(default_factory=list)  # the names of the integers on each line so far

    def inner(self) -> Self:
        """Return a writer of the lines of a block, whose names are its own."""
        return replace(super().inner(), free=list(self.free))

    def write(self, nodes: Sequence[Node], indent: str) -> None:
        """Append the lines of these nodes."""
        super().write(nodes if self.terms else _opened(nodes), indent)

    def line(self, nodes: Sequence[ReadValue | Loop], indent: str) -> None:
        """Append a line."""
        self.headers.append([])
        values = [node for node in nodes if not (isinstance(node, ReadValue) and node.words)]
        are_integers = all(isinstance(node, ReadValue) and node.kind == "integer" for node in values)
        may_refer = are_integers and len(values) in _BOUNDED
        bounds, self.bounds = self.bounds, self.bounds if may_refer else ()
        super().line(nodes, indent)
        self.bounds = bounds

    def item(self, node: ReadValue | Loop, *, alone: bool) -> str:
        """Return the text of values on a line. alone: nothing else is on the line."""
        if isinstance(node, Loop):
            node = replace(node, count=node.count if self._has_text(node.count) else self._likely_count())
        elif node.kind == "word" and self.unknown.words and not (node.words or node.letters or node.length[0]):
            node = replace(node, words=self.unknown.words)
        elif node.kind == "word" and alone and self.fixed and not (node.words or node.length[0]):
            self.length = self.row_length or self._unused() or self.length
            node = replace(node, length=(self.length, self.length))
        elif node.kind == "integer":
            is_new = node.name in self.counting or (node.name and node.name not in self.terms)
            node = replace(node, name=node.name if is_new else f"v{len(self.taken) + 1}")
            if self.bounds:
                node = replace(node, low="1", high=self.bounds[0])
                self.bounds = self.bounds[1:]
            self.used.add(node.name)
            self.headers[-1].append(node.name)
            if node.name not in self.counting:
                self.free.append(node.name)
        return super().item(node, alone=alone)

    def block(self, loop: Loop, indent: str) -> None:
        """Append repeated lines: a tree, a grid, or a block."""
        count = loop.count if self._has_text(loop.count) else self._unused() or _FEW
        rows = self.term(count).text
        same_line = next((names for names in self.headers if rows in names), [])
        width = next((name for name in same_line if name in self.free), "")
        is_square = b"." in self.unknown.letters or (self._has_text(loop.count) and rows.isdigit())
        outer = self.row_length, self.columns, self.bounds, self.outside
        self.outside = set(self.free)
        before = same_line[: same_line.index(rows)] if self.bounded and rows in same_line else []
        self.bounds = [*before, *before[-1:]][:2] if before and _ITEMS.match(before[0]) else []
        self.row_length = width or (count if is_square else "")
        self.columns = width if len(same_line) == 2 and _WIDTH.match(width) else _PAIR
        super().block(replace(loop, count=count), indent)
        self.row_length, self.columns, self.bounds, self.outside = outer

    def whole(self, rows: str, body: Sequence[Node]) -> str:
        """Return the text of lines that are a tree or a grid; else ""."""
        edge = edge_of(body)
        if not edge or not self.fixed or not re.fullmatch(r"[A-Za-z_]\w*-1", rows):
            return super().whole(rows, body)
        weight = f", weight=1..{self.unknown.most}" if edge[2:] else ""
        return f"tree({rows.removesuffix('-1')}{weight})"

    def _has_text(self, count: str) -> bool:
        """Return whether a shape has a text for a count."""
        text = self.term(count).text
        return bool(text) and not text.startswith("-")

    def _likely_count(self) -> str:
        """Return a likely count of the numbers on a line, where the program does not show it.

        It is the number before them on the line, as in `n, *a`. Else a number of the same block that counts nothing
        yet: the only one of the line before, or the first one. Else, on a repeated line, the number of columns.
        """
        *before, line = self.headers
        if line:
            return line[-1]
        own = [name for name in self.free if name not in self.outside]
        if own:
            last = before[-1] if before else []
            count = last[0] if len(last) == 1 and last[0] in own else own[0]
            self.free.remove(count)
            return count
        return self.columns or next((name for name, term in self.terms.items() if term.text), "")

    def _unused(self) -> str:
        return self.free.pop(0) if self.free else ""


def _opened(nodes: Sequence[Node]) -> Sequence[Node]:
    """Return the nodes, with the loops before the first number replaced by their bodies: nothing counts them."""
    for index, node in enumerate(nodes):
        if isinstance(node, ReadValue) and node.kind == "integer":
            break
        if isinstance(node, Loop) and re.fullmatch(r"[\d+*() -]*[A-Za-z_][\w+*() -]*", node.count):
            return _opened((*nodes[:index], *node.body, *nodes[index + 1 :]))
    return nodes


_LETTERS = re.compile(r"'([^'\\\n])'|\"([^\"\\\n])\"")
LETTERS_IN = re.compile(r"""\bin[ ](['"])([a-zA-Z]{2,12})\1""")  # `c in "abc"`
_COMPARED = re.compile(r"(?:[!=]=|\bequals|\bcase)[ ]{0,4}\(?[ ]{0,4}(?:'([^'\\\n])'|\"([^\"\\\n])\")")
_COMPARED_DIGIT = re.compile(r"== ?'(\d)'")
_COMPARED_WORD = re.compile(r"(?:[!=]=|\bequals|\bcase)[ ]{0,4}\(?[ ]{0,4}([\"'])([A-Za-z][a-z]{2,20})\1")
_SIGNS = set("#.@*?()<>[]{}+-/^|!")
_WORDS = re.compile(r"'([^'\\\n]{3,40})'|\"([^\"\\\n]{3,40})\"")
_PRINTS = re.compile(r"print|puts|cout|write|return|import|throw|raise")


def letters_of(sources: Sequence[str]) -> bytes:
    """Return the alphabet of words: the single letters that the programs name, or small letters.

    If they name none, the letters of patterns, and of words in capitals that they do not print, count as named.
    """
    lines = [line for source in sources for line in source.splitlines()]
    named, words = (
        _quoted(_LETTERS, sources),
        _quoted(_WORDS, [line for line in lines if not _PRINTS.search(line)]),
    )
    named |= {sign for word in words if "#" in word and set(word) <= set("#.?*@") for sign in word if sign in "#."}
    if not any(letter.isalpha() for letter in named):
        named |= {letter for word in words if word.isalpha() and word.isupper() for letter in word}
    compared = _quoted(_COMPARED, sources)
    signs = sorted(named & _SIGNS) if compared & _SIGNS or not compared else []
    others = sorted(sign for sign in compared if sign in "\"',;:_$%&=~")
    letters = sorted(letter for letter in named if letter.isalpha() and letter.isascii())
    digits = sorted(letter for letter in named if letter.isdigit())
    are_few = len(letters) in range(2, 8)
    if "#" in signs or (signs and set(signs) <= set(".*@") and not are_few):  # a board
        signs = sorted(set(signs) & set("#@*?")) or ["#"]
        groups = {letter for source in sources for _, word in LETTERS_IN.findall(source) for letter in word}
        named_letters = [".", *signs, *(sorted({*letters, *groups}) if "#" in signs else ())]
    elif set("()<>") & set(signs):
        closing = {"(": ")", ")": "("}
        named_letters = [sign for sign in "()<>" if sign in signs or closing.get(sign, "") in signs]
    elif any(re.search(r"is_?(upper|lower)", source, re.IGNORECASE) for source in sources):
        named_letters = [*"abcABC"]
    elif are_few:
        named_letters = [*letters, *(_compared_digits(sources) if compared & set(letters) else ())]
    elif digits and not letters:
        named_letters = [*("01" if set(digits) <= {"0", "1"} else "0123456789")]
    elif letters in (["o"], ["x"], ["O"]):
        named_letters = ["O", "X"] if letters == ["O"] else ["o", "x"]
    else:
        named_letters = [*("ABC" if letters and all(map(str.isupper, letters)) else "abc")]
    return "".join(dict.fromkeys([*named_letters, *others])).encode()


def words_of(sources: Sequence[str]) -> tuple[bytes, ...]:
    """Return the words that the programs tell apart: at least two, of which each stands only where it is compared."""
    compared = Counter(match[2] for source in sources for match in _COMPARED_WORD.finditer(source))
    named = Counter(match[1] or match[2] for source in sources for match in _WORDS.finditer(source))
    words = sorted(word.encode() for word, times in compared.items() if times == named[word])
    return tuple(words) if len(words) > 1 else ()


def _compared_digits(sources: Sequence[str]) -> list[str]:
    """Return the digits with which programs in C, C++ or Java compare letters, if there are several.

    In Python they are mostly kinds of queries; a single one is mostly the 0 of a reader of numbers.
    """
    braces = (source for source in sources if "{" in source and ";" in source)
    digits = sorted({digit for source in braces for digit in _COMPARED_DIGIT.findall(source)})
    return digits if len(digits) > 1 else []


def _quoted(pattern: re.Pattern[str], texts: Sequence[str]) -> set[str]:
    """Return what stands between single or double quotes where a pattern matches."""
    return {match[1] or match[2] for text in texts for match in pattern.finditer(text)}
