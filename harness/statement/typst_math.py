"""The TeX that statements use for formulas, as Typst writes it."""

import itertools
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
_MORE_SYMBOLS = {
    "colon": ":", "langle": "⟨", "rangle": "⟩", "varepsilon": "epsilon", "phi": "φ", "varphi": "φ", "rho": "ρ",
    "eta": "η", "tau": "τ",
    "zeta": "ζ", "kappa": "κ", "nu": "ν", "xi": "ξ", "psi": "ψ", "chi": "χ", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ",
    "Lambda": "Λ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "ell": "ℓ", "leftarrow": "←",
    "gets": "←", "Rightarrow": "⇒", "implies": "⇒", "Leftrightarrow": "⇔", "iff": "⇔", "leftrightarrow": "↔",
    "longrightarrow": "⟶", "mapsto": "↦", "uparrow": "↑", "downarrow": "↓", "forall": "∀", "exists": "∃", "neg": "¬",
    "lnot": "¬", "wedge": "∧", "vee": "∨", "setminus": "∖", "backslash": "∖", "subset": "⊂", "supset": "⊃",
    "supseteq": "⊇", "varnothing": "∅", "ll": "≪", "gg": "≫", "sim": "∼", "simeq": "≃", "cong": "≅", "propto": "∝",
    "div": "÷", "ast": "∗", "star": "⋆", "parallel": "∥", "perp": "⊥", "angle": "∠", "prime": "′", "otimes": "⊗",
    "vert": "|", "lvert": "|", "rvert": "|", "Vert": "‖", "lVert": "‖", "rVert": "‖", "vdots": "⋮", "ddots": "⋱",
    "dotsc": "…", "dotsb": "⋯", "qquad": "wide", "leqslant": "<=", "geqslant": ">=", "partial": "∂", "nabla": "∇",
    "int": "integral", "bigcup": "⋃", "bigcap": "⋂", "bigoplus": "⨁", "sin": "sin", "cos": "cos", "tan": "tan", "ln":
    "ln", "exp": "exp", "lim": "lim", "deg": "deg", "arctan": "arctan", "lg": "lg", "argmin": "op(\"argmin\")", "big":
    "", "Big": "", "bigl": "", "bigr": "", "Bigl": "", "Bigr": "", "bigg": "", "limits": "", "nolimits": "",
    "displaystyle": "", "textstyle": "", "nonumber": "", "notag": "", ":": "med", ">": "med", "-": "",
}  # fmt: skip
_ONE = {
    "hat": "hat", "bar": "overline", "overline": "overline", "underline": "underline", "vec": "arrow", "tilde": "tilde",
    "overbrace": "overbrace", "underbrace": "underbrace", "mathbb": "bb", "mathcal": "cal", "dot": "dot",
}  # fmt: skip
_ROWS = ("split", "aligned", "align", "align*", "gathered")
_MATRICES = {
    "matrix": "#none",
    "array": "#none",
    "pmatrix": '"("',
    "bmatrix": '"["',
    "vmatrix": '"|"',
    "cases": "",
}
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
        words = re.sub(r"\\[ ,;:]", " ", _raw(tokens)).replace("\\", "\\\\").replace('"', '\\"')
        return f'{_TEXT[name]}("{words}")' if _TEXT[name] else f'"{words}"'
    if name == "sqrt":
        return _root(tokens)
    if name in _ONE:
        return f"{_ONE[name]}({_argument(tokens)})"
    if name == "pmod":
        return f"space (mod {_argument(tokens)})"
    if name == "begin":
        return _environment(_raw(tokens), tokens)
    known = _SYMBOLS.get(name, _MORE_SYMBOLS.get(name))
    if known is None:
        raise ValueError(f"{token} is not known")
    return known


def _root(tokens: Iterator[re.Match[str]]) -> str:
    """`\\sqrt{x}`, or with its degree in brackets before it."""
    first = next((found[0] for found in tokens if not found[0].isspace()), "")
    if first != "[":
        return f"sqrt({_one(first, tokens)})" if first not in ("", "}") else "sqrt()"
    degree = list(itertools.takewhile(lambda found: found[0] != "]", tokens))
    return f"root({' '.join(_sequence(iter(degree), closing=False))}, {_argument(tokens)})"


def _environment(name: str, tokens: Iterator[re.Match[str]]) -> str:
    """Rows and cells up to the `\\end` of this name."""
    if name not in (*_ROWS, *_MATRICES):
        raise ValueError(f"the environment {name} is not known")
    if name == "array":
        _raw(tokens)  # how its columns are set
    rows: list[list[str]] = [[""]]
    for found in tokens:
        token = found[0]
        if token == "\\end":
            _raw(tokens)
            return _set_rows(name, [[cell.strip() for cell in row] for row in rows if any(map(str.strip, row))])
        if token == "\\\\":
            rows.append([""])
        elif token == "&":
            rows[-1].append("")
        elif not token.isspace():
            rows[-1][-1] += f" {_one(token, tokens)}"
    raise ValueError(f"the environment {name} has no end")


def _set_rows(name: str, rows: list[list[str]]) -> str:
    if name in _ROWS:
        return " \\\n".join(" & ".join(row) for row in rows)
    cells = [[cell.replace(",", "\\,").replace(";", "\\;") for cell in row] for row in rows]
    if name == "cases":
        return f"cases({', '.join(' & '.join(row) for row in cells)})"
    return f"mat(delim: {_MATRICES[name]}, {'; '.join(', '.join(row) for row in cells)})"


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
