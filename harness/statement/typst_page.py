"""Convert a Markdown statement to a Typst document: title, limits, text, samples."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from markdown_it.token import Token

from harness.package import Package
from harness.package.files import File
from harness.statement import typst_math
from harness.statement.labels import Labels
from harness.statement.markdown import IMAGES as SCREEN_IMAGES
from harness.statement.markdown import line_end, markdown_parser, to_mathml
from harness.statement.samples import Piece, Sample, Turn
from harness.statement.source import files_beside, title_of

_SPECIAL = "\\#$*_`<>@[]~=-+/\"'"
_CJK = {"ja": "JP", "zh": "SC", "ko": "KR"}
_NEVER_BROKEN = 24  # most letters of inline code that is never broken
_NARROW = 40  # letters that fit into half the width
_WIDE = 90  # letters that fit into the width
_LONG_WORD = re.compile(rf"\S{{{_WIDE},}}")
_TALLEST_PICTURE = "7.5cm"
_SIZE = re.compile(r"(width|height|scale)=([0-9.]{1,9}(?:%|cm|mm|in|pt))")  # as `latex_text` writes it
_KEPT_WHOLE = 15  # most lines of a sample, or rows of a table, that is never split across pages
IMAGES = (*SCREEN_IMAGES, ".pdf")
_AROUND = {
    "strong_open": "#strong[", "strong_close": "];", "em_open": "#emph[", "em_close": "];", "paragraph_close": "\n\n",
    "bullet_list_open": "#list(\n", "bullet_list_close": ")\n\n",
    "ordered_list_close": ")\n\n", "list_item_open": "[", "list_item_close": "],\n", "heading_close": "]\n\n",
    "blockquote_open": "#quote(block: true)[", "blockquote_close": "]\n\n", "link_close": "];",
    "hardbreak": " \\\n", "hr": "#line(length: 100%)\n\n", "thead_open": "table.header(",
    "thead_close": "),\n", "th_open": "[#strong[", "th_close": "]],", "td_open": "[", "td_close": "],",
    "table_close": "))\n\n", "footnote_block_open": "#line(length: 30%)\n\n",
}  # fmt: skip
_PAGE = """#set document(title: {title})
#set page(paper: "a4", margin: 2.2cm, numbering: "1")
"""
_STYLE = """#set text(font: ({fonts}), size: 10.5pt, lang: "{language}")
#show math.equation: set text(font: ("New Computer Modern Math", {fonts}), weight: "regular")
#show raw: set text(font: ("DejaVu Sans Mono", {fonts}), size: 1.08em)
#set par(leading: 0.72em, justify: {justified})
#show heading: set block(above: 1.4em, below: 0.7em, sticky: true)
{emphasis}#set table(stroke: 0.5pt + luma(180), inset: 5pt)
#let label(body) = text(size: 0.85em, fill: luma(90), body)
#let picture(name, width: none, height: none, scale: 100%) = align(center, layout(size => {{
  let natural = measure(image(name))
  let asked = if type(width) == ratio {{ width * size.width / natural.width
  }} else if width != none {{ width / natural.width
  }} else if height != none {{ height / natural.height
  }} else {{ scale / 100% }}
  image(name, width: natural.width * calc.min(asked, size.width / natural.width, {tallest} / natural.height))
}}))
#let credits(text) = context {{
  let line = block(width: page.width - 2 * page.margin, label(text))
  let height = measure(line).height
  if height < 1.6em.to-absolute() {{ place(bottom + left, dy: height + 0.5em, line) }} else {{ v(1em); line }}
}}
#let framed(body) = block(width: 100%, fill: luma(246), stroke: 0.5pt + luma(205), radius: 2pt, inset: 6pt, body)
"""
_TITLE = """#text(size: 20pt, weight: "bold", {title}) \\
#text(fill: luma(90), {limits})

