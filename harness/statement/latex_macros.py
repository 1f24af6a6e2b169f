"""Expand a LaTeX statement's own macros and its `\\input` files, before the text is converted.

Only plain definitions are supported: `\\newcommand`, `\\def`, `\\DeclareMathOperator`.
"""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from harness.values import dataclass

LONGEST = 1 << 17
_ROUNDS = 8  # depth of nested macros
_MOST = 200
_INPUT = re.compile(r"\\(?:input|include|subfile)\s{0,5}\{([^{}\n]{1,200})\}")
_DEFINED = re.compile(
    r"\\(?:(?:re|provide)?newcommand|providecommand|renewcommand|DeclareMathOperator)\*?\s{0,5}"
    r"(?:\{\s{0,5}\\([A-Za-z]{1,50})\s{0,5}\}|\\([A-Za-z]{1,50}))\s{0,5}(?:\[([0-9])\])?(\[[^\]]{0,200}\])?\s{0,5}(?=\{)"
    r"|\\def\s{0,5}\\([A-Za-z]{1,50})((?:\#[0-9]){0,9})\s{0,5}(?=\{)"
)
_USE = re.compile(r"\\([A-Za-z]{1,50})(?![A-Za-z])")
_BRACE = re.compile(r"(?<!\\)[{}]")
_BLANKS = re.compile(r"[ \n]*")
_PARAMETER = re.compile(r"#([1-9])")


@dataclass(frozen=True, kw_only=True)
class _Macro:
    body: str
    arguments: int
    default: str | None


def with_inputs(latex: str, beside: Mapping[str, str], *, depth: int = 3) -> str:
    """Replace each `\\input{file}` by that file's text. beside: texts by file name; an unknown file leaves nothing."""
    text = latex[:LONGEST]
    for _ in range(depth):
        text = _with_inputs_once(text, beside)
    return _INPUT.sub("", text)


def _with_inputs_once(text: str, beside: Mapping[str, str]) -> str:
    parts: list[str] = []
    at = size = 0
    for match in _INPUT.finditer(text):
        name = match[1].strip().removeprefix("./")
        parts += (text[at : match.start()], beside.get(name, beside.get(f"{name}.tex", "")))
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


_PICTURES = (".svg", ".png", ".jpg", ".jpeg", ".pdf")  # PDF last: pages for screens cannot show it


def picture_named(name: str, pictures: Mapping[str, object]) -> str | None:
    """Find the picture that LaTeX names, with or without its extension, in any folder."""
    base = PurePosixPath(name.strip().strip('"')).name
    exact = (base, *(base + ending for ending in _PICTURES))
    stem = base.rpartition(".")[0]
    others = tuple(stem + ending for ending in _PICTURES) if stem else ()
    known = [file for file in (*exact, *others) if file in pictures and file.lower().endswith(_PICTURES)]
    return min(known, key=lambda file: file.lower().endswith(".pdf"), default=None)
