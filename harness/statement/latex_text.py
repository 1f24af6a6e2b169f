"""Convert a LaTeX statement to Markdown, without TeX: text, lists, tables, formulas, pictures.

It supports the usual commands of statements; `latex_macros.py` expands a statement's own. Of an unknown command
only the arguments stay. docs/decisions/0009 explains why no library is used.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence

from harness.package.tex_accents import ACCENT, LETTERS, accented
from harness.statement.latex_macros import BAR, LONGEST, UNDER_HEAD, as_table, expanded, picture_named, with_lists
from harness.statement.samples import NEXT, REMAINING

__all__ = ["LONGEST", "as_markdown", "plain"]

_FORMULA = re.compile(
    r"\$\$.{1,4000}?\$\$|(?<!\\)\$(?:[^$\n]|\n(?![ \t]*\n)){1,2000}?(?<!\\)\$"
    r"|\\\[(?:(?!\\\[).){1,4000}?\\\]|\\\((?:(?!\\\().){1,2000}?\\\)"
    r"|\\begin\{(?P<name>(?:equation|align|displaymath|gather|multline|eqnarray|math)\*?)\}"
    r"(?:(?!\\begin\{(?:equation|align|displaymath|gather|multline|eqnarray|math\*?\})).){1,4000}?\\end\{(?P=name)\}",
    re.DOTALL,
)
_VERBATIM = re.compile(
    r"\\begin\{(verbatim|lstlisting|minted|Verbatim)\}(?:\[[^\]\n]{0,200}\])?(?:\{[a-z+]{0,20}\})?\n?"
    r"((?:(?!\\begin\{(?:[vV]erb|lstl|mint)).){0,8000}?)\\end\{\1\}",
    re.DOTALL,
)
_VERB = re.compile(r"\\(?:verb\*?|lstinline)(?:([|!+@/=\"'])([^`\n]{0,500}?)\1|\{([^{}`\n]{0,500})\})")
COMMENT = re.compile(
    r"(?<!\\)%[^\n]*(?:\n[ \t]*)?|\\begin\{comment\}(?:(?!\\begin\{comment\}).){0,20000}?\\end\{comment\}",
    re.DOTALL,
)
_CODE_OR_COMMENT = re.compile(
    r"\\begin\{(verbatim|lstlisting|minted|Verbatim)\}(?:(?!\\begin\{(?:[vV]erb|lstl|mint)).){0,8000}?\\end\{\1\}"
    rf"|\\(?:verb\*?|lstinline)([|!+@/=\"'])[^`\n]{{0,500}}?\2|{COMMENT.pattern}",
    re.DOTALL,
)
_TABLE = re.compile(
    r"\\begin\{(tabularx?|tabulary|array|longtable)\*?\}((?:(?!\\begin\{(?:tabular|array|longtable)).){0,10000}?)\\end\{\1\*?\}",
    re.DOTALL,
)
_DRAWN = re.compile(
    r"\\begin\{(tikzpicture|pspicture|asy|forest)\*?\}(?:(?!\\begin\{\1).){0,50000}?\\end\{\1\*?\}", re.DOTALL
)
_REFERENCE = re.compile(r"[ ~]?\\(?:label|(?:auto|page|eq|c|C)?ref|cite)\*?\{[^{}]{0,500}\}")
_SAMPLES = re.compile(rf"\\({NEXT}|{REMAINING})(?![A-Za-z])")
_ESCAPED = re.compile(r"[<>|]|\\\$|\\?#")
_GUILLEMETS = re.compile(
    r"(?P<code>\\(?:texttt|path|code|tt?)\s?\{[^{}]{0,500}\})|<<(?P<quoted>(?:[^<>\n]|\n(?![ \t]*\n)){1,300})>>"
)
_QUOTE = re.compile(r"(?<!`)`(?!`)")
_LETTERS = {
    **LETTERS,
    "textless": "\\<", "textgreater": "\\>", "textbar": "\\|", "textbackslash": "\\\\", "textasciitilde": "\\~",
    "textasciicircum": "^", "euro": "€", "pounds": "£", "S": "§", "ldots": "…", "dots": "…", "textellipsis": "…",
    "copyright": "©", "times": "×", "rightarrow": "→", "leftarrow": "←", "LaTeX": "LaTeX", "TeX": "TeX",
    "textcopyright": "©", "texttrademark": "™", "textregistered": "®", "textdegree": "°", "glqq": "„", "grqq": "“",
    "glq": "‚", "grq": "‘", "flqq": "«", "frqq": "»", "flq": "‹", "frq": "›", "textquotedblleft": "“",
    "textquotedblright": "”", "textquoteleft": "‘", "textquoteright": "’", "textquotesingle": "'", "lq": "‘",
    "rq": "’", "guillemotleft": "«", "guillemotright": "»", "textendash": "–", "textemdash": "—",
}  # fmt: skip
_LETTER = re.compile(r"\\(" + "|".join(sorted(_LETTERS, key=len, reverse=True)) + r")(?![A-Za-z])(?:\{\}|[ \t])?")
_GROUP = r"\{((?:[^{}]|\{(?:[^{}]|\{[^{}]{0,100}\}){0,500}\}){0,2000})\}"
PICTURE = re.compile(
    r"\\includegraphics\*?\s{0,3}(?:\[[^\]]{0,300}\])?\s{0,3}\{([^{}]{0,500})\}"
    rf"|\\illustration\s{{0,3}}\{{[^{{}}]{{0,200}}\}}\s{{0,3}}\{{([^{{}}]{{0,500}})\}}(?:\s{{0,3}}{_GROUP})?"
    rf"|\\(?:includesvg|svg|figuur)(?:\[[^\]]{{0,300}}\])?\{{([^{{}}]{{0,500}})\}}"
)
_SIZE = re.compile(
    r"(?:(?<=[\[,])|(?<=[\[,] ))(width|height|scale)\s?=\s?([0-9]{0,3}\.?[0-9]{1,4}|(?=\\))"
    r"(cm|mm|in|pt|\\(?:textwidth|linewidth|columnwidth)|)\s?(?=[\],])"
)
_HEADINGS = {
    "InputFile": "Input", "OutputFile": "Output", "Interaction": "Interaction", "Note": "Note", "Notes": "Notes",
    "Scoring": "Scoring", "Specification": "Specification", "Explanation": "Explanation",
}  # fmt: skip
_OWN_SECTIONS = "Input|Output|Interaction|Notes?|Scoring|Explanation"
_PLAIN = "textsc|textrm|textsf|textnormal|underline|mbox|text|hbox|footnotesize|small|large"
_DRESSED = "textcolor|color|colorbox|fontsize|raisebox|parbox|makebox|resizebox"
_SILENT = (
    "label|ref|cite|vspace|hspace|phantom|setlength|usepackage|pagestyle|setcounter|addtocounter|linespread"
    "|includesample|bibliography|documentclass"
)
_FRAMES = "minipage|multicols|wrapfigure|figure|table|adjustbox"
_BREAK = re.compile(r"\s*(?:\\\\\*?(?:\[[^\]]{0,99}\])?|\n\s*\n)\s*")


def _marked(mark: str, around: str = "") -> Callable[[re.Match[str]], str]:
    """Enclose a text in Markdown marks, which may not span paragraphs or touch spaces."""

    def replacement(match: re.Match[str]) -> str:
        text = _BREAK.sub(" ", match[1]).strip()
        return f"{around}{mark}{text}{mark}{around}" if text else ""

    return replacement


# Font changes and similar commands; applied repeatedly, innermost first, until nothing changes.
_Replacement = str | Callable[[re.Match[str]], str]
_COMMANDS: tuple[tuple[str, _Replacement], ...] = (
    (r"\\(?:textbf|mathbf|strong|bf)\s?\{\s*([^{}]{1,2000}?)\s*\}", _marked("**")),
    (r"\{\s*\\(?:bf|bfseries)\b\s*([^{}\\]{1,2000}?)\s*\}", _marked("**")),
    (r"\\(?:emph|textit|textsl|it)\s?\{\s*([^{}]{1,2000}?)\s*\}", _marked("*")),
    (r"\{\s*\\(?:em|it|itshape|sl)\b\s*([^{}\\]{1,2000}?)\s*\}", _marked("*")),
    (r"\\(?:texttt|path|code|tt?)\s?\{([^{}`]{1,500})\}", r"`\1`"),
    (r"\{\s*\\(?:tt|ttfamily)\b\s*([^{}`]{1,500}?)\s*\}", r"`\1`"),
    (rf"\\(?:{_PLAIN})\s?\{{([^{{}}]{{0,2000}})\}}", r"\1"),
    (r"\\href\s?\{[^{}]{0,2000}\}\s?\{([^{}]{0,2000})\}", r"\1"),
    (r"\\url\s?\{([^{}]{0,2000})\}", r"\1"),
    (r"\\footnote(?:\[[^\]]{0,50}\])?\{([^{}]{0,2000})\}", r" (\1)"),
    (r"\\caption\*?(?:\[[^\]]{0,200}\])?\{([^{}]{0,2000})\}", _marked("*", "\n\n")),
    (rf"\\(?:{_DRESSED})\*?(?:\[[^\]]{{0,99}}\])?\{{[^{{}}]{{0,200}}\}}(?=\s?\{{)", ""),
)
_DROPPED = re.compile(r"\\([a-zA-Z]+)\*?(?:\[[^\]]{0,200}\])?[ \t]?")
_INLINE = tuple((re.compile(pattern, re.DOTALL), replacement) for pattern, replacement in _COMMANDS)
_RULES = tuple(
    (re.compile(pattern, re.DOTALL), replacement)
    for pattern, replacement in (
        (rf"\\problemname\s?{_GROUP}", ""),
        (rf"\\(?:lstset|lstdefinestyle\s?\{{[^{{}}]{{0,200}}\}})\s?{_GROUP}", ""),
        (r"\\looseness\s?=?\s?-?[0-9]", ""),
        (rf"\\(?:title|author|date|maketitle)\s?{_GROUP}", ""),
        (rf"\\(?:section|subsection|subsubsection|paragraph|subheading|header)\*?\s?{_GROUP}", r"\n\n## \1\n\n"),
        (rf"\\begin\{{({_OWN_SECTIONS})\}}", r"\n\n## \1\n\n"),
        (rf"\\end\{{(?:{_OWN_SECTIONS})\}}", "\n\n"),
        (r"\\begin\{problem\}(?:\{[^{}]{0,500}\}){0,8}", ""),
        (r"\\begin\{examples?\}(?:(?!\\begin\{example).){0,20000}?\\end\{examples?\}", ""),
        (r"\\Examples?(?![A-Za-z])", ""),
        (rf"\\(?:{_SILENT})\*?(?:\[[^\]]{{0,200}}\])?\{{[^{{}}]{{0,2000}}\}}(?:\{{[^{{}}]{{0,200}}\}})?", ""),
        (rf"\\begin\{{(?:{_FRAMES})\*?\}}(?:\[[^\]]{{0,200}}\]|\{{[^{{}}]{{0,200}}\}}){{0,4}}", "\n\n"),
        (r"\\(?:begin|end)\{[^{}]{0,2000}\}(?:\[[^\]]{0,200}\])?(?:\{[^{}]{0,2000}\})?", "\n\n"),
        (r"(?<!\\)&", " | "),
        (r"\\\\\*?(?:\[[^\]]{0,200}\])?|\\(?:newline|linebreak)(?![A-Za-z])", "\n\n"),
        (r"\\(?:par|bigskip|medskip|smallskip|newpage|pagebreak|clearpage)(?![A-Za-z])", "\n\n"),
        (r"\\[ ,;:/!>@-]", " "),
        (r"\\\n", "\n"),
        (_DROPPED.pattern, ""),
        (r"(?<!\\)[{}]", ""),
        (r"\\([%&{}_])", r"\1"),
        (r"(?<!\\)~", " "),
        (r"``|''|,,", '"'),
        ("---", "—"),
        ("--", "–"),
        (r"\n[ \t]+", "\n"),
        (r"\n{3,}", "\n\n"),
    )
)  # fmt: skip
_SYMBOLS = {
    "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "neq": "≠", "times": "×", "cdot": "·", "infty": "∞", "to": "→",
}  # fmt: skip
_KEPT = "\ue000{}\ue001"
_CODE = re.compile(r"`[^`\n]{1,500}`")
_KEPT_PLACE = re.compile("\ue000([0-9]+)\ue001")
_NESTED = 4


def as_markdown(latex: str, pictures: Mapping[str, object] | None = None, dropped: set[str] | None = None) -> str:
    """Convert a statement. pictures: those that can be shown, by name. dropped: gets the commands that are left out."""
    kept: list[str] = []

    def keep(text: str) -> str:
        kept.append(text)
        return _KEPT.format(len(kept) - 1)

    def picture(match: re.Match[str]) -> str:
        named = match[1] or match[2] or match[4] or ""
        name = picture_named(named, pictures or {})
        shown = keep(f"![](<{name}>{_size(match[0])})") if name is not None else f"[figure: {named}]"
        return f"\n\n{shown}\n\n" + (
            f"*{_BREAK.sub(' ', match[3]).strip()}*\n\n" if match[3] and match[3].strip() else ""
        )

    text = re.sub("[\ue000-\ue003]", "", latex[:LONGEST].replace("\r\n", "\n"))
    text = _VERBATIM.sub(lambda match: "\n\n" + keep(_fenced(match[2])) + "\n\n", text)
    text = _VERB.sub(lambda match: keep(f"`{match[2] or match[3] or ' '}`"), text)
    text = _DRAWN.sub(r"\n\n[figure: drawn by \1, not shown]\n\n", COMMENT.sub("", text))
    text = _REFERENCE.sub("", expanded(text))
    text = _SAMPLES.sub(lambda match: "\n\n" + keep(f"{{{{{match[1]}}}}}") + "\n\n", text)
    text = PICTURE.sub(picture, text)
    text = _FORMULA.sub(lambda match: keep(_formula(match[0])), text)
    text = _GUILLEMETS.sub(lambda match: match["code"] or f"«{match['quoted']}»", text)
    text = _QUOTE.sub("‘", ACCENT.sub(accented, text))
    text = _ESCAPED.sub(lambda match: keep(f"\\{match[0][-1]}"), text)
    text = _LETTER.sub(lambda match: keep(_LETTERS[match[1]]), text)
    text = re.sub(
        r"\\(" + "|".join(_HEADINGS) + r")(?![A-Za-z])", lambda match: f"\n\n## {_HEADINGS[match[1]]}\n\n", text
    )
    text = _CODE.sub(lambda match: _KEPT_PLACE.sub(lambda mark: _unescaped(kept, mark), match[0]), _inline(text))
    text = _TABLE.sub(lambda match: "\n\n" + keep(_table(match[2], kept, dropped)) + "\n\n", text)
    text = _ruled(with_lists(text, keep), dropped)
    for _ in range(_NESTED):  # a formula in a table
        text = _KEPT_PLACE.sub(lambda match: _at(kept, match[1]), text)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _size(command: str) -> str:
    """Return the size that a command asks for as a picture's title in Markdown, which `typst_page` reads."""
    size = _SIZE.search(command.partition("{")[0])
    if size is None:
        return ""
    key, number, unit = size[1], float(size[2] or 1), size[3]
    if (key, unit) == ("scale", "") or (key == "width" and unit.startswith("\\")):
        number, unit = number * 100, "%"
    is_known = unit == "%" or (key != "scale" and unit.isalpha())
    return f' "{key}={number:g}{unit}"' if is_known and number > 0 else ""