"""


def typst_page(
    package: Package,
    pieces: Sequence[Piece],
    language: str,
    labels: Labels,
    *,
    as_written: Collection[str] = (),
) -> str:
    """Return the document's source. Images are expected beside it under their own names.

    as_written: formulas to show as code.
    """
    title = string_literal(title_of(package, language))
    head = _PAGE.format(title=title) + text_style(language)
    head += _TITLE.format(title=title, limits=string_literal("    ".join(limits_of(package, labels))))
    return head + typst_body(package, pieces, labels, as_written=as_written)


def limits_of(package: Package, labels: Labels) -> list[str]:
    """Return the time limit, if any, and the memory limit, in words; nothing if submissions are not run."""
    limits: list[str] = []
    if not package.runs_submissions:
        return limits
    if package.limits.time_limit_s is not None:
        limits.append(f"{labels.time_limit}: {package.limits.time_limit_s:g} {labels.seconds}")
    return [*limits, f"{labels.memory_limit}: {package.limits.memory_mib} MiB"]


def text_style(language: str) -> str:
    """Return Typst style rules for a language's text, formulas, code and tables, valid to the file's end."""
    code = language.partition("-")[0]
    return _STYLE.format(
        fonts=", ".join(map(string_literal, _fonts(code, "Serif"))),
        language=code,
        justified="true" if code in _CJK else "false",
        emphasis=_emphasis(code),
        tallest=_TALLEST_PICTURE,
    )


def typst_body(
    package: Package, pieces: Sequence[Piece], labels: Labels, *, as_written: Collection[str] = ()
) -> str:
    """Return the text with samples and credits, without title, for a document with `text_style`."""
    images = files_beside(package)
    parts = []
    for piece in pieces:
        parts += [typst_text(piece.text + piece.notes, images, as_written)]
        parts += [_sample(sample, labels) for sample in piece.samples]
    return "".join((*parts, _foot(package, labels)))


def typst_text(text: str, images: Mapping[str, File], as_written: Collection[str] = ()) -> str:
    """Convert Markdown to Typst."""
    return "".join(_block(token, images, as_written) for token in _tokens(text))


def formulas(text: str) -> Iterator[tuple[str, str]]:
    """Yield each formula of a Markdown text, and a document with only this formula."""
    for block in _tokens(text):
        for token in (block, *(block.children or ())):
            if token.type.startswith("math"):
                yield token.content, _math(token.content, display=token.type != "math_inline")


def _tokens(text: str) -> Sequence[Token]:
    return _with_columns(markdown_parser().parse(text))


def _fonts(code: str, form: str) -> tuple[str, ...]:
    """Return the fonts. The formulas' font comes first, so that digits look alike in formulas and text."""
    latin = ("New Computer Modern", "Libertinus Serif")
    forms = ("Serif", "Sans") if form == "Serif" else ("Sans", "Serif")
    return (*latin, *(f"Noto {form} CJK {_CJK[code]}" for form in forms)) if code in _CJK else latin


def _emphasis(code: str) -> str:
    """Return the rule for emphasis: Chinese, Japanese and Korean have no italics, so it is bold sans there."""
    if code not in _CJK:
        return ""
    fonts = ", ".join(map(string_literal, _fonts(code, "Sans")))
    return f'#show emph: it => text(weight: "bold", font: ({fonts}), it.body)\n'


def _foot(package: Package, labels: Labels) -> str:
    """Return source and authors: a line in the bottom margin, so that it never needs a page; if longer, text."""
    names = ", ".join(author.name for author in package.authors)
    lines = [
        f"{name}: {text}" for name, text in ((labels.source, package.source), (labels.authors, names)) if text
    ]
    return f"#credits({string_literal('    '.join(lines))})\n" if lines else ""


def string_literal(text: str) -> str:
    """Return a text as a Typst string literal."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _with_columns(tokens: Sequence[Token]) -> Sequence[Token]:
    """Store a table's column alignments and number of rows in its opening token."""
    for start, token in enumerate(tokens):
        if token.type == "table_open":
            end = next(index for index in range(start, len(tokens)) if tokens[index].type == "tr_close")
            last = next(index for index in range(start, len(tokens)) if tokens[index].type == "table_close")
            token.meta["rows"] = sum(inner.type == "tr_open" for inner in tokens[start:last])
            token.meta["columns"] = [_alignment(head) for head in tokens[start:end] if head.type == "th_open"]
    return tokens


def _alignment(token: Token) -> str:
    side = str(token.attrs.get("style", "")).partition("text-align:")[2].strip()
    return side if side in ("center", "right") else "left"


def _block(token: Token, images: Mapping[str, File], as_written: Collection[str]) -> str:  # noqa: PLR0911 (a case a kind of token)
    match token.type:
        case "inline":
            children = token.children or []
            return "".join(_inline(children, index, images, as_written) for index in range(len(children)))
        case "footnote_open":
            return _note(token)
        case "heading_open":
            return f"#heading(level: {int(token.tag[1:])})["
        case "ordered_list_open" | "table_open":
            return _opening(token)
        case "fence" | "code_block":
            return f"#{_framed(token.content)}\n\n"
        case "math_block" | "math_block_label":
            return _formula(token, as_written) + "\n\n"
        case _:
            return _AROUND.get(token.type, "")


