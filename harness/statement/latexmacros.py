"""A LaTeX statement's own macros expanded, and the files that it takes in: before anything else is made of it.

No TeX: only plain definitions (`\\newcommand`, `\\def`, `\\DeclareMathOperator`), each use with as many arguments as it
asks for.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

LONGEST = 1 << 17
_ROUNDS = 8  # macros in macros
_MOST = 200
_LONGEST_GROUP = 20_000
_INPUT = re.compile(r"\\(?:input|include|subfile)\s{0,5}\{([^{}\n]{1,200})\}")
_DEFINED = re.compile(
    r"\\(?:(?:re|provide)?newcommand|providecommand|renewcommand|DeclareMathOperator)\*?\s{0,5}"
    r"(?:\{\s{0,5}\\([A-Za-z]{1,50})\s{0,5}\}|\\([A-Za-z]{1,50}))\s{0,5}(?:\[([0-9])\])?(\[[^\]]{0,200}\])?\s{0,5}(?=\{)"
    r"|\\def\s{0,5}\\([A-Za-z]{1,50})((?:\#[0-9]){0,9})\s{0,5}(?=\{)"
)
_USE = re.compile(r"\\([A-Za-z]{1,50})(?![A-Za-z])")


@dataclass(frozen=True, kw_only=True)
class _Macro:
    body: str
    arguments: int
    default: str | None


def with_inputs(latex: str, beside: Mapping[str, str], *, depth: int = 3) -> str:
    """The text with `\\input{file}` replaced by what lies beside it; unknown files leave nothing."""

    def taken(found: re.Match[str]) -> str:
        name = found[1].strip().removeprefix("./")
        text = beside.get(name, beside.get(f"{name}.tex", ""))
        return with_inputs(text, beside, depth=depth - 1) if depth else ""

    return _INPUT.sub(taken, latex[:LONGEST])[:LONGEST]


def expanded(latex: str) -> str:
    """The text without its definitions, each use of one replaced."""
    text, macros = _without_definitions(latex[:LONGEST])
    for _ in range(_ROUNDS if macros else 0):
        after = _once(text, macros)
        if after == text or len(after) > LONGEST:
            break
        text = after
    return text


def group(text: str, at: int) -> tuple[str, int] | None:
    """What stands in the braces that open at `at`, and the place behind them; None where none open or close."""
    if text[at : at + 1] != "{":
        return None
    depth = 0
    for place in range(at, min(len(text), at + _LONGEST_GROUP)):
        char = text[place]
        if char in "{}" and text[place - 1 : place] != "\\":
            depth += 1 if char == "{" else -1
            if depth == 0:
                return text[at + 1 : place], place + 1
    return None


def arguments(text: str, at: int, count: int) -> tuple[list[str], int]:
    """Up to `count` groups from `at` on, blanks between them passed over, and the place behind the last."""
    found: list[str] = []
    while len(found) < count:
        start = at
        while text[start : start + 1] in (" ", "\n") and text[start : start + 1]:
            start += 1
        inside = group(text, start)
        if inside is None:
            break
        found.append(inside[0])
        at = inside[1]
    return found, at


def _without_definitions(text: str) -> tuple[str, dict[str, _Macro]]:
    macros: dict[str, _Macro] = {}
    kept: list[str] = []
    at = 0
    while (found := _DEFINED.search(text, at)) is not None and len(macros) < _MOST:
        body = group(text, found.end())
        kept.append(text[at : found.start()])
        at = found.end()
        if body is None:
            continue
        at = body[1]
        name = found[1] or found[2] or found[5]
        count = int(found[3]) if found[3] else len(found[6] or "") // 2
        default = found[4][1:-1] if found[4] else None
        is_operator = "MathOperator" in found[0]
        content = f"\\operatorname{{{body[0]}}}" if is_operator else body[0]
        macros[name] = _Macro(body=content, arguments=count, default=default)
    return "".join(kept) + text[at:], macros


def _once(text: str, macros: Mapping[str, _Macro]) -> str:
    parts: list[str] = []
    at = size = 0
    for found in _USE.finditer(text):
        macro = macros.get(found[1])
        if macro is None or found.start() < at:
            continue
        replaced, behind = _used(text, found.end(), macro)
        parts += (text[at : found.start()], replaced)
        size += len(replaced)
        if size > LONGEST:
            break
        at = behind
    return "".join(parts) + text[at:]


def _used(text: str, at: int, macro: _Macro) -> tuple[str, int]:
    values: list[str] = []
    if macro.default is not None:
        values.append(macro.default)
        end = text.find("]", at, at + 200) if text[at : at + 1] == "[" else -1
        if end > 0:
            values[0], at = text[at + 1 : end], end + 1
    more, at = arguments(text, at, macro.arguments - len(values))
    values += more
    body = macro.body
    for number in range(macro.arguments, 0, -1):
        value = values[number - 1] if number <= len(values) else ""
        body = body.replace(f"#{number}", value)
    if not macro.arguments and text[at : at + 2] == "{}":
        at += 2
    # A command at its end must not grow together with the letter behind it.
    return body + (" " if re.search(r"\\[A-Za-z]+\Z", body) and text[at : at + 1].isalpha() else ""), at


def picture_named(name: str, pictures: Mapping[str, object]) -> str | None:
    """The picture that LaTeX means: with its ending or without, in whatever folder."""
    base = PurePosixPath(name.strip().strip('"')).name
    known = (base, *(base + ending for ending in (".svg", ".png", ".jpg", ".jpeg")))
    stem = base.rpartition(".")[0]
    others = tuple(stem + ending for ending in (".svg", ".png", ".jpg", ".jpeg")) if stem else ()
    return next((one for one in (*known, *others) if one in pictures and _is_picture(one)), None)


def _is_picture(name: str) -> bool:
    return name.lower().endswith((".svg", ".png", ".jpg", ".jpeg"))
