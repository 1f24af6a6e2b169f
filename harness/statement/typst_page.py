"""A Markdown statement as a Typst document: title, limits, text, samples."""

from collections.abc import Mapping, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from harness.package import Package
from harness.package.files import File
from harness.statement.labels import Labels
from harness.statement.samples import Piece, Sample
from harness.statement.source import files_beside, title_of
from harness.statement.typst_math import to_typst

_SPECIAL = "\\#$*_`<>@[]~=-+/\"'"
IMAGES = (".svg", ".png", ".jpg", ".jpeg")
_AROUND = {
    "strong_open": "#strong[", "strong_close": "]", "em_open": "#emph[", "em_close": "]", "paragraph_close": "\n\n",
    "bullet_list_open": "#list(\n", "bullet_list_close": ")\n\n",
    "ordered_list_close": ")\n\n", "list_item_open": "[", "list_item_close": "],\n", "heading_close": "]\n\n",
    "blockquote_open": "#quote(block: true)[", "blockquote_close": "]\n\n", "link_close": "]", "softbreak": "\n",
    "hardbreak": " \\\n", "hr": "#line(length: 100%)\n\n", "th_open": "[*", "th_close": "*],", "td_open": "[",
    "td_close": "],", "table_close": ")\n\n", "footnote_block_open": "#line(length: 30%)\n\n",
}  # fmt: skip
_HEAD = """#set document(title: {title})
#set page(paper: "a4", margin: (x: 2.2cm, y: 2.2cm), numbering: "1")
#set text(font: ({fonts}), size: 10.5pt, lang: "{language}")
#set par(leading: 0.72em)
#show heading: set block(above: 1.4em, below: 0.7em)
#show raw: set text(font: ("DejaVu Sans Mono", {fonts}), size: 0.9em)
#set table(stroke: 0.5pt + luma(180), inset: 5pt)
#let box(label, body) = block(breakable: true, width: 100%)[
  #text(size: 0.85em, fill: luma(90), label) #v(-0.5em)
  #block(width: 100%, fill: luma(246), stroke: 0.5pt + luma(205), radius: 2pt, inset: 6pt, body)
]
#text(size: 20pt, weight: "bold", {title}) \\
#text(fill: luma(90), {limits})

"""


def typst_page(
    package: Package, pieces: Sequence[Piece], language: str, labels: Labels, *, math: bool = True
) -> str:
    """The document's source. Images are expected beside it under their own names. math: False: formulas as written."""
    limits = []
    if package.limits.time_limit_s is not None:
        limits.append(f"{labels.time_limit}: {package.limits.time_limit_s:g} {labels.seconds}")
    limits.append(f"{labels.memory_limit}: {package.limits.memory_mib} MiB")
    head = _HEAD.format(
        title=_string(title_of(package, language)),
        fonts=", ".join(map(_string, _fonts(language))),
        language=language.partition("-")[0],
        limits=_string("    ".join(limits)),
    )
    images = files_beside(package)
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser = (parser.use(dollarmath_plugin, double_inline=True) if math else parser).use(footnote_plugin)
    parts = [head]
    for piece in pieces:
        parts += [
            _block(token, images, language) for token in _with_columns(parser.parse(piece.text + piece.notes))
        ]
        parts += [_sample(sample, labels) for sample in piece.samples]
    return "".join(parts)


def _fonts(language: str) -> tuple[str, ...]:
    latin = ("Libertinus Serif", "New Computer Modern")
    cjk = {"ja": "JP", "zh": "SC", "ko": "KR"}.get(language.partition("-")[0])
    return latin if cjk is None else (f"Noto Sans CJK {cjk}", f"Noto Serif CJK {cjk}", *latin)


def _string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _with_columns(tokens: Sequence[Token]) -> Sequence[Token]:
    """Each table's opening token gets the number of its columns."""
    for place, token in enumerate(tokens):
        if token.type == "table_open":
            end = next(at for at in range(place, len(tokens)) if tokens[at].type == "tr_close")
            token.meta["columns"] = sum(one.type == "th_open" for one in tokens[place:end])
    return tokens


def _block(token: Token, images: Mapping[str, File], language: str) -> str:  # noqa: PLR0911 (a case a kind of token)
    match token.type:
        case "inline":
            wide = language.partition("-")[0] in ("ja", "zh")
            return "".join(_inline(child, images, wide=wide) for child in token.children or ())
        case "footnote_open":
            return _note(token)
        case "heading_open":
            return f"#heading(level: {int(token.tag[1:])})["
        case "ordered_list_open" | "table_open":
            return _opening(token)
        case "fence" | "code_block":
            return f"#box([])[#raw(block: true, {_string(token.content)})]\n\n"
        case "math_block" | "math_block_label":
            return _math(token.content, display=True) + "\n\n"
        case _:
            return _AROUND.get(token.type, "")


def _opening(token: Token) -> str:
    if token.type == "table_open":
        return f"#table(columns: {token.meta['columns']},\n"
    return f"#enum(start: {int(token.attrs.get('start', 1))},\n"


def _inline(token: Token, images: Mapping[str, File], *, wide: bool) -> str:  # noqa: PLR0911 (a case a kind of token)
    match token.type:
        case "text":
            return _escaped(token.content)
        case "code_inline":
            return f"#raw({_string(token.content)})"
        case "footnote_ref":
            return _note(token)
        case "math_inline":
            return _math(token.content, display=False)
        case "math_inline_double":
            return _math(token.content, display=True)
        case "link_open":
            return f"#link({_string(str(token.attrs.get('href', '')))})["
        case "image":
            name = str(token.attrs.get("src", ""))
            shown = name in images and name.endswith(IMAGES)
            return f"#align(center, image({_string(name)}))" if shown else f"#emph[{_escaped(token.content)}]"
        case "softbreak":
            return "" if wide else "\n"
        case _:
            return _AROUND.get(token.type, "")


def _note(token: Token) -> str:
    """The number of a footnote, in the text and before its own words."""
    return f"#super[{int(token.meta['id']) + 1}]"


def _math(formula: str, *, display: bool) -> str:
    try:
        made = to_typst(formula)
    except (ValueError, RecursionError):
        return f"#raw({_string(formula)})"
    return f"$ {made} $" if display else f"${made}$"


def _escaped(text: str) -> str:
    return "".join(f"\\{char}" if char in _SPECIAL else char for char in text)


def _sample(sample: Sample, labels: Labels) -> str:
    title = f"#heading(level: 2)[{_escaped(labels.sample)} {sample.number}]\n"
    if sample.turns:
        return title + "".join(_turn(turn.by_judge, turn.text, labels) for turn in sample.turns) + "\n"
    given, wanted = (_boxed(*pair) for pair in ((labels.input, sample.input), (labels.output, sample.output)))
    return f"{title}#grid(columns: (1fr, 1fr), gutter: 10pt, {given}, {wanted})\n\n"


def _boxed(label: str, text: str) -> str:
    return f"box({_string(label)}, raw(block: true, {_string(text.rstrip(chr(10)) or ' ')}))"


def _turn(by_judge: bool, text: str, labels: Labels) -> str:
    label = labels.input if by_judge else labels.output
    indent = "0pt" if by_judge else "40%"
    return f"#pad(left: {indent}, right: {'40%' if by_judge else '0pt'}, {_boxed(label, text)})\n"