def _opening(token: Token) -> str:
    if token.type == "table_open":
        sides = token.meta["columns"]
        whole = "false" if token.meta["rows"] <= _KEPT_WHOLE else "true"
        align = "".join(f"{side}, " for side in sides)
        return f"#block(breakable: {whole}, table(columns: {len(sides)}, align: ({align}),\n"
    return f"#enum(start: {int(token.attrs.get('start', 1))},\n"


def _inline(tokens: Sequence[Token], index: int, images: Mapping[str, File], as_written: Collection[str]) -> str:  # noqa: PLR0911 (a case a kind)
    token = tokens[index]
    match token.type:
        case "text":
            return _escaped(token.content)
        case "code_inline":
            return _code(token.content)
        case "footnote_ref":
            return _note(token)
        case "math_inline" | "math_inline_double":
            return _formula(token, as_written)
        case "link_open":
            return f"#link({string_literal(str(token.attrs.get('href', '')))})["
        case "image":
            name = str(token.attrs.get("src", ""))
            if name in images and name.endswith(IMAGES):
                return f"#picture({string_literal(name)}{_asked_size(token)});"
            return f"#emph[{_escaped(token.content)}];"
        case "softbreak":
            return line_end(tokens, index)
        case _:
            return _AROUND.get(token.type, "")


def _asked_size(token: Token) -> str:
    """Return the size that a picture's title asks for, as an argument; other titles ask for none."""
    size = _SIZE.fullmatch(str(token.attrs.get("title", "")))
    return f", {size[1]}: {size[2]}" if size is not None else ""


def _note(token: Token) -> str:
    """Return the number of a footnote, for the text and for the note."""
    return f"#super[{int(token.meta['id']) + 1}];"


def _code(text: str) -> str:
    """Write inline code; short code is never broken."""
    raw = f"raw({string_literal(text)})"
    return f"#box({raw});" if len(text) <= _NEVER_BROKEN else f"#{raw};"


def _formula(token: Token, as_written: Collection[str]) -> str:
    if token.content in as_written:
        return _code(token.content)
    return _math(token.content, display=token.type != "math_inline")


def _math(formula: str, *, display: bool) -> str:
    try:
        math = to_mathml(formula, display=display)
        return typst_math.display(math) if display else typst_math.inline(math)
    except (ValueError, RecursionError):
        return _code(formula)


def _escaped(text: str) -> str:
    return "".join(f"\\{char}" if char in _SPECIAL else char for char in text)


def _sample(sample: Sample, labels: Labels) -> str:
    title = f"#heading(level: 2)[{_escaped(labels.sample)} {sample.number}]\n"
    header = f"grid.header(label({string_literal(labels.input)}), label({string_literal(labels.output)})), "
    if sample.turns:
        turns = ", ".join(_turn(turn) for turn in sample.turns)
        return f"{title}#grid(columns: (1fr, 1fr), gutter: 6pt, {header}{turns})\n\n"
    texts = (sample.input, sample.output)
    lines = [line for text in texts for line in text.splitlines()]
    whole = "false" if all(len(text.splitlines()) <= _KEPT_WHOLE for text in texts) else "true"
    if max(map(len, lines), default=0) > _NARROW:
        parts = (_labelled(*pair) for pair in zip((labels.input, labels.output), texts, strict=True))
        return f"{title}#block(breakable: {whole}, width: 100%)[{''.join(parts)}]\n\n"
    grid = f"grid(columns: (1fr, 1fr), column-gutter: 10pt, row-gutter: 5pt, {header}{', '.join(map(_framed, texts))})"
    return f"{title}#block(breakable: {whole}, {grid})\n\n"


def _labelled(name: str, text: str) -> str:
    return f"#block(sticky: true, above: 0.9em, below: 0.5em, label({string_literal(name)}))#{_framed(text)}"


def _framed(text: str) -> str:
    return f"framed(raw(block: true, {string_literal(_breakable(text.rstrip(chr(10))) or ' ')}))"


def _breakable(text: str) -> str:
    """Allow a break anywhere in a word that is wider than the page."""
    return _LONG_WORD.sub(lambda word: "\u200b".join(word[0]), text)


def _turn(turn: Turn) -> str:
    """Write a turn in the column of its side, below a line where a pass begins."""
    cell = f"block(breakable: false, width: 100%, {_framed(turn.text)})"
    line = 'grid.cell(colspan: 2, line(length: 100%, stroke: (dash: "dashed", paint: luma(150)))), '
    return (line if turn.new_pass else "") + (f"{cell}, []" if turn.by_judge else f"[], {cell}")
