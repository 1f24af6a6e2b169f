"""Turn expressions of a source, such as `n*(n-1)/2`, into the text of a shape, and the interval of their values."""

import ast
import re
import warnings
from collections.abc import Callable
from decimal import Decimal

from harness.values import dataclass

_TYPE = r"(?:int|long|long long|longlong|ll|LL|double|size_t|int64_t|i64|lint)"
_NOISE = re.compile(rf"\({_TYPE}\)|\b{_TYPE}\b(?=\()|\b\w+::")  # casts and namespaces
_OF_TYPE = re.compile(r"\b(0x[\da-fA-F]+|\d+)[uUlL]+\b")
_POWER_OF_TEN = re.compile(r"(?<!\w)(\d+(?:\.\d+)?)[eE](\d{1,3})\b")


@dataclass(frozen=True, kw_only=True)
class Term:
    """An expression. text: in a shape, "" if it has none. low, high: its least and highest value, None if unknown."""

    text: str
    low: int | None = None
    high: int | None = None

    @staticmethod
    def of_number(number: int) -> "Term":
        """Return the term of a constant."""
        number = max(-_MOST_NUMBER, min(number, _MOST_NUMBER))
        return Term(text=str(number), low=number, high=number)

    @property
    def is_sum(self) -> bool:
        """Return whether the text is a sum, or a negative number."""
        return "+" in self.text or "-" in self.text


UNKNOWN_TERM = Term(text="")
_MOST_NUMBER = 10**39  # shapes have no longer numbers
_MOST_EXPONENT = 400
_MOST_SHIFT = 64
_EXPONENTS = ("2", "3")  # of names, which a shape multiplies


def term_of(text: str, term_named: Callable[[str], Term]) -> Term:
    """Return the term of an expression; UNKNOWN_TERM if it cannot be read. term_named: returns the term of a name."""
    plain = _OF_TYPE.sub(r"\1", _NOISE.sub("", text)).replace("^", "**")
    plain = _POWER_OF_TEN.sub(lambda match: str(int(Decimal(match[1]).scaleb(int(match[2])))), plain)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return _term(ast.parse(plain.strip(), mode="eval").body, term_named)
        except (SyntaxError, ValueError, MemoryError):
            return UNKNOWN_TERM


def _term(node: ast.expr, term_named: Callable[[str], Term]) -> Term:
    """Return the term of a syntax tree; if a shape cannot express it, only its interval is set."""
    match node:
        case ast.Constant(value=int() as number):
            return Term.of_number(number)
        case ast.Name(id=name):
            return term_named(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _combined(Term.of_number(0), _term(operand, term_named), "-")
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _SIGNS:
            return _combined(_term(left, term_named), _term(right, term_named), _SIGNS[type(operator)])
        case ast.Call(func=ast.Name(id="min" | "max" as name), args=parts):
            terms = [_term(part, term_named) for part in parts]
            lows = [term.low for term in terms if term.low is not None]
            highs = [term.high for term in terms if term.high is not None]
            if lows and highs and (name == "min" or len(highs) == len(terms)):
                choose = min if name == "min" else max
                return Term(text="", low=choose(lows), high=choose(highs))
    return UNKNOWN_TERM


_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
}
_OPERATIONS: dict[str, Callable[[int, int], int]] = {
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
    ends = [_OPERATIONS[sign](a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
    return max(-_MOST_NUMBER, min(ends)), min(_MOST_NUMBER, max(ends))


def _combined(left: Term, right: Term, sign: str) -> Term:
    """Return the term of an operation: a text if a shape can express it, and its interval."""
    low, high = _interval(left, right, sign) or (None, None)
    if low is not None and low == high and left.low == left.high and right.low == right.high:
        return Term.of_number(low)
    text = ""
    if sign == "**" and left.text.isidentifier() and right.text in _EXPONENTS:
        text = "*".join([left.text] * int(right.text))
    elif left.text and right.text and sign in "+-*" and (sign == "*" or left.text != "0"):  # no negations of names
        has_sums = (left.is_sum or right.is_sum) if sign == "*" else (right.is_sum and sign == "-")
        if not has_sums:
            text = _folded(f"{left.text}{'' if sign == '+' and right.text.startswith('-') else sign}{right.text}")
    return Term(text=text, low=low, high=high)


def _folded(text: str) -> str:
    """Return a sum with its last two numbers added: `n` for `n+1-1`."""
    match = re.fullmatch(r"(.*?[\w)])([-+]\d+)([-+]\d+)?", text)
    if match is None:
        return text
    rest = int(match[2]) + int(match[3] or 0)
    return f"{match[1]}{rest:+d}" if rest else match[1]
