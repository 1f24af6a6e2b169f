"""Prepare a LaTeX statement: expand its own macros and its `\\input` files, convert lists and tables to Markdown.

Only plain definitions are supported: `\\newcommand`, `\\def`, `\\DeclareMathOperator`.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from harness.values import dataclass

LONGEST = 1 << 17
_ROUNDS = 8  # depth of nested macros
_MOST = 200
_INPUT_DEPTH = 3  # of files that include files
INPUT = re.compile(r"\\(?:input|include|subfile)\s{0,5}\{([^{}\n]{1,200})\}")
_DEFINED = re.compile(
    r"\\(?:(?:re|provide)?newcommand|providecommand|renewcommand|DeclareMathOperator)\*?\s{0,5}"
    r"(?:\{\s{0,5}\\([A-Za-z]{1,50})\s{0,5}\}|\\([A-Za-z]{1,50}))\s{0,5}(?:\[([0-9])\])?(\[[^\]]{0,200}\])?\s{0,5}(?=\{)"
    r"|\\def\s{0,5}\\([A-Za-z]{1,50})((?:\#[0-9]){0,9})\s{0,5}(?=\{)"
)
_USE = re.compile(r"\\([A-Za-z]{1,50})(?![A-Za-z])")
_BRACE = re.compile(r"(?<!\\)[{}]")
_BLANKS = re.compile(r"[ \n]*")
_PARAMETER = re.compile(r"#([1-9])")
_PICTURES = (".svg", ".png", ".jpg", ".jpeg", ".pdf")  # PDF last: pages for screens cannot show it
_NAMES = "itemize|enumerate|description|compactitem|compactenum|compactdesc"
_PART = re.compile(
    rf"\s{{0,20}}\\(?P<side>begin|end)\{{(?P<name>{_NAMES})\*?\}}(?:\[(?P<form>[^\]]{{0,200}})\])?[ \t]*"
    r"|\s{0,20}\\item(?![A-Za-z])[ \t]*(?:\[(?P<label>[^\]]{0,200})\])?\s*"
)
_BREAK_IN_ITEM = re.compile(r"(?:\\\\\*?(?:\[[^\]]{0,50}\])?|\\newline(?![A-Za-z]))[ \t]*\n?[ \t]*(?=[^\s])")
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


@dataclass(frozen=True, kw_only=True)
class _Macro:
    body: str
    arguments: int
    default: str | None


def with_inputs(latex: str, beside: Mapping[str, str]) -> str:
    """Replace each `\\input{file}` by that file's text. beside: texts by file name; an unknown file leaves nothing."""
    text = latex[:LONGEST]
    for _ in range(_INPUT_DEPTH):
        text = _with_inputs_once(text, beside)
    return INPUT.sub("", text)


def input_named(name: str, beside: Mapping[str, object]) -> str | None:
    """Find the file that an `\\input` names, with or without `.tex`."""
    name = name.strip().removeprefix("./")
    return next((file for file in (name, f"{name}.tex") if file in beside), None)


def _with_inputs_once(text: str, beside: Mapping[str, str]) -> str:
    parts: list[str] = []
    at = size = 0
    for match in INPUT.finditer(text):
        parts += (text[at : match.start()], beside.get(input_named(match[1], beside) or "", ""))
        at = match.end()
        size += len(parts[-2]) + len(parts[-1])
        if size > LONGEST:
            break
    return "".join((*parts, text[at:]))[:LONGEST]


def expanded(latex: str) -> str:
    """Remove the definitions and expand their uses while the text is within LONGEST characters."""
    text, macros = _without_definitions(latex[:LONGEST])
    for _ in range(_ROUNDS if macros else 0):
        after = _once(text, macros)
        if after == text or len(after) > LONGEST:
            break
        text = after
    return text


def without_definitions(text: str) -> str:
    """Write a dot for each character of the definitions; lines keep their numbers."""
    ends, parts, at = _ends_of_groups(text), list[str](), 0
    for match in _DEFINED.finditer(text):
        if match.start() >= at:
            end = ends.get(match.end(), match.end())
            parts += (text[at : match.start()], re.sub(r"[^\n]", ".", text[match.start() : end]))
            at = end
    return "".join(parts) + text[at:]