def without_code(latex: str) -> str:
    """Write a dot for each character of code and comments; lines keep their numbers."""
    return _CODE_OR_COMMENT.sub(lambda match: re.sub(r"[^\n]", ".", match[0]), latex)


def without_comments(latex: str) -> str:
    """Remove comments, but not those of code that is shown as it is."""
    return _CODE_OR_COMMENT.sub(lambda match: "" if COMMENT.fullmatch(match[0]) else match[0], latex)


def plain(latex: str) -> str:
    """Convert a short text such as a title to plain text."""
    text = re.sub(r"[*`$]|\\(?=[<>|#])", "", as_markdown(latex).strip())
    return re.sub(r"\\([A-Za-z]{1,20})", lambda match: _SYMBOLS.get(match[1]) or _greek(match[1]), text)


def _greek(name: str) -> str:
    kind = "CAPITAL" if name[0].isupper() else "SMALL"
    try:
        return unicodedata.lookup(f"GREEK {kind} LETTER {name.upper().replace('LAMBDA', 'LAMDA')}")
    except KeyError:
        return name


def _unescaped(kept: Sequence[str], mark: re.Match[str]) -> str:
    """Return a kept character without escape, for code, where a backslash would be shown."""
    text = _at(kept, mark[1])
    return text[1] if len(text) == len("\\<") and text[0] == "\\" else mark[0]


