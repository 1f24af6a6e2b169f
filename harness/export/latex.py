"""Convert Markdown statements to the few LaTeX commands of Kattis' legacy statements. Math is already TeX."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from markdown_it.token import Token

from harness.export.archive import ExportedFiles
from harness.statement.markdown import markdown_parser
from harness.statement.source import plain_markdown
from harness.values import dataclass

_PICTURES = (".pdf", ".png", ".jpg", ".jpeg")  # what LaTeX reads, the best first
_ATTRIBUTES = re.compile(r"\A\{(?=[ \t]{0,9}[#.\w])([\w#.%=\"' \t-]{1,200})\}")
_WIDTH = re.compile(r"(?<![\w-])width=[\"']?([0-9]{1,5}(?:\.[0-9]{1,4})?)(%|px|cm|mm|in|pt|em|)(?![\w.])")
_ALONE = re.compile(r"\\includegraphics(?:\[[^\]]{1,50}\])?\{[^{}]{1,500}\}")
_ALIGNED = {"text-align:center": "c", "text-align:right": "r"}
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


def statement_as_latex(exported: ExportedFiles, text: str, title: str, pictures: Mapping[str, str]) -> str:
    """Return a Markdown statement as LaTeX, and record what gets lost. pictures: their paths there, by name here."""
    shown = _Pictures(paths=pictures)
    latex = to_latex(plain_markdown(text, title), title, shown)
    exported.note_loss("Markdown statements: they are LaTeX there")
    for name in dict.fromkeys(shown.named):
        exported.note_loss(f"the picture `{name}`, which is only named: put it beside as PDF or PNG, too")
    return latex


@dataclass(frozen=True, kw_only=True)
class _Pictures:
    """paths: of the pictures that there are, by the name in the text. named: gets those that LaTeX cannot show."""

    paths: Mapping[str, str] = field(default_factory=dict)
    named: list[str] = field(default_factory=list)

    def path(self, name: str) -> str | None:
        """Return the path of a picture that LaTeX reads: itself, or one with another ending."""
        stem = name.rpartition(".")[0]
        names = [name] if name.lower().endswith(_PICTURES) else [stem + ending for ending in _PICTURES]
        found = next((self.paths[each] for each in names if each in self.paths), None)
        if found is None:
            self.named.append(name)
        return found


def to_latex(text: str, title: str, pictures: _Pictures | None = None) -> str:
    """Return the statement after its title. Pictures that LaTeX cannot show become words."""
    tokens = markdown_parser().parse(text)
    body = _SAMPLES.sub(r"\\\1", _blocks(tokens, pictures or _Pictures()).strip())
    return f"\\problemname{{{escaped(title)}}}\n\n{body}\n"


def escaped(text: str) -> str:
    """Escape plain text for LaTeX."""
    return "".join(_SPECIAL.get(char, char) for char in text)


def _blocks(tokens: Sequence[Token], pictures: _Pictures) -> str:
    parts: list[str] = []
    cell = 0
    for index, token in enumerate(tokens):
        if token.type in ("th_open", "td_open"):
            parts.append(" & " if cell else "")
            cell += 1
        elif token.type == "tr_open":
            cell = 0
        elif token.type == "table_open":
            parts.append(f"\\begin{{tabular}}{{|{''.join(_columns(tokens[index:]))}}}\n\\hline\n")
        else:
            block, before = _block(token, pictures), tokens[index - 1].type
            in_text = (
                before == "paragraph_open" and _ALONE.fullmatch(block) is not None
            )  # not in a table, a heading
            parts.append(f"\\begin{{center}}\n{block}\n\\end{{center}}" if in_text else block)
    return "".join(parts)


def _block(token: Token, pictures: _Pictures) -> str:
    match token.type:
        case "inline":
            return "".join(_line(token.children or (), pictures))
        case "footnote_open":
            return _note(token)
        case "fence" | "code_block":
            return f"\\begin{{verbatim}}\n{token.content}\\end{{verbatim}}\n\n"
        case "math_block" | "math_block_label":
            return f"\\[{token.content.strip()}\\]\n\n"
        case _:
            return _AROUND.get(token.type, "")


def _line(tokens: Sequence[Token], pictures: _Pictures) -> Iterator[str]:
    """Yield the parts of a line. Attributes behind a picture belong to it."""
    cut = 0
    for index, token in enumerate(tokens):
        if token.type == "image":
            behind = tokens[index + 1].content if index + 1 < len(tokens) else ""
            given = _ATTRIBUTES.match(behind)
            cut = given.end() if given is not None else 0
            yield _picture(token, given[1] if given is not None else "", pictures)
        else:
            yield escaped(token.content[cut:]) if cut else _inline(token)
            cut = 0


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
        case _:
            return _AROUND.get(token.type, "")


def _note(token: Token) -> str:
    """Return a footnote's number, for the text and for the note at the end."""
    return f"$^{{{int(token.meta['id']) + 1}}}$"


def _picture(token: Token, attributes: str, pictures: _Pictures) -> str:
    name = str(token.attrs.get("src", ""))
    path = pictures.path(name)
    if path is None:
        return f"\\emph{{[{escaped(token.content or name)}]}}"
    width = _WIDTH.search(attributes)
    return f"\\includegraphics{_size(width[1], width[2]) if width is not None else ''}{{{path}}}"


def _size(number: str, unit: str) -> str:
    if unit == "%":
        return f"[width={float(number) / 100:g}\\textwidth]"
    return f"[width={float(number) * 0.75:g}pt]" if unit in ("px", "") else f"[width={number}{unit}]"


def _columns(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the alignment of each column of a table."""
    for token in tokens:
        if token.type == "tr_close":
            return
        if token.type in ("th_open", "td_open"):
            yield _ALIGNED.get(str(token.attrs.get("style", "")), "l") + "|"
