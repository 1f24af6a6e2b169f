"""Model of what a program reads: lines of numbers and words, and repetitions of lines; written as shapes.

Without samples a program still shows how many numbers a line has, and which number counts what.
The rest (limits, letters, which of two numbers counts a line) is assumed small, or tried both ways.
"""

import keyword
import re
from collections.abc import Iterator, Sequence
from dataclasses import field

from harness.shapes.grammar import RESERVED
from harness.values import dataclass

_EXPRESSION = re.compile(r"[\w+*() -]+")
_TERM = re.compile(r"[A-Za-z_]\w*|\d+|[-+*]")
_MOST = "10"  # the highest number and count at first: wider shapes follow


@dataclass(frozen=True, kw_only=True)
class Count:
    """A number of repetitions: a sum of products of numbers and names, as in the program."""

    text: str

    @staticmethod
    def of(text: str) -> "Count | None":
        """Parse a count; None if a shape cannot express it."""
        text = re.sub(r"\s+", "", text)
        if not _EXPRESSION.fullmatch(text) or "//" in text or "**" in text or "(" in text.replace("int(", "("):
            return None
        while match := re.search(r"\+(\d+)-(\d+)$|-(\d+)\+(\d+)$", text):  # n+1-1, as of range(1, n+1)
            first = int(match[1] or f"-{match[3]}")
            rest = first + (int(match[4]) if match[4] else -int(match[2]))
            text = text[: match.start()] + (f"{rest:+d}" if rest else "")
        text = re.sub(r"[-+]0$", "", text)
        return Count(text=text) if text and not text.startswith("-") else None

    @property
    def names(self) -> list[str]:
        """Return the names in the count."""
        return [word for word in _TERM.findall(self.text) if not word[0].isdigit() and word not in "+-*"]


@dataclass(frozen=True, kw_only=True)
class Read:
    """A value, or many on a line. kind: integer, decimal, letter, word or digits. count: of many, None if unknown."""

    name: str
    kind: str
    many: bool = False
    count: Count | None = None


@dataclass(frozen=True, kw_only=True)
class Line:
    """The values read from a line."""

    reads: tuple[Read, ...]