def _inline(text: str) -> str:
    for _ in range(_NESTED):
        before = text
        for pattern, replacement in _INLINE:
            text = pattern.sub(replacement, text)
        if text == before:
            break
    return text


def _ruled(text: str, dropped: set[str] | None) -> str:
    for pattern, replacement in _RULES:
        if dropped is not None and pattern.pattern == _DROPPED.pattern:
            dropped.update(pattern.findall(text))
        text = pattern.sub(replacement, text)
    return text


def _table(inside: str, kept: list[str], dropped: set[str] | None) -> str:
    text = _KEPT_PLACE.sub(lambda match: _in_cell(_at(kept, match[1])), _ruled(as_table(inside), dropped).strip())
    return text.replace(BAR, "|").replace(UNDER_HEAD, "---")


def _in_cell(text: str) -> str:
    """Escape a kept piece so that it does not end a table cell."""
    return text.replace("|", "\\vert ") if text.startswith("$") else text.replace("\n", " ")


def _formula(formula: str) -> str:
    if formula.startswith("$$"):
        return f"\n\n$${formula[2:-2].strip()}$$\n\n"
    if formula.startswith("$"):
        return f"${formula[1:-1].strip()}$"
    if formula.startswith("\\("):
        return f"${formula[2:-2].strip()}$"
    if formula.startswith("\\begin{math}"):
        return f"${formula[12:-10].strip()}$"
    inside = re.sub(r"\A\\begin\{[a-z]+\*?\}|\\end\{[a-z]+\*?\}\Z|\A\\\[|\\\]\Z", "", formula).strip()
    if "&" in inside and re.match(r"\\begin\{(?:align|gather|eqnarray|multline)", formula):
        inside = f"\\begin{{split}}{inside}\\end{{split}}"
    return f"\n\n$${inside}$$\n\n"


def _fenced(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.strip("\n").split("\n"))


def _at(kept: Sequence[str], number: str) -> str:
    return kept[int(number)] if len(number) < 8 and int(number) < len(kept) else ""
