"""Convert Markdown with `$math$` to HTML with MathML, without raw HTML and without fetching files.

Formulas that a browser cannot show are found, too.
"""

import base64
import mimetypes
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from html import escape, unescape
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, tostring

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from math_core import LatexError, LatexToMathML
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from harness.package.files import File
from harness.values import dataclass

CHILDREN = {
    "mfrac": 2, "mroot": 2, "msup": 2, "msub": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3,
}  # fmt: skip
_LEAVES = ("mi", "mn", "mo")  # `mtext` may hold `code`, `b` and `i`
# The converter recurses in C and would crash the process at about 4,000 levels.
_LONGEST, _DEEPEST = 4000, 100
_MACROS = {"mbox": r"\text{#1}", "hbox": r"\text{#1}", "substack": r"\begin{subarray}{c}#1\end{subarray}"}
_DEFINES = re.compile(r"\\(?:def|gdef|edef|xdef|let|(?:re|provide)?newcommand|DeclareMathOperator)(?![A-Za-z])")
_ENVIRONMENT = re.compile(r"\\(begin|end)\{([A-Za-z]{1,20})\*?\}")
_SAME_AS = {
    "split": "aligned", "align": "aligned", "eqnarray": "aligned", "flalign": "aligned", "gather": "gathered",
    "multline": "gathered", "smallmatrix": "matrix", "equation": "", "displaymath": "", "math": "",
}  # fmt: skip
_LABEL = re.compile(r"\\label\s?\{[^{}]{0,200}\}|\\(?:nonumber|notag)(?![A-Za-z])")
_MATH_IN_TEXT = re.compile(r"(\\(?:text|textrm|mbox|hbox)\s?)\{([^{}$]*)\$([^$]*)\$([^{}]*)\}")
_ENTITY = re.compile(r"&(?!(?:lt|gt|amp|quot|apos);)[A-Za-z]+;")
_STYLES = re.compile(
    r"(?:(?:text-align|justify-items|padding-\w+|border-\w+|width|margin-\w+|color):[\w .%#-]*(?:;|\Z))*"
)
_BLANKS_INSIDE = re.compile(r"\$\s[^$]*\s\$")
_SHOWN = 60
IMAGES = (".svg", ".png", ".jpg", ".jpeg")


def to_mathml(formula: str, *, display: bool = False) -> Element:
    """Convert a formula to MathML without namespace prefix. Raises ValueError that names the fault.

    Unknown commands become `merror` with the command as its text.
    """
    _check_size(formula)
    converter = LatexToMathML(
        macros=_MACROS, fancy_error=False, ignore_unknown_commands=True, allow_unreliable_rendering=True
    )
    try:
        text = converter.convert_with_local_state(_as_the_converter_knows_it(formula), displaystyle=display)
        math = ElementTree.fromstring(_ENTITY.sub(lambda match: unescape(match[0]), text))  # noqa: S314 - not a stranger's
    except LatexError as error:
        raise ValueError(_sentence(str(error))) from error
    except ElementTree.ParseError as error:
        raise ValueError(f"its MathML is not well-formed: {error}") from error
    return _harmless(math)


def faults(math: Element) -> Iterator[str]:
    """Yield parts that browsers show wrong: wrong number of children, elements in tokens, leftover TeX."""
    for element in math.iter():
        count = CHILDREN.get(element.tag, len(element))
        if len(element) != count:
            yield f"`{element.tag}` with {len(element)} parts in place of {count}"
        if element.tag in _LEAVES and len(element):
            yield f"`{element.tag}` that holds other elements"
        if element.tag in ("mi", "mn") and not (element.text or "").strip():
            yield f"an empty `{element.tag}`"
        if element.tag == "merror":
            yield f"the command `{''.join(element.itertext())}` is not known, and shown as it is"
        elif element.tag in ("mi", "mo") and re.search(r"\\[A-Za-z]", element.text or ""):
            yield f"`{element.text}` is left of the TeX"


