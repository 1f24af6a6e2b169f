"""A LaTeX statement's own macros expanded, and the files that it takes in: before anything else is made of it.

No TeX: only plain definitions (`\\newcommand`, `\\def`, `\\DeclareMathOperator`), each use with as many arguments as it
asks for.
"""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from harness.values import dataclass

LONGEST = 1 << 17
_ROUNDS = 8  # macros in macros
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
    """The text with `\\input{file}` replaced by what lies beside it; unknown files leave nothing."""
    text = latex[:LONGEST]
    for _ in range(depth):
        text = _with_inputs_once(text, beside)
    return _INPUT.sub("", text)


def _with_inputs_once(text: str, beside: Mapping[str, str]) -> str:
    parts: list[str] = []
    at = size = 0
    for found in _INPUT.finditer(text):
        name = found[1].strip().removeprefix("./")
        parts += (text[at : found.start()], beside.get(name, beside.get(f"{name}.tex", "")))
        at = found.end()
        size += len(parts[-2]) + len(parts[-1])
        if size > LONGEST:
            break
    return "".join((*parts, text[at:]))[:LONGEST]


def expanded(latex: str) -> str:
    """The text without its definitions, each use of one replaced, as long as that is no longer than `LONGEST`."""
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
    while (found := _DEFINED.search(text, at)) is not None and len(macros) < _MOST:
        kept.append(text[at : found.start()])
        at = found.end()
        end = ends.get(at)
        if end is None:
            continue
        body = text[at + 1 : end - 1]
        at = end
        name = found[1] or found[2] or found[5]
        count = int(found[3]) if found[3] else len(found[6] or "") // 2
        default = found[4][1:-1] if found[4] else None
        content = f"\\operatorname{{{body}}}" if "MathOperator" in found[0] else body
        macros[name] = _Macro(body=content, arguments=count, default=default)
    return "".join(kept) + text[at:], macros


def _ends_of_groups(text: str) -> dict[int, int]:
    """The place behind each group in braces, by the place where it opens."""
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
    for found in _USE.finditer(text):
        macro = macros.get(found[1])
        if macro is None or found.start() < at:
            continue
        values, behind = _values(text, found.end(), macro, ends)
        replaced = _filled(macro, values)
        # A command at its end must not grow together with the letter behind it.
        if re.search(r"\\[A-Za-z]+\Z", replaced) and text[behind : behind + 1].isalpha():
            replaced += " "
        parts += (text[at : found.start()], replaced)
        at = behind
        work += len(macro.body) + len(replaced)
        if work > LONGEST:
            break
    return "".join(parts) + text[at:]


def _values(text: str, at: int, macro: _Macro, ends: Mapping[int, int]) -> tuple[list[str], int]:
    """The arguments that a use of a macro is given, and the place behind them."""
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
    """The macro's body with its arguments; without them where that would be longer than any statement."""
    given = dict(zip("123456789", values, strict=False))
    numbers = _PARAMETER.findall(macro.body)
    if sum(len(given.get(number, "")) for number in numbers) > LONGEST:
        given = {}
    return _PARAMETER.sub(lambda found: given.get(found[1], ""), macro.body)


def picture_named(name: str, pictures: Mapping[str, object]) -> str | None:
    """The picture that LaTeX means: with its ending or without, in whatever folder."""
    base = PurePosixPath(name.strip().strip('"')).name
    known = (base, *(base + ending for ending in (".svg", ".png", ".jpg", ".jpeg")))
    stem = base.rpartition(".")[0]
    others = tuple(stem + ending for ending in (".svg", ".png", ".jpg", ".jpeg")) if stem else ()
    return next((one for one in (*known, *others) if one in pictures and _is_picture(one)), None)


def _is_picture(name: str) -> bool:
    return name.lower().endswith((".svg", ".png", ".jpg", ".jpeg"))
