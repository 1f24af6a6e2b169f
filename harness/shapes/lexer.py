"""The words of a shape's text, each with its place."""

import re
from dataclasses import dataclass
from typing import NoReturn

from harness.shapes.errors import ShapeError

_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r]+|\#[^\n]*)
      | (?P<newline>\n)
      | (?P<quoted>"(?:[^"\\\n]|\\["\\])*")
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<decimal>[0-9]{1,20}\.[0-9]{1,12})
      | (?P<number>[0-9]{1,40})
      | (?P<sign>\.\.|[;:,(){}|=*^+\-])""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(.)")


@dataclass(frozen=True, kw_only=True)
class Token:
    """kind: name, number, decimal, quoted, sign (its text says which; a line's end is `;`), or end."""

    kind: str
    text: str
    line: int
    column: int

    def fail(self, message: str) -> NoReturn:
        """Raise ShapeError at this place."""
        raise ShapeError(f"shape: line {self.line}, column {self.column}: {message}")

    @property
    def shown(self) -> str:
        """For a message."""
        if self.kind == "end":
            return "the end"
        return "the end of the line" if self.text == "\n" else f"`{self.text}`"


def tokens_of(text: str) -> list[Token]:
    """All tokens and the end. A line's end is `;`, except within parentheses, where it is a space."""
    found: list[Token] = []
    at, line, start, depth = 0, 1, 0, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        place = Token(kind="end", text=text[at], line=line, column=at - start + 1)
        if match is None:
            place.fail(f"{text[at]!a} has no meaning here" + _hint(text[at]))
        kind, word = match.lastgroup or "", match[0]
        depth += (word == "(") - (word == ")")
        if kind not in ("blank", "newline") or (kind == "newline" and depth <= 0):
            found.append(_token(kind, word, place))
        at = match.end()
        if kind == "newline":
            line, start = line + 1, at
    return [*found, Token(kind="end", text="", line=line, column=at - start + 1)]


def _hint(char: str) -> str:
    if char == "[":
        return ": n integers are `n * (-10..10)`"
    return ": the quotation mark has no partner in its line" if char == '"' else ""


def _token(kind: str, word: str, place: Token) -> Token:
    if kind == "newline":
        kind, word = "sign", ";"
    if kind == "quoted":
        word = _ESCAPE.sub(r"\1", word[1:-1])
    return Token(kind=kind, text=word, line=place.line, column=place.column)