def _without_definitions(text: str) -> tuple[str, dict[str, _Macro]]:
    macros: dict[str, _Macro] = {}
    kept: list[str] = []
    at = 0
    ends = _ends_of_groups(text)
    while (match := _DEFINED.search(text, at)) is not None and len(macros) < _MOST:
        kept.append(text[at : match.start()])
        at = match.end()
        end = ends.get(at)
        if end is None:
            continue
        body = text[at + 1 : end - 1]
        at = end
        name = match[1] or match[2] or match[5]
        count = int(match[3]) if match[3] else len(match[6] or "") // 2
        default = match[4][1:-1] if match[4] else None
        content = f"\\operatorname{{{body}}}" if "MathOperator" in match[0] else body
        macros[name] = _Macro(body=content, arguments=count, default=default)
    return "".join(kept) + text[at:], macros


def _ends_of_groups(text: str) -> dict[int, int]:
    """Map the index of each opening brace to the index behind its closing brace."""
    ends: dict[int, int] = {}
    open_at: list[int] = []
    for brace in _BRACE.finditer(text):
        if brace[0] == "{":
            open_at.append(brace.start())
        elif open_at:
            ends[open_at.pop()] = brace.end()
    return ends


def _once(text: str, macros: Mapping[str, _Macro]) -> str:
    parts: list[str] = []
    ends = _ends_of_groups(text)
    at = work = 0
    for match in _USE.finditer(text):
        macro = macros.get(match[1])
        if macro is None or match.start() < at:
            continue
        values, behind = _values(text, match.end(), macro, ends)
        replaced = _filled(macro, values)
        # A command at its end must not merge with the next letter.
        if re.search(r"\\[A-Za-z]+\Z", replaced) and text[behind : behind + 1].isalpha():
            replaced += " "
        parts += (text[at : match.start()], replaced)
        at = behind
        work += len(macro.body) + len(replaced)
        if work > LONGEST:
            break
    return "".join(parts) + text[at:]


def _values(text: str, at: int, macro: _Macro, ends: Mapping[int, int]) -> tuple[list[str], int]:
    """Return the arguments of a use of a macro, and the index behind them."""
    values: list[str] = []
    if macro.default is not None:
        values.append(macro.default)
        end = text.find("]", at, at + 200) if text[at : at + 1] == "[" else -1
        if end > 0:
            values[0], at = text[at + 1 : end], end + 1
    while len(values) < macro.arguments:
        blanks = _BLANKS.match(text, at)
        opens = blanks.end() if blanks else at
        if opens not in ends:
            break
        at = ends[opens]
        values.append(text[opens + 1 : at - 1])
    if not macro.arguments and text[at : at + 2] == "{}":
        at += 2
    return values, at


def _filled(macro: _Macro, values: list[str]) -> str:
    """Insert the arguments into the macro's body; omit them if the result would exceed LONGEST characters."""
    given = dict(zip("123456789", values, strict=False))
    numbers = _PARAMETER.findall(macro.body)
    if sum(len(given.get(number, "")) for number in numbers) > LONGEST:
        given = {}
    return _PARAMETER.sub(lambda match: given.get(match[1], ""), macro.body)


def picture_named(name: str, pictures: Mapping[str, object]) -> str | None:
    """Find the picture that LaTeX names, with or without its extension, in any folder."""
    base = PurePosixPath(name.strip().strip('"')).name
    exact = (base, *(base + ending for ending in _PICTURES))
    stem = base.rpartition(".")[0]
    others = tuple(stem + ending for ending in _PICTURES) if stem else ()
    shown = [file for file in (*exact, *others) if file in pictures and file.lower().endswith(_PICTURES)]
    return min(shown, key=lambda file: file.lower().endswith(".pdf"), default=None)


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
        parts.append(_with_breaks(text[at : part.start()], open_lists, keep))
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


def _with_breaks(text: str, open_lists: list[_List], keep: Callable[[str], str]) -> str:
    """Turn line breaks in an item into hard breaks, so that the item goes on."""
    if not open_lists:
        return text
    indent = " " * sum(each.width for each in open_lists[:_DEEPEST])
    return _BREAK_IN_ITEM.sub(lambda _: keep(f"\\\n{indent}"), text)


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