@dataclass(frozen=True, kw_only=True)
class Repeat:
    """Lines that are read repeatedly. count None: unknown."""

    count: Count | None
    steps: "tuple[Step, ...]"


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Lines of several forms; the first number gives the form."""

    forms: "tuple[tuple[str, tuple[Step, ...]], ...]"


Step = Line | Repeat | Choice


def shape_texts(steps: Sequence[Step], letters: str) -> list[str]:
    """Return the texts of shapes that the program may read, the likeliest first. letters: the alphabet of its words."""
    texts = []
    for fixed in (True, False):
        writer = _Writer(letters=letters, fixed=fixed, counting=set(_counting(steps)))
        writer.write(steps, "")
        if writer.lines:
            texts.append("\n".join(writer.lines))
    return list(dict.fromkeys(texts))


def _counting(steps: Sequence[Step]) -> Iterator[str]:
    """Yield the names in counts."""
    for step in steps:
        if isinstance(step, Line):
            for read in step.reads:
                yield from read.count.names if read.count is not None else ()
        elif isinstance(step, Repeat):
            yield from step.count.names if step.count is not None else ()
            yield from _counting(step.steps)
        else:
            for _, form in step.forms:
                yield from _counting(form)


@dataclass(kw_only=True)
class _Writer:
    """Writes the text of a shape. fixed: numbers that count nothing else are the lengths of words and lists."""

    letters: str
    fixed: bool
    counting: set[str]
    lines: list[str] = field(default_factory=list)
    shape_names: dict[str, str] = field(
        default_factory=dict
    )  # of integers: name in the program → name in the shape
    free: list[str] = field(default_factory=list)  # names that count nothing yet
    length: str = ""  # of the previous words
    row_length: str = ""  # of repeated words
    headers: list[list[str]] = field(default_factory=list)  # names read together
    names: frozenset[str] = frozenset()  # names in use
    number: int = 0

    def write(self, steps: Sequence[Step], indent: str) -> None:
        """Append the lines of these steps."""
        for step in steps:
            if isinstance(step, Line):
                self.lines.append(indent + " ".join(self._read(read, step) for read in step.reads))
                self.headers.append(
                    [self.shape_names[read.name] for read in step.reads if read.name in self.shape_names]
                )
            elif isinstance(step, Choice):
                for place, (token, form) in enumerate(step.forms):
                    self.lines.append(f"{indent}{'either' if place == 0 else '} or'} {{")
                    before = len(self.lines)
                    self._inside(form, indent + "  ")
                    if form and isinstance(form[0], Line):  # the number is on the same line
                        self.lines[before] = f"{indent}  {token} {self.lines[before].strip()}"
                    else:
                        self.lines.insert(before, f"{indent}  {token}")
                self.lines.append(f"{indent}}}")
            else:
                self._repeat(step, indent)

    def _repeat(self, step: Repeat, indent: str) -> None:
        """Append a block of repeated lines, or a tree."""
        if self._is_once(step.count):
            self.write(step.steps, indent)
            return
        count = self._text(step.count) or self._unused() or f"1..{_MOST}"
        if self.fixed and (tree := _tree_of(count, step.steps)):
            self.lines.append(indent + tree)
            return
        if count.startswith("1.."):
            count = "3"
        self.lines.append(f"{indent}{count} times {{")
        same_line = next((names for names in self.headers if count in names), ())
        width = next((name for name in same_line if name in self.free), "")
        before = self.row_length
        self.row_length = width or (
            count if "#" in self.letters or count.isdigit() else before
        )  # rows of a grid, or of a square
        self._inside(step.steps, indent + "  ")
        self.row_length = before
        self.lines.append(f"{indent}}}")

    def _inside(self, steps: Sequence[Step], indent: str) -> None:
        """Write the steps of a block, whose names are local to it."""
        before = dict(self.shape_names), list(self.free), self.length, self.names
        self.write(steps, indent)
        self.shape_names, self.free, self.length, self.names = before

    def _read(self, read: Read, line: Line) -> str:
        """Return the text of a value, or of many values, on a line."""
        if read.many and not self._is_once(read.count):
            count = (
                self._text(read.count)
                or self._unused()
                or next(iter(self.shape_names.values()), "")
                or f"1..{_MOST}"
            )
            return f"{count} * ({self._item(read.kind)})"
        if read.kind == "integer":
            name = self._named(read.name)
            self.shape_names[read.name] = name
            if read.name not in self.counting:
                self.free.append(name)
            return f"{name}: 1..{_MOST}"
        alone = len(line.reads) == 1
        if self.fixed and alone and read.kind in ("word", "digits"):
            self.length = self.row_length or self._unused() or self._before() or self.length
            return self._item(read.kind, self.length)
        return self._item(read.kind, self._text(read.count))

    def _is_once(self, count: Count | None) -> bool:
        """Return whether nothing was read that could be the count: a number of test cases that is always 1."""
        return not self.shape_names and count is not None and bool(count.names)

    def _before(self) -> str:
        """Return the number that is alone on the previous line."""
        match = re.fullmatch(r"\s*(\w+): \S+", self.lines[-1]) if self.lines else None
        return match[1] if match else ""

    def _item(self, kind: str, length: str = "") -> str:
        if kind == "letter":
            return f"string({length or 1}, {self.letters})"
        if kind == "integer":
            return f"1..{_MOST}"
        if kind == "decimal":
            return f"0.00..{_MOST}.00"
        letters = "0..9" if kind == "digits" else self.letters
        return f"string({length or '1..8'}, {letters})"

    def _named(self, name: str) -> str:
        plain = re.sub(r"\W", "", name)
        self.number += 1
        taken = plain in self.names or keyword.iskeyword(plain)
        is_good = re.fullmatch(r"[A-Za-z]\w*", plain) and plain not in RESERVED and not taken
        self.names = self.names | {plain if is_good else f"v{self.number}"}
        return plain if is_good else f"v{self.number}"

    def _text(self, count: Count | None) -> str:
        """Return the count in the shape's names; "" if a name is unknown."""
        if count is None or any(name not in self.shape_names for name in count.names):
            return ""
        for name in count.names:
            self._use(self.shape_names[name])
        return re.sub(r"[A-Za-z_]\w*", lambda match: self.shape_names[match[0]], count.text)

    def _unused(self) -> str:
        """Return the first number that counts nothing yet; "" if there is none."""
        return self.free.pop(0) if self.free else ""

    def _use(self, name: str) -> None:
        if name in self.free:
            self.free.remove(name)


