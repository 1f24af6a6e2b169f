"""The lists of a LaTeX statement as those of Markdown: numbered where they are numbered, lists in lists."""

import re
from collections.abc import Callable

from harness.values import dataclass

_NAMES = "itemize|enumerate|description|compactitem|compactenum|compactdesc"
_PART = re.compile(
    rf"\s{{0,20}}\\(?P<side>begin|end)\{{(?P<name>{_NAMES})\*?\}}(?:\[(?P<form>[^\]]{{0,200}})\])?[ \t]*"
    r"|\s{0,20}\\item(?![A-Za-z])[ \t]*(?:\[(?P<label>[^\]]{0,200})\])?\s*"
)
_DEEPEST = 8
_FORMS = (  # what a label is made of, in the words of enumitem and in those of enumerate
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


@dataclass(kw_only=True)
class _List:
    """One open list. form: what stands around a number that Markdown cannot write, `{}` in its place.

    term: its labels are words that are explained. width: of the last mark, for what is further in.
    """

    numbered: bool
    form: str | None
    style: str
    term: bool = False
    count: int = 0
    width: int = 2


def with_lists(text: str, keep: Callable[[str], str]) -> str:
    """The text with its lists as lines of Markdown. keep: lays a mark aside, that no later rule touches it."""
    open_lists: list[_List] = []
    parts: list[str] = []
    at = 0
    for found in _PART.finditer(text):
        parts.append(text[at : found.start()])
        at = found.end()
        match found["side"]:
            case "begin":
                parts.append("" if open_lists else "\n\n")
                open_lists.append(_opened(found["name"], found["form"] or ""))
            case "end":
                parts.append("\n" if len(open_lists) > 1 else "\n\n")
                open_lists[-1:] = []
            case _:
                line = "" if parts[-2:] and "".join(parts[-2:]).endswith("\n") else "\n"
                parts.append(f"{line}{keep(_mark(open_lists))}{_label(open_lists, found['label'])}")
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
    """The item's mark, as far in as the lists around it ask for."""
    indent = " " * sum(each.width for each in open_lists[:-1][:_DEEPEST])
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
