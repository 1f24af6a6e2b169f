"""A cursor over the tokens of a shape's text, and the expressions that it reads."""

from collections.abc import Container, Sequence

from harness.shapes.expressions import Expression, Name, Number, Operation
from harness.shapes.lexer import Token

LONGEST = 100  # tokens of one expression
LARGEST = 10**40


class Tokens:
    """A cursor over tokens; a quoted token is never a sign."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._at = 0

    @property
    def here(self) -> Token:
        """The token at the cursor."""
        return self.peek(0)

    def peek(self, ahead: int) -> Token:
        """The token `ahead` places on; the end has no end."""
        return self._tokens[min(self._at + ahead, len(self._tokens) - 1)]

    def advance(self, count: int = 1) -> None:
        """Move on."""
        self._at += count

    def at(self, text: str) -> bool:
        """Whether this sign or word stands here."""
        return self.here.kind in ("sign", "name") and self.here.text == text

    def next_is(self, sign: str) -> bool:
        """Whether this sign stands after the token here."""
        return self.peek(1).kind == "sign" and self.peek(1).text == sign

    def skip(self, text: str) -> bool:
        """Move over this sign or word if it stands here."""
        found = self.at(text)
        self._at += found
        return found

    def expect(self, sign: str) -> None:
        """Move over this sign, which must stand here."""
        if not self.skip(sign):
            self.here.fail(f"expected `{sign}`, found {self.here.shown}")

    def text(self) -> bytes:
        """The name or quoted text here as bytes; move on."""
        here = self.here
        if not here.text.isascii() or not here.text.isprintable():
            here.fail("only printable ASCII characters can stand in an input")
        self.advance()
        return here.text.encode()

    def expression(self, known: Container[str]) -> Expression:
        """Read a sum; stops before `*` `(`, which makes an array of what stands before."""
        here, found = self.here, self.limit(known)
        if isinstance(found, Number) and found.decimals:
            here.fail("decimals are only for the limits of a range, such as `0.00..9.99`")
        return found

    def limit(self, known: Container[str]) -> Expression:
        """The same, or a number with decimals, as the limit of a range may be."""
        if self.here.kind == "decimal" or (self.at("-") and self.peek(1).kind == "decimal"):
            factor = -1 if self.skip("-") else 1
            whole, _, places = self.here.text.partition(".")
            self.advance()
            return Number(amount=factor * int(whole + places), decimals=len(places))
        start, left = self._at, self._product(known)
        while self.at("+") or self.at("-"):
            self._check_length(start)
            sign = self.here.text
            self.advance()
            left = Operation(sign=sign, left=left, right=self._product(known))
        return left

    def _product(self, known: Container[str]) -> Expression:
        start, left = self._at, self._power(known)
        while self.at("*") and not self.next_is("("):
            self._check_length(start)
            self.advance()
            left = self._bounded(_product_of(left, self._power(known)))
        return left

    def _check_length(self, start: int) -> None:
        if self._at - start > LONGEST:
            self.here.fail("the expression is too long")

    def _bounded(self, number: Expression) -> Expression:
        if isinstance(number, Number) and abs(number.amount) > LARGEST:
            self.here.fail("numbers go up to 10^40")
        return number

    def _power(self, known: Container[str]) -> Expression:
        negative = self.skip("-")
        base = self._atom(known)
        if self.at("^"):
            self.advance()
            here, exponent = self.here, self._atom(known)
            if not isinstance(base, Number) or not isinstance(exponent, Number) or exponent.amount > 100:
                here.fail("a power is of numbers, such as `10^9`, the exponent at most 100")
            base = self._bounded(Number(amount=base.amount**exponent.amount))
        return _product_of(Number(amount=-1), base) if negative else base

    def _atom(self, known: Container[str]) -> Expression:
        here = self.here
        if here.kind == "number":
            self.advance()
            return Number(amount=int(here.text))
        if here.kind != "name":
            here.fail(f"expected a number or the name of an integer, found {here.shown}")
        if here.text not in known:
            here.fail(f"`{here.text}` is no integer of an earlier item")
        self.advance()
        return Name(name=here.text)


def _product_of(left: Expression, right: Expression) -> Expression:
    if isinstance(left, Number) and isinstance(right, Number):
        return Number(amount=left.amount * right.amount)
    return Operation(sign="*", left=left, right=right)
