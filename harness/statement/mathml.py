"""Convert a TeX formula to MathML, and find the parts that a browser cannot show."""

import re
from collections.abc import Iterator
from html import unescape
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from math_core import LatexError, LatexToMathML

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
