"""The text of a LaTeX statement as Markdown, near enough to be read where no TeX is at hand: words, lists, formulas.

No TeX: macros of a statement's own are not expanded, tables are rows of text, and unknown commands leave their
arguments behind.
"""

import re

LONGEST = 1 << 17
_FORMULA = re.compile(
    r"\$\$.{1,4000}?\$\$|(?<!\\)\$[^$]{1,2000}?(?<!\\)\$|\\\[(?:(?!\\\[).){1,4000}?\\\]|\\\((?:(?!\\\().){1,2000}?\\\)"
    r"|\\begin\{(?P<name>equation|align|displaymath)\*?\}(?:(?!\\begin).){1,4000}?\\end\{(?P=name)\*?\}",
    re.DOTALL,
)
_VERBATIM = re.compile(
    r"\\begin\{(verbatim|lstlisting)\}(?:\[[^\]\n]{0,200}\])?\n?((?:(?!\\begin\{verb).){0,8000}?)\\end\{\1\}",
    re.DOTALL,
)
_COMMENT = re.compile(r"(?<!\\)%[^\n]*\n?")
_ESCAPED = re.compile(r"[<>#|]")
_QUOTE = re.compile(r"(?<!`)`(?!`)")
_RULES = tuple(
    (re.compile(pattern, re.DOTALL), replacement)
    for pattern, replacement in (
        (r"\\problemname\{[^{}]{0,2000}\}", ""),
        (r"\\(?:section|subsection|subsubsection|paragraph)\*?\{([^{}]{0,2000})\}", r"\n\n## \1\n\n"),
        (r"\\(?:begin|end)\{(?:itemize|enumerate|description)\}(?:\[[^\]]{0,200}\])?", "\n\n"),
        (r"\s*\\item(?:\[([^\]]{0,200})\])?\s*", r"\n- \1 "),
        (r"\\includegraphics(?:\[[^\]]{0,200}\])?\{([^{}]{0,2000})\}", r"[figure: \1]"),
        (r"\\illustration\{[^{}]{0,2000}\}\{([^{}]{0,2000})\}\{(?:[^{}]|\{[^{}]{0,2000}\})*\}", r"[figure: \1]"),
        (r"\\(?:textbf|bf)\{([^{}]{0,2000})\}", r"**\1**"),
        (r"\\(?:emph|textit|textsl)\{([^{}]{0,2000})\}", r"*\1*"),
        (r"\\(?:texttt|verb|lstinline)(?:\{([^{}`]{0,500})\}|([|!+])([^`]{0,500}?)\2)", r"`\1\3`"),
        (r"\\href\{[^{}]{0,2000}\}\{([^{}]{0,2000})\}", r"\1"),
        (r"\\url\{([^{}]{0,2000})\}", r"\1"),
        (r"\\footnote\{([^{}]{0,2000})\}", r" (\1)"),
        (r"\\(?:label|ref|cite|vspace|hspace|phantom|setlength|usepackage|input)\*?\{[^{}]{0,2000}\}", ""),
        (r"\\(?:begin|end)\{[^{}]{0,2000}\}(?:\[[^\]]{0,200}\])?(?:\{[^{}]{0,2000}\})?", "\n"),
        (r"\\(?:ldots|dots)\b", "…"),
        (r"(?<!\\)&", " | "),
        (r"\\\\(?:\[[^\]]{0,200}\])?", "\n\n"),
        (r"\\[ ,;:/]", " "),
        (r"\\([#$%&{}_])", r"\1"),
        (r"\\[a-zA-Z]+\*?(?:\[[^\]]{0,200}\])?", ""),
        (r"[{}]", ""),
        (r"~", " "),
        (r"``|''", '"'),
        (r"---?", "–"),
        (r"\n[ \t]+", "\n"),
        (r"\n{3,}", "\n\n"),
    )
)
_KEPT = "\ue000{}\ue001"
_KEPT_PLACE = re.compile("\ue000([0-9]+)\ue001")


def as_markdown(latex: str) -> str:
    """What people need of it."""
    kept: list[str] = []

    def keep(text: str) -> str:
        kept.append(text)
        return _KEPT.format(len(kept) - 1)

    text = re.sub("[\ue000\ue001]", "", latex[:LONGEST].replace("\r\n", "\n"))
    text = _VERBATIM.sub(lambda found: "\n\n" + keep(_fenced(found[2])) + "\n\n", text)
    text = _COMMENT.sub("", text)
    text = _FORMULA.sub(lambda found: keep(_formula(found[0])), text)
    text = _QUOTE.sub("‘", _ESCAPED.sub(lambda found: keep(f"\\{found[0]}"), text))
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return _KEPT_PLACE.sub(lambda found: _at(kept, found[1]), text).strip() + "\n"


def _formula(found: str) -> str:
    if found.startswith("$$"):
        return f"\n\n$${found[2:-2].strip()}$$\n\n"
    if found.startswith("$"):
        return f"${found[1:-1].strip()}$"
    if found.startswith("\\("):
        return f"${found[2:-2].strip()}$"
    inside = re.sub(r"\\(?:begin|end)\{[a-z]+\*?\}|\\[\[\]]", "", found)
    return f"\n\n$${inside.strip()}$$\n\n"


def _fenced(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.strip("\n").split("\n"))


def _at(kept: list[str], number: str) -> str:
    return kept[int(number)] if len(number) < 8 and int(number) < len(kept) else ""
