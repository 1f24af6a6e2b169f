"""Convert a MathML formula to Typst; no character of it is ever interpreted as Typst code."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element

_NEVER_BROKEN = 24  # most signs of an inline formula that is never broken
_LONGEST_PIECE = 60  # most signs up to a relation; Typst may break a longer piece anywhere
_INVISIBLE = re.compile("[\u2061-\u2064\ufe00\ufe01]")
_FENCES = frozenset("()[]{}|‖∣⌊⌋⌈⌉⟨⟩/\\↑↓")
_OPENING, _CLOSING = frozenset("([{⌊⌈⟨"), frozenset(")]}⌋⌉⟩")
_BARS = frozenset("|‖/")
_RELATIONS = frozenset("=<>≤≥≠≡≈∼≃≅∝∈∉⊆⊂⊊⊇⊃→←⇒⇐⇔↔↦⟶≔≪≫⟹⟸⟺⩽⩾")
_WITH_LIMITS = frozenset("∑∏∐⋃⋂⨁⨂⋁⋀⨄⨆")
_ACCENTS = {
    "ˆ": "hat", "̂": "hat", "^": "hat", "⃗": "arrow", "→": "arrow", "˜": "tilde", "~": "tilde", "̃": "tilde",
    "¯": "macron", "˙": "dot", "¨": "dot.double", "ˇ": "caron", "˘": "breve",
}  # fmt: skip
_STRETCHED = {"̲": "line", "‾": "line", "_": "line", "⏞": "brace", "⏟": "brace", "⎴": "bracket", "⎵": "bracket"}
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_LENGTH = re.compile(r"(-?[0-9]{0,3}\.?[0-9]{1,12})r?em")
_COLOR = re.compile(r"color:(#[0-9A-Fa-f]{6});?")
_NOTHING = "#[]"
_DRESS = {"b": "bold", "i": "italic", "code": "mono"}
_SCRIPTS: Mapping[str, Sequence[str]] = {
    "msub": ("b",), "msup": ("t",), "msubsup": ("b", "t"), "munder": ("b",), "mover": ("t",),
    "munderover": ("b", "t"),
}  # fmt: skip


def display(math: Element) -> str:
    """Write a formula on a line of its own."""
    return f"$ {_row(math)} $"


def inline(math: Element) -> str:
    """Write a formula within a line: unbroken if it is short, else it may break after relations."""
    if _length([math]) <= _NEVER_BROKEN:
        return f"#box[${_row(math)}$];"
    return "#sym.zws;".join(_piece(piece) for piece in _pieces(math))


def _piece(elements: Sequence[Element]) -> str:
    after = "#h(0.2778em)" if _is_relation(elements[-1]) else ""
    text = f"${_joined(map(_element, elements))}{after}$"
    return f"#box[{text}];" if _length(elements) <= _LONGEST_PIECE else text


def _pieces(math: Element) -> Iterator[list[Element]]:
    """Cut a formula after each relation outside of parentheses."""
    piece: list[Element] = []
    depth = 0
    for element in math:
        depth += (element.text in _OPENING) - (element.text in _CLOSING)
        piece.append(element)
        if depth <= 0 and _is_relation(element) and element is not math[-1]:
            yield piece
            piece = []
    yield piece


def _is_relation(element: Element) -> bool:
    return element.tag == "mo" and element.text in _RELATIONS


def _length(elements: Iterable[Element]) -> int:
    return sum(len("".join(element.itertext())) for element in elements)


def _row(element: Element) -> str:
    return _joined(map(_element, element))


def _joined(parts: Iterable[str]) -> str:
    """Join pieces, with a blank only between letters that would merge: Typst shows other blanks."""
    text = ""
    for part in parts:
        text += " " if text[-1:].isalnum() and part[:1].isalnum() else ""
        text += part
    return text


def _element(element: Element) -> str:  # noqa: PLR0911 (a case a kind of element)
    match element.tag:
        case "mi" | "mn" | "mo" | "mtext" | "merror":
            return _leaf(element)
        case "mspace":
            return _space(element.get("width", element.get("style", "")))
        case "mfrac":
            return _fraction(element)
        case "msqrt":
            return f"sqrt({_row(element) or _NOTHING})"
        case "mroot":
            return f"root({_part(element[1])}, {_part(element[0])})"
        case "mtable":
            return _table(element)
        case "mphantom":
            return f"#hide[${_row(element)}$]"
        case "menclose" if element.get("notation") == "box":
            return f"#box(stroke: 0.5pt, inset: 2pt)[${_row(element)}$]"
        case "menclose":
            return f"cancel({_row(element) or _NOTHING})"
        case tag if tag in _SCRIPTS:
            return _scripts(element)
        case _:
            return _group(element)


def _part(element: Element) -> str:
    """Write an argument, which is never empty."""
    return _element(element) or _NOTHING


def _leaf(element: Element) -> str:
    text = _INVISIBLE.sub("", "".join(element.itertext()))
    if not text:
        return _space(element.get("lspace", ""))
    if element.tag == "mo" and not text.isalpha():
        return _operator(element, text)
    if element.tag == "mi" and len(text) == 1:
        return f"upright({_sign(text)})" if element.get("mathvariant") == "normal" else _sign(text)
    if element.tag == "mn" and _NUMBER.fullmatch(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    words = f'#math.class("normal", "{escaped}")'
    dress = _DRESS.get(element[0].tag) if len(element) else None
    return f"{dress}({words})" if dress else words


def _operator(element: Element, text: str) -> str:
    sign = "".join(map(_sign, text))
    size = _LENGTH.match(element.get("minsize", ""))
    if size is not None:
        return f"lr(size: #{size[1]}em, {sign})"
    if text in _BARS or (text == "," and element.get("rspace") == "0"):
        return f'class("normal", {sign})'
    return sign


def _sign(char: str) -> str:
    """Write a token: letters and digits unchanged, other characters by code point."""
    return char if char.isascii() and char.isalnum() else f"\\u{{{ord(char):x}}}"


def _space(width: str) -> str:
    match = _LENGTH.search(width)
    return f"#h({match[1]}em)" if match else ""


def _group(element: Element) -> str:
    """Write a row. Its first and last delimiter stretch where the TeX has `\\left` and `\\right`."""
    color = _COLOR.fullmatch(element.get("style", ""))
    if color is not None:
        return f'#text(fill: rgb("{color[1]}"))[${_row(element)}$]'
    if _is_binomial(element):
        return f"binom({_part(element[1][0])}, {_part(element[1][1])})"
    if len(element) > 1 and (_stretches(element[0]) or _stretches(element[-1])):
        ends = {0, len(element) - 1}
        return f"lr({_joined(_fenced(child, index in ends) for index, child in enumerate(element))})"
    return _row(element)


def _is_binomial(element: Element) -> bool:
    return (
        len(element) == 3
        and element[1].get("linethickness") == "0"
        and (element[0].text, element[2].text) == ("(", ")")
    )


def _fenced(element: Element, is_end: bool) -> str:
    if not _stretches(element):
        # A sign without width keeps an empty `\left.` from stretching the next sign.
        return "\\u{200b}" if is_end and element.tag == "mo" and element.text == "\u2063" else _element(element)
    sign = _sign(element.text or "")
    return sign if is_end else f"mid({sign})"


def _stretches(element: Element) -> bool:
    return (
        element.tag == "mo"
        and element.text in _FENCES
        and element.get("stretchy") != "false"
        and not element.get("minsize")
    )


def _fraction(element: Element) -> str:
    above, below = map(_part, element)
    if element.get("linethickness") == "0":
        return f"mat(delim: #none, {above}; {below})"
    size = {"true": "display", "false": "inline"}.get(element.get("displaystyle", ""))
    return f"{size}(frac({above}, {below}))" if size else f"frac({above}, {below})"


def _scripts(element: Element) -> str:
    base, *scripts = element
    sign = "".join(scripts[0].itertext()) if element.tag in ("mover", "munder") and scripts[0].tag == "mo" else ""
    side = "over" if element.tag == "mover" else "under"
    if sign in _STRETCHED:
        return f"{side}{_STRETCHED[sign]}({_part(base)})"
    if element.tag == "mover" and element.get("accent") == "true" and sign in _ACCENTS:
        return f"accent({_part(base)}, {_ACCENTS[sign]})"
    named = (
        f"{position}: {_part(script)}" for position, script in zip(_SCRIPTS[element.tag], scripts, strict=True)
    )
    return f"attach({_base(base, element.tag)}, {', '.join(named)})"


def _base(base: Element, tag: str) -> str:
    """Return the base of scripts, set so that the scripts are above and below it or behind it."""
    text = _part(base)
    has_limits = base.tag == "mo" and base.text in _WITH_LIMITS
    if tag in ("msub", "msup", "msubsup"):
        return f"scripts({text})" if has_limits else text
    movable = has_limits and base.get("movablelimits") != "false"
    return text if movable else f"limits({text})"


def _table(element: Element) -> str:
    rows = [list(row) for row in element if row.tag == "mtr"]
    outer = "script" if element.get("scriptlevel") == "1" else "inline"
    if element.get("displaystyle") == "true":
        outer = "display"
    cells = "; ".join(", ".join(_cells(row, outer)) for row in rows)
    lines = _lines(rows)
    return f"mat(delim: #none, column-gap: #1em, row-gap: #0.5em, {lines}{cells})"


def _cells(row: Sequence[Element], outer: str) -> Iterator[str]:
    """Write the cells of a row with Typst's alignment points; a pair without a gap becomes one cell."""
    before = ""
    for index, cell in enumerate(row):
        text = f"{outer}({_row(cell)})" if len(cell) else ""
        style = cell.get("style", "")
        following = row[index + 1].get("style", "") if index + 1 < len(row) else ""
        if "text-align: right" in style and "padding-left: 0" in following:
            before = text
        elif before or "text-align: left" in style:
            yield f"{before}&{text}"
            before = ""
        else:
            yield f"{text}&" if "text-align: right" in style else text
    if before:
        yield f"{before}&"


def _lines(rows: Sequence[Sequence[Element]]) -> str:
    """Return the rules between the columns and rows of an `array`."""
    across = [
        index for index, row in enumerate(rows) if any("border-top" in cell.get("style", "") for cell in row)
    ]
    down = [
        index + 1
        for index, cell in enumerate(rows[0] if rows else ())
        if "border-right" in cell.get("style", "") and index + 1 < len(rows[0])
    ]
    across = [index for index in across if index]
    if not across and not down:
        return ""
    return f"augment: #(hline: ({_listed(across)}), vline: ({_listed(down)}), stroke: 0.5pt), "


def _listed(places: Sequence[int]) -> str:
    return "".join(f"{index}, " for index in places)
