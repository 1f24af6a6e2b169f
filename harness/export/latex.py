"""Convert Markdown statements to the few LaTeX commands of Kattis' legacy statements. Math is already TeX."""

import re
from collections.abc import Sequence

from markdown_it.token import Token

from harness.statement.markdown import markdown_parser

_SPECIAL = {
    "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "$": "\\$", "&": "\\&", "#": "\\#", "%": "\\%", "_": "\\_",
    "^": "\\textasciicircum{}", "~": "\\textasciitilde{}", "<": "\\textless{}", ">": "\\textgreater{}",
}  # fmt: skip
_SAMPLES = re.compile(r"\\\{\\\{(nextsample|remainingsamples)\\\}\\\}")
_AROUND = {
    "strong_open": "\\textbf{", "strong_close": "}", "em_open": "\\emph{", "em_close": "}",
    "bullet_list_open": "\\begin{itemize}\n", "bullet_list_close": "\\end{itemize}\n\n",
    "ordered_list_open": "\\begin{enumerate}\n", "ordered_list_close": "\\end{enumerate}\n\n",
    "list_item_open": "\\item ", "paragraph_close": "\n\n", "heading_open": "\\section*{", "heading_close": "}\n\n",
    "blockquote_open": "\\begin{quote}\n", "blockquote_close": "\\end{quote}\n\n", "link_close": "}",
    "softbreak": "\n", "hardbreak": "\\\\\n", "hr": "\n\\medskip\n\n", "tr_close": " \\\\ \\hline\n",
    "table_close": "\\end{tabular}\n\n",
}  # fmt: skip


def to_latex(text: str, title: str) -> str:
    """Return the statement after its title. Pictures become words, because LaTeX reads no SVG."""
    body = _SAMPLES.sub(r"\\\1", _blocks(markdown_parser().parse(text)).strip())
    return f"\\problemname{{{escaped(title)}}}\n\n{body}\n"


def escaped(text: str) -> str:
    """Escape plain text for LaTeX."""
    return "".join(_SPECIAL.get(char, char) for char in text)


def _blocks(tokens: Sequence[Token]) -> str:
    parts: list[str] = []
    cell = 0
    for index, token in enumerate(tokens):
        if token.type in ("th_open", "td_open"):
            parts.append(" & " if cell else "")
            cell += 1
        elif token.type == "tr_open":
            cell = 0
        elif token.type == "table_open":
            columns = _columns(tokens[index:])
            parts.append("\\begin{tabular}{|" + "l|" * columns + "}\n\\hline\n")
        else:
            parts.append(_block(token))
    return "".join(parts)


def _block(token: Token) -> str:
    match token.type:
        case "inline":
            return "".join(_inline(child) for child in token.children or ())
        case "footnote_open":
            return _note(token)
        case "fence" | "code_block":
            return f"\\begin{{verbatim}}\n{token.content}\\end{{verbatim}}\n\n"
        case "math_block" | "math_block_label":
            return f"\\[{token.content.strip()}\\]\n\n"
        case _:
            return _AROUND.get(token.type, "")


def _inline(token: Token) -> str:  # noqa: PLR0911 (a case a kind of token)
    match token.type:
        case "text":
            return escaped(token.content)
        case "code_inline":
            return f"\\texttt{{{escaped(token.content)}}}"
        case "footnote_ref":
            return _note(token)
        case "math_inline":
            return f"${token.content}$"
        case "math_inline_double":
            return f"\\[{token.content}\\]"
        case "link_open":
            return f"\\href{{{escaped(str(token.attrs.get('href', '')))}}}{{"
        case "image":
            return f"\\emph{{[{escaped(token.content)}]}}"
        case _:
            return _AROUND.get(token.type, "")


def _note(token: Token) -> str:
    """Return a footnote's number, for the text and for the note at the end."""
    return f"$^{{{int(token.meta['id']) + 1}}}$"


def _columns(tokens: Sequence[Token]) -> int:
    first_row = next(index for index, token in enumerate(tokens) if token.type == "tr_close")
    return sum(token.type in ("th_open", "td_open") for token in tokens[:first_row])