def _tree_of(count: str, steps: Sequence[Step]) -> str:
    """Return the text of a tree if `count` is n-1 and the lines hold two numbers, perhaps with a weight; else ""."""
    [step, *others] = steps
    if others or not isinstance(step, Line) or not re.fullmatch(r"[A-Za-z_]\w*-1", count):
        return ""
    if any(read.many or read.kind != "integer" for read in step.reads) or len(step.reads) not in _ENDS:
        return ""
    weight = f", weight=1..{_MOST}" if len(step.reads) == max(_ENDS) else ""
    return f"tree({count.removesuffix('-1')}{weight})"


_ENDS = (2, 3)  # numbers of an edge, without and with a weight
_LETTERS = re.compile(r"'([^'\\\n])'|\"([^\"\\\n])\"")
_WORDS = re.compile(r"'([^'\\\n]{3,40})'|\"([^\"\\\n]{3,40})\"")
_PRINTS = re.compile(r"print|puts|cout|write|return|import|throw|raise")


def letters_of(sources: Sequence[str]) -> str:
    """Return the alphabet of words, as in a shape: the letters that the programs name, or small letters.

    If they name no single letter, these are the letters of patterns and of words in capitals that they do not print.
    """
    named = {match[1] or match[2] for source in sources for match in _LETTERS.finditer(source)}
    words = {
        match[1] or match[2]
        for source in sources
        for line in source.splitlines()
        if not _PRINTS.search(line)
        for match in _WORDS.finditer(line)
    }
    named |= {sign for word in words if "#" in word and set(word) <= set("#.?*@") for sign in word if sign in "#."}
    if not any(letter.isalpha() for letter in named):
        named |= {letter for word in words if word.isalpha() and word.isupper() for letter in word}
    signs = sorted(named & set("#.@*?()<>[]{}+-/^|!"))
    letters = sorted(letter for letter in named if letter.isalpha() and letter.isascii())
    digits = sorted(letter for letter in named if letter.isdigit())
    are_few = len(letters) in range(2, 8)
    if "#" in signs or (signs and set(signs) <= set(".*@") and not are_few):  # a board
        signs = sorted(set(signs) & set("#@*?"))
        return _quoted([".", *signs, *(letters if "#" in signs else ())])
    if set("()<>") & set(signs):
        return _quoted([sign for sign in "()<>" if sign in signs or {"(": ")", ")": "("}.get(sign, "") in signs])
    if any(re.search(r"is_?(upper|lower)", source, re.IGNORECASE) for source in sources):
        return "a..c A..C"
    if are_few and {"a", "z"} != set(letters) and {"A", "Z"} != set(letters):
        return _quoted(letters + (["?"] if "?" in signs else []))
    if digits and not letters:
        return '"01"' if set(digits) <= {"0", "1"} else "0..9"
    small = '"ox"' if letters in (["o"], ["x"]) else "a..c"
    return "A..C" if letters and all(map(str.isupper, letters)) else small


def _quoted(letters: Sequence[str]) -> str:
    return '"' + "".join(dict.fromkeys(letters)) + '"'
