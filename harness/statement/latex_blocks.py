"""Convert the lists and tables of a LaTeX statement to Markdown."""

import re
from collections.abc import Callable

from harness.values import dataclass

_NAMES = "itemize|enumerate|description|compactitem|compactenum|compactdesc"
_PART = re.compile(
    rf"\s{{0,20}}\\(?P<side>begin|end)\{{(?P<name>{_NAMES})\*?\}}(?:\[(?P<form>[^\]]{{0,200}})\])?[ \t]*"
    r"|\s{0,20}\\item(?![A-Za-z])[ \t]*(?:\[(?P<label>[^\]]{0,200})\])?\s*"
)
_DEEPEST = 8
_FORMS = (  # parts of a label, in the syntax of enumitem and of enumerate
    (re.compile(r"\\alph\*|(?<![A-Za-z\\])a(?![A-Za-z])"), "alph"),
    (re.compile(r"\\Alph\*|(?<![A-Za-z\\])A(?![A-Za-z])"), "Alph"),
    (re.compile(r"\\roman\*|(?<![A-Za-z\\])i(?![A-Za-z])"), "roman"),
    (re.compile(r"\\Roman\*|(?<![A-Za-z\\])I(?![A-Za-z])"), "Roman"),
    (re.compile(r"\\arabic\*|(?<![A-Za-z\\])1(?![A-Za-z])"), "arabic"),
)
_ROMAN = (
    (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_LETTERS = 26
_MOST_ROMAN = 200
_RULE = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfoot|endfirsthead|endlastfoot)(?![A-Za-z])"
    r"|\\(?:cline|cmidrule|rowcolor|cellcolor|noalign|arrayrulecolor)(?:\([a-z]{0,5}\))?(?:\[[^\]]{0,50}\])?\{[^{}]{0,99}\}"
)
_SPAN = re.compile(r"\\multi(?:column|row)\*?\s?\{[^{}]{0,20}\}\s?\{(?:[^{}]|\{[^{}]{0,50}\}){0,99}\}")
_COLUMNS = re.compile(
    r"\s*(?:\[[^\]]{0,20}\])?\s*(?:\{(?:[^{}]|\{(?:[^{}]|\{[^{}]{0,50}\}){0,200}\}){0,500}\}\s*){1,2}"
)
_ROW = re.compile(r"\\\\\*?(?:\[[^\]]{0,50}\])?|\\tabularnewline(?![A-Za-z])")
_CELL = re.compile(r"(?<!\\)&")
# Placeholders for `|` and `---` until all other text is converted.
BAR, UNDER_HEAD = "\ue002", "\ue003"


@dataclass(kw_only=True)
class _List:
    """One open list.

    form: the label if Markdown cannot express it, with `{}` for the number. term: its labels are
    terms to be explained. width: of the last marker, by which inner lists are indented.
    """

    numbered: bool
    form: str | None
    style: str
    term: bool = False
    count: int = 0
    width: int = 2


def with_lists(text: str, keep: Callable[[str], str]) -> str:
    """Convert the lists to Markdown. keep: protects a marker from later rules and returns its placeholder."""
    open_lists: list[_List] = []
    parts: list[str] = []
    at = 0
    for part in _PART.finditer(text):
        parts.append(text[at : part.start()])
        at = part.end()
        match part["side"]:
            case "begin":
                parts.append("" if open_lists else "\n\n")
                open_lists.append(_opened(part["name"], part["form"] or ""))
            case "end":
                parts.append("\n" if len(open_lists) > 1 else "\n\n")
                open_lists[-1:] = []
            case _:
                line = "" if parts[-2:] and "".join(parts[-2:]).endswith("\n") else "\n"
                parts.append(f"{line}{keep(_mark(open_lists))}{_label(open_lists, part['label'])}")
    return "".join(parts) + text[at:]


def _opened(name: str, form: str) -> _List:
    numbered, term = name.endswith("enum") or name == "enumerate", name in ("description", "compactdesc")
    label = form.partition("label=")[2].partition(",")[0] or ("" if "=" in form else form)
    for pattern, style in _FORMS:
        used = pattern.search(label)
        if used is not None:
            around = f"{label[: used.start()]}{{}}{label[used.end() :]}".strip()
            plain = style == "arabic" and around in ("{}", "{}.", "{})")
            return _List(numbered=numbered, form=None if plain else around, style=style, term=term)
    return _List(numbered=numbered, form=None, style="arabic", term=term)


def _mark(open_lists: list[_List]) -> str:
    """Return the item's marker, indented by the lists around it."""
    indent = " " * sum(outer.width for outer in open_lists[:-1][:_DEEPEST])
    inner = open_lists[-1] if open_lists else _List(numbered=False, form=None, style="")
    inner.count += 1
    mark = f"{inner.count}. " if inner.numbered and inner.form is None else "- "
    inner.width = len(mark)
    return indent + mark


def _label(open_lists: list[_List], given: str | None) -> str:
    inner = open_lists[-1] if open_lists else None
    if given is not None:
        return f"**{given}** " if inner is not None and inner.term and "*" not in given else f"{given} "
    if inner is None or not inner.numbered or inner.form is None:
        return ""
    return inner.form.replace("{}", _number(inner.count, inner.style)) + " "


def _number(count: int, style: str) -> str:
    if style in ("alph", "Alph") and count <= _LETTERS:
        letter = chr(ord("a") + count - 1)
        return letter if style == "alph" else letter.upper()
    if style in ("roman", "Roman") and count <= _MOST_ROMAN:
        number, left = "", count
        for value, letters in _ROMAN:
            number, left = number + letters * (left // value), left % value
        return number if style == "roman" else number.upper()
    return str(count)


def as_table(inside: str) -> str:
    """Convert the body of a `tabular` to a Markdown table whose first row is the head. Cells stay LaTeX."""
    text = _SPAN.sub("", _RULE.sub("", _COLUMNS.sub("", inside, count=1)))
    rows = [[" ".join(cell.split()) for cell in _CELL.split(row)] for row in _ROW.split(text)]
    rows = [row for row in rows if any(row)]
    if not rows:
        return ""
    width = max(map(len, rows))
    lines = [_line(row, width) for row in rows]
    return "\n".join((lines[0], _line([UNDER_HEAD] * width, width), *lines[1:]))


def _line(cells: list[str], width: int) -> str:
    return f"{BAR} " + f" {BAR} ".join((*cells, *[""] * (width - len(cells)))) + f" {BAR}"
