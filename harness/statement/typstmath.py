"""The TeX that statements use for formulas, as Typst writes it."""

import re
from collections.abc import Iterator

_TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|[a-zA-Z]|[0-9]+(?:\.[0-9]+)?|[{}^_]|\s+|.", re.DOTALL)
_SYMBOLS = {
    "le": "<=", "leq": "<=", "ge": ">=", "geq": ">=", "ne": "!=", "neq": "!=", "lt": "<", "gt": ">", "times": "times",
    "cdot": "dot.op", "ldots": "dots.h", "dots": "dots.h", "cdots": "dots.h.c", "pm": "plus.minus", "infty": "infinity",
    "in": "in", "notin": "in.not", "to": "arrow.r", "rightarrow": "arrow.r", "sum": "sum", "prod": "product",
    "lfloor": "floor.l", "rfloor": "floor.r", "lceil": "ceil.l", "rceil": "ceil.r", "mid": "divides", "bmod": "mod",
    "log": "log", "max": "max", "min": "min", "gcd": "gcd", "left": "", "right": "", "quad": "quad", "equiv": "equiv",
    "oplus": "xor", "land": "and", "lor": "or", "subseteq": "subset.eq", "cup": "union", "cap": "sect", "emptyset":
    "emptyset", "approx": "approx", "sqrt": "sqrt", "bullet": "bullet", "circ": "compose", "alpha": "alpha", "beta":
    "beta", "gamma": "gamma", "delta": "delta", "epsilon": "epsilon", "lambda": "lambda", "mu": "mu", "pi": "pi",
    "sigma": "sigma", "theta": "theta", "omega": "omega", ",": "thin", ";": "med", "!": "", " ": "space", "{": "\\{",
    "}": "\\}", "%": "\\%", "_": "\\_", "#": "\\#", "$": "\\$", "&": "\\&", "|": "bar.v.double",
}  # fmt: skip
_TWO = {"binom": "binom", "frac": "frac", "dfrac": "frac", "tfrac": "frac"}
_TEXT = {"text": "", "mathrm": "upright", "textrm": "", "mathit": "italic", "mathbf": "bold", "operatorname": "op"}
_PLAIN = {"/": "\\/", '"': '\\"', "#": "\\#", "$": "\\$", "&": "\\&", "~": "space", "'": "'"}


def to_typst(formula: str) -> str:
    """The formula between Typst's dollars. Raises ValueError for a command that is not known here."""
    return " ".join(_sequence(_TOKEN.finditer(formula), closing=False)).strip()


def _sequence(tokens: Iterator[re.Match[str]], *, closing: bool) -> Iterator[str]:
    for found in tokens:
        token = found[0]
        if token == "}":
            if closing:
                return
            raise ValueError("a brace too many")
        if not token.isspace():
            yield _one(token, tokens)
    if closing:
        raise ValueError("a brace too few")


def _one(token: str, tokens: Iterator[re.Match[str]]) -> str:  # noqa: PLR0911 (a case a kind of token)
    if token == "{":
        return " ".join(_sequence(tokens, closing=True))
    if token in "^_":
        return f"{token}({_argument(tokens)})"
    if not token.startswith("\\"):
        return _PLAIN.get(token, token)
    name = token[1:]
    if name in _TWO:
        return f"{_TWO[name]}({_argument(tokens)}, {_argument(tokens)})"
    if name in _TEXT:
        words = _raw(tokens).replace("\\", "\\\\").replace('"', '\\"')
        return f'{_TEXT[name]}("{words}")' if _TEXT[name] else f'"{words}"'
    if name == "sqrt":
        return f"sqrt({_argument(tokens)})"
    if name not in _SYMBOLS:
        raise ValueError(f"{token} is not known")
    return _SYMBOLS[name]


def _argument(tokens: Iterator[re.Match[str]]) -> str:
    for found in tokens:
        if not found[0].isspace():
            return _one(found[0], tokens).replace(",", "\\,")
    raise ValueError("an argument is missing")


def _raw(tokens: Iterator[re.Match[str]]) -> str:
    """The letters of a group, as they stand."""
    parts: list[str] = []
    for found in tokens:
        if found[0] == "}":
            return "".join(parts)
        if found[0] != "{" or parts:
            parts.append(found[0])
    raise ValueError("a brace too few")
