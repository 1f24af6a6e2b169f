"""Convert Markdown with `$math$` to HTML with MathML, without raw HTML and without fetching files."""

import base64
import mimetypes
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from xml.etree.ElementTree import tostring

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from harness.package.files import File
from harness.statement.mathml import faults, to_mathml
from harness.values import dataclass

_SHOWN = 60
_IMAGES = (".svg", ".png", ".jpg", ".jpeg")


def to_html(text: str, images: Mapping[str, File], part: int = 0) -> str:
    """Return the body of a page. images: the files beside the text, which are embedded in the page.

    part: distinguishes the footnotes of several texts on a page.
    """
    parser = _parser()
    parser.add_render_rule("image", _inline_image)
    parser.add_render_rule("softbreak", _softbreak)
    return str(parser.render(text, {"images": images, "docId": str(part)} if part else {"images": images}))


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table")
    return parser.use(dollarmath_plugin, renderer=_mathml, double_inline=True).use(footnote_plugin)


@dataclass(frozen=True, kw_only=True)
class Defect:
    """A part of the text that a page cannot show. line: in the Markdown, from 1. certain: surely not shown."""

    line: int
    message: str
    certain: bool = True
    is_formula: bool = False


def defects(text: str, images: Mapping[str, File]) -> Iterator[Defect]:
    """Yield invalid formulas and missing pictures, in the order of the text."""
    for token in _parser().parse(text):
        line = token.map[0] + 1 if token.map else 1
        for part in token.children or [token]:
            if part.type.startswith("math"):
                yield from _math_defects(part.content, line)
            elif part.type == "image":
                name = str(part.attrs.get("src", ""))
                if images.get(name) is None or not name.lower().endswith(_IMAGES):
                    only_pdf = name in images and name.lower().endswith(".pdf")
                    yield Defect(
                        line=line, message=_image_defect(name, known=name in images), certain=not only_pdf
                    )
            line += part.content.count("\n") + (part.type in ("softbreak", "hardbreak"))


def _image_defect(name: str, *, known: bool) -> str:
    if known and name.lower().endswith(".pdf"):
        return f"the picture `{name}` is shown on paper only: for screens, put it beside as SVG or PNG, too"
    if known:
        return f"the picture `{name}` is of no kind that is shown: {', '.join(_IMAGES)}"
    return f"the picture `{name}` is not in the package: pictures lie beside the statement"


def _math_defects(formula: str, line: int) -> Iterator[Defect]:
    shown = "the formula `$" + " ".join(formula.split())[:_SHOWN] + "$`"
    try:
        math = to_mathml(formula)
    except (ValueError, RecursionError) as error:
        yield Defect(line=line, message=f"{shown} is no TeX that can be read: {error}", is_formula=True)
        return
    for fault in faults(math):
        yield Defect(line=line, message=f"{shown}: {fault}", certain=not fault.startswith("the command"))


def _mathml(content: str, options: Mapping[str, bool]) -> str:
    """Return the MathML of a formula; if it cannot be converted, the formula itself, marked."""
    try:
        math = to_mathml(content, display=bool(options.get("display_mode")))
        return tostring(math, encoding="unicode")
    except (ValueError, RecursionError):
        return f'<code class="bad-math">{escape(content)}</code>'


def _inline_image(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    token = tokens[index]
    name = str(token.attrs.get("src", ""))
    file = env["images"].get(name)
    alternative = escape(renderer.renderInlineAsText(token.children, options, env))
    if file is None or not name.lower().endswith(_IMAGES):
        return f'<em class="missing">[{alternative or f"figure: {escape(name)}"}]</em>'
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    content = base64.b64encode(file.read()).decode("ascii")
    return f'<img alt="{alternative}" src="data:{kind};base64,{content}">'


def _softbreak(
    _renderer: RendererHTML, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType
) -> str:
    return line_end(tokens, index)


def line_end(tokens: Sequence[Token], index: int) -> str:
    """Return a space for a source line end, or nothing between Chinese or Japanese characters."""
    before = tokens[index - 1].content[-1:] if index else ""
    after = tokens[index + 1].content[:1] if index + 1 < len(tokens) else ""
    return "" if _is_wide(before) and _is_wide(after) else "\n"


def _is_wide(char: str) -> bool:
    return bool(char) and unicodedata.east_asian_width(char) in ("W", "F")