def _check_size(formula: str) -> None:
    if len(formula) > _LONGEST:
        raise ValueError(f"it has {len(formula)} characters, more than {_LONGEST}")
    if _DEFINES.search(formula):
        raise ValueError("it defines a command")
    depth = 0
    for brace in re.findall(r"\\.|[{}]", formula, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(brace, 0)
        if depth > _DEEPEST:
            raise ValueError(f"its braces are nested deeper than {_DEEPEST}")


def _as_the_converter_knows_it(formula: str) -> str:
    """Replace environments and commands that the converter lacks, or that only number equations."""
    text = _ENVIRONMENT.sub(_environment, _LABEL.sub("", formula))
    before = ""
    while text != before:
        before, text = text, _MATH_IN_TEXT.sub(r"\1{\2}{\3}\1{\4}", text)
    return text


def _environment(match: re.Match[str]) -> str:
    name = _SAME_AS.get(match[2])
    if name is None:
        return match[0]
    return f"\\{match[1]}{{{name}}}" if name else ""


def _sentence(error: str) -> str:
    """Return the converter's message without its position, in lower case, on one line."""
    words = " ".join(re.sub(r"\A\d+: ", "", error).split()).rstrip(".")
    return words[:1].lower() + words[1:]


def _harmless(math: Element) -> Element:
    """Remove attributes that could link elsewhere or cover the page."""
    for element in math.iter():
        for name in {"href", "class", "id"} & element.attrib.keys():
            del element.attrib[name]
        if not _STYLES.fullmatch(element.get("style", "")):
            del element.attrib["style"]
    return math


def to_html(text: str, images: Mapping[str, File], part: int = 0) -> str:
    """Return the body of a page. images: the files beside the text, which are embedded in the page.

    part: distinguishes the footnotes of several texts on a page.
    """
    parser = markdown_parser()
    parser.add_render_rule("image", _inline_image)
    parser.add_render_rule("softbreak", _softbreak)
    return str(parser.render(text, {"images": images, "docId": str(part)} if part else {"images": images}))


def markdown_parser() -> MarkdownIt:
    """Return a parser of Markdown with formulas, tables and footnotes, without raw HTML."""
    parser = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table")
    return parser.use(dollarmath_plugin, renderer=_mathml, allow_space=False, double_inline=True).use(
        footnote_plugin
    )


@dataclass(frozen=True, kw_only=True)
class Defect:
    """A part of the text that a page cannot show. line: in the Markdown, from 1. certain: surely not shown.

    formula: the faulty one. unread: as a whole.
    """

    line: int
    message: str
    certain: bool = True
    formula: str = ""
    unread: bool = False


def defects(text: str, images: Mapping[str, File]) -> Iterator[Defect]:
    """Yield invalid formulas, what is no formula for its blanks, and missing pictures, in the order of the text."""
    for token in markdown_parser().parse(text):
        line = token.map[0] + 1 if token.map else 1
        for part in token.children or [token]:
            if part.type.startswith("math"):
                yield from _math_defects(part.content, line)
            elif part.type == "text":
                for shown in _BLANKS_INSIDE.findall(part.content):
                    if shown in token.content:  # else it is written `\\$`
                        fix = "write it without blanks inside the `$`, or `\\$` for a dollar sign"
                        yield Defect(line=line, message=f"`{shown}` is no formula: {fix}", certain=False)
            elif part.type == "image":
                name = str(part.attrs.get("src", ""))
                if images.get(name) is None or not name.lower().endswith(IMAGES):
                    only_pdf = name in images and name.lower().endswith(".pdf")
                    yield Defect(line=line, message=image_defect(name, known=name in images), certain=not only_pdf)
            line += part.content.count("\n") + (part.type in ("softbreak", "hardbreak"))


def image_defect(name: str, *, known: bool) -> str:
    """Return why a picture is not shown. known: it is in the package."""
    if known and name.lower().endswith(".pdf"):
        return f"the picture `{name}` is shown on paper only: for screens, put it beside as SVG or PNG, too"
    if known:
        return f"the picture `{name}` is of no kind that is shown: {', '.join(IMAGES)}"
    return f"the picture `{name}` is not in the package: pictures lie beside the statement"


def _math_defects(formula: str, line: int) -> Iterator[Defect]:
    shown = "the formula `$" + " ".join(formula.split())[:_SHOWN] + "$`"
    try:
        math = to_mathml(formula)
    except (ValueError, RecursionError) as error:
        yield Defect(
            line=line, message=f"{shown} is no TeX that can be read: {error}", formula=formula, unread=True
        )
        return
    for fault in faults(math):
        yield Defect(
            line=line, message=f"{shown}: {fault}", certain=not fault.startswith("the command"), formula=formula
        )


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
    if file is None or not name.lower().endswith(IMAGES):
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
