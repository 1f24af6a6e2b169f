"""Expressions in the sources of validators, such as `n*(n-1)/2`: as texts in a shape, else as intervals of values."""

import re
from collections.abc import Callable
from decimal import Decimal

from harness.values import dataclass

_TOKEN = re.compile(r"[A-Za-z_]\w*|0[xX][0-9a-fA-F]+|\d[\d'_]*(?:\.\d+)?(?:[eE]\d+)?[uUlL]*|<<|\*\*|::|\S")
_TYPE = r"(?:int|long|long long|longlong|ll|LL|double|size_t|int64_t|i64|lint)"
_CAST = re.compile(rf"\({_TYPE}\)|\b{_TYPE}\b(?=\()")


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


UNKNOWN_TERM = Term(text="")
_MOST_NUMBER = 10**39  # shapes have no longer numbers
_MOST_EXPONENT = 400
_EXPONENTS = ("2", "3")  # of names, which a shape multiplies


def term_of(text: str, known: Callable[[str], Term]) -> Term:
    """Return the term of an expression; UNKNOWN_TERM if it has other parts. known: returns the term of a name."""
    tokens = _TOKEN.findall(_CAST.sub("", text))
    if not tokens:
        return UNKNOWN_TERM
    parser = _Expression(tokens=tokens, known=known)
    term = parser.expression()
    return term if parser.at == len(tokens) else UNKNOWN_TERM


@dataclass(kw_only=True)
class _Expression:
    """Parses sums, products and powers; keeps the interval of values where a shape has no text for them."""

    tokens: list[str]
    known: Callable[[str], Term]
    at: int = 0

    def _next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def expression(self) -> Term:
        """Parse sums, shifted or not."""
        left = self.sum()
        while self._next() == "<<":
            self.at += 1
            left = _combined(left, self.sum(), "<<")
        return left

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
        if self._next() in ("^", "**"):
            self.at += 1
            return _combined(base, self.power(), "**")
        return base

    def atom(self) -> Term:
        token = self._next()
        self.at += 1
        if token == "-":
            return _combined(Term.of_number(0), self.power(), "-")
        if token == "(":
            inner = self.expression()
            self.at += self._next() == ")"
            return inner
        if token[:1].isdigit():
            return _number(token)
        while self._next() == "::":
            self.at += 1
            token = self._next()
            self.at += 1
        if self._next() == "(":
            return self._called(token)
        if self._next() in ("[", "."):
            self.at = len(self.tokens) + 1
            return UNKNOWN_TERM
        return self.known(token)

    def _called(self, name: str) -> Term:
        """Return the term of a call: of `min` and `max` the interval."""
        self.at += 1
        terms = [self.expression()]
        while self._next() == ",":
            self.at += 1
            terms.append(self.expression())
        self.at += self._next() == ")"
        if name not in ("min", "max"):
            return UNKNOWN_TERM
        choose = min if name == "min" else max
        lows, highs = (
            [term.low for term in terms if term.low is not None],
            [term.high for term in terms if term.high is not None],
        )
        if not lows or not highs or (name == "max" and len(highs) < len(terms)):
            return UNKNOWN_TERM
        return Term(text="", low=choose(lows), high=choose(highs))


def _number(token: str) -> Term:
    """Return the term of a number; UNKNOWN_TERM if it is too large."""
    plain = re.sub(r"['_]", "", token).rstrip("uUlL") if token[:2].lower() != "0x" else token
    if plain.isdigit() or plain[:2].lower() == "0x":
        return _bounded(int(plain, 0 if plain[:2].lower() == "0x" else 10))
    mantissa, _, exponent = plain.lower().partition("e")
    if int(exponent or 0) > _MOST_EXPONENT:
        return UNKNOWN_TERM
    return _bounded(int(Decimal(mantissa) * 10 ** int(exponent or 0)))


def _bounded(number: int) -> Term:
    return Term.of_number(max(-_MOST_NUMBER, min(number, _MOST_NUMBER)))


_SIGNS: dict[str, Callable[[int, int], int]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: abs(left) // right * (1 if left >= 0 else -1),  # towards 0, as C++
    "**": lambda left, right: left**right,
    "<<": lambda left, right: left << right,
}


def _interval(left: Term, right: Term, sign: str) -> tuple[int, int] | None:
    """Return the least and highest value of an operation; None if unknown."""
    if left.low is None or left.high is None or right.low is None or right.high is None:
        return None
    if sign == "%":
        return (0, right.high - 1) if left.low >= 0 and right.low > 0 else None
    if (sign == "/" and right.low <= 0) or (sign in ("**", "<<") and (left.low < 0 or right.low < 0)):
        return None
    if (sign == "**" and right.high > _MOST_EXPONENT) or (sign == "<<" and right.high > _MOST_SHIFT):
        return None
    ends = [_SIGNS[sign](a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
    return max(-_MOST_NUMBER, min(ends)), min(_MOST_NUMBER, max(ends))


_MOST_SHIFT = 64


def _combined(left: Term, right: Term, sign: str) -> Term:
    """Return the term of an operation: a text if a shape can express it, and its interval."""
    low, high = _interval(left, right, sign) or (None, None)
    if low is not None and low == high and left.low == left.high and right.low == right.high:
        return Term.of_number(low)
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
