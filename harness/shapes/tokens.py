"""The tokens of a shape's text, each with line and column."""

import re
from collections.abc import Sequence
from typing import NoReturn

from harness.shapes.expressions import Expression, Name, Number, Operation, product_of
from harness.shapes.reader import ShapeError
from harness.values import dataclass

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
    """A token. kind: "name", "number", "decimal", "quoted", "sign", or "end". A line's end is the sign `;`."""

    kind: str
    text: str
    line: int
    column: int

    def fail(self, message: str) -> NoReturn:
        """Raise ShapeError at this token."""
        raise ShapeError(f"shape: line {self.line}, column {self.column}: {message}")

    @property
    def shown(self) -> str:
        """Return the token as messages show it."""
        if self.kind == "end":
            return "the end"
        return "the end of the line" if self.text == "\n" else f"`{self.text}`"


def tokens_of(text: str) -> list[Token]:
    """Return all tokens, and the end token. A line's end is `;`; within parentheses it is skipped."""
    tokens: list[Token] = []
    at, line, start, depth = 0, 1, 0, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        token = Token(kind="end", text=text[at], line=line, column=at - start + 1)
        if match is None:
            token.fail(f"{text[at]!r} has no meaning here" + _hint(text[at]))
        kind, word = match.lastgroup or "", match[0]
        if kind == "name" and at and text[at - 1].isdigit() and (exponent := _EXPONENT.fullmatch(word)):
            token.fail(f"an exponent is written as in 2*10^{exponent[1]}, not as in 2{word}")
        depth += (word == "(") - (word == ")")
        if kind not in ("blank", "newline") or (kind == "newline" and depth <= 0):
            tokens.append(_token(kind, word, token))
        at = match.end()
        if kind == "newline":
            line, start = line + 1, at
    return [*tokens, Token(kind="end", text="", line=line, column=at - start + 1)]


def _hint(char: str) -> str:
    if char == "[":
        return ": n integers are `n * (-10..10)`"
    return ": the quotation mark has no partner in its line" if char == '"' else ""


def _token(kind: str, word: str, start: Token) -> Token:
    if kind == "newline":
        kind, word = "sign", ";"
    if kind == "quoted":
        word = _ESCAPE.sub(r"\1", word[1:-1])
    return Token(kind=kind, text=word, line=start.line, column=start.column)


_EXPONENT = re.compile(r"[eE]([0-9]+)")
LONGEST = 100  # tokens of an expression
LARGEST = 10**40


class Tokens:
    """A cursor over tokens. known: the names of the integers that expressions may use."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.known: set[str] = set()
        self._tokens = tokens
        self._at = 0

    @property
    def here(self) -> Token:
        """Return the token at the cursor."""
        return self.peek(0)

    def peek(self, ahead: int) -> Token:
        """Return the token `ahead` tokens further; past the last token, the end token."""
        return self._tokens[min(self._at + ahead, len(self._tokens) - 1)]

    def advance(self, count: int = 1) -> None:
        """Move `count` tokens ahead."""
        self._at += count

    def at(self, text: str) -> bool:
        """Return whether this sign or word is at the cursor."""
        return self.here.kind in ("sign", "name") and self.here.text == text

    def next_is(self, sign: str) -> bool:
        """Return whether this sign follows the token at the cursor."""
        return self.peek(1).kind == "sign" and self.peek(1).text == sign

    def skip(self, text: str) -> bool:
        """Move over this sign or word if it is at the cursor; return whether it was."""
        is_here = self.at(text)
        self._at += is_here
        return is_here

    def expect(self, sign: str) -> None:
        """Move over this sign, or raise ShapeError if it is not at the cursor."""
        if not self.skip(sign):
            self.here.fail(f"expected `{sign}`, found {self.here.shown}")

    def text(self) -> bytes:
        """Return the name or quoted text at the cursor as bytes, and move over it."""
        here = self.here
        if not here.text.isascii() or not here.text.isprintable():
            here.fail("only printable ASCII characters can stand in an input")
        self.advance()
        return here.text.encode()

    def expression(self) -> Expression:
        """Read a sum; stop before `*` `(`, which begins the items of an array."""
        here, limit = self.here, self.limit()
        if isinstance(limit, Number) and limit.decimals:
            here.fail("decimals are only for the limits of a range, such as `0.00..9.99`")
        return limit

    def limit(self) -> Expression:
        """Read a limit of a range: a sum, or a number with decimals."""
        if self.here.kind == "decimal" or (self.at("-") and self.peek(1).kind == "decimal"):
            factor = -1 if self.skip("-") else 1
            whole, _, places = self.here.text.partition(".")
            self.advance()
            return Number(amount=factor * int(whole + places), decimals=len(places))
        start, left = self._at, self._product()
        while self.at("+") or self.at("-"):
            self._check_length(start)
            sign = self.here.text
            self.advance()
            left = Operation(sign=sign, left=left, right=self._product())
        return left

    def _product(self) -> Expression:
        start, left = self._at, self._power()
        while self.at("*") and not self.next_is("("):
            self._check_length(start)
            self.advance()
            left = self._bounded(product_of(left, self._power()))
        return left

    def _check_length(self, start: int) -> None:
        if self._at - start > LONGEST:
            self.here.fail("the expression is too long")

    def _bounded(self, number: Expression) -> Expression:
        if isinstance(number, Number) and abs(number.amount) > LARGEST:
            self.here.fail("numbers go up to 10^40")
        return number

    def _power(self) -> Expression:
        negative = self.skip("-")
        base = self._atom()
        if self.at("^"):
            self.advance()
            here, exponent = self.here, self._atom()
            if not isinstance(base, Number) or not isinstance(exponent, Number) or exponent.amount > 100:
                here.fail("a power is of numbers, such as `10^9`, the exponent at most 100")
            base = self._bounded(Number(amount=base.amount**exponent.amount))
        return product_of(Number(amount=-1), base) if negative else base

    def _atom(self) -> Expression:
        here = self.here
        if here.kind == "number":
            self.advance()
            return Number(amount=int(here.text))
        if here.kind != "name":
            here.fail(f"expected a number or the name of an integer, found {here.shown}")
        if here.text not in self.known:
            here.fail(f"`{here.text}` is no integer of an earlier item")
        self.advance()
        return Name(name=here.text)
