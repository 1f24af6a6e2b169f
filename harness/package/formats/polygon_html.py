"""Convert a statement of Polygon from HTML to Markdown, for packages without LaTeX."""

import re
from collections.abc import Mapping
from html import unescape

# Parts of Polygon's page that come from elsewhere: the limits, the samples, the style.
_LEFT_OUT = {"header", "sample-tests"}
_SILENT = ("head", "script", "style")
_EMPHASES = {"i": "*", "em": "*", "b": "**", "strong": "**", "code": "`", "tt": "`"}
_BLOCKS = ("p", "div", "ul", "ol", "table", "tr", "center", "h1", "h2", "h3")
_VOID = ("br", "img", "hr", "meta", "link", "input", "col", "wbr")
_SPECIAL = re.compile(r"([\\`*_<>#\[\]])")
_MATH = re.compile(r"(\$\$\$(?:\$\$\$)?)(.{1,2000}?)\1", re.DOTALL)
# Strangers write the page: every repetition is bounded or ends at the next tag. (The parser of the standard library
# takes minutes for malformed pages.)
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,20})(?![A-Za-z0-9])([^<>]{0,2000})>|<![^<>]{0,2000}>")
_ATTRIBUTE = re.compile(r"""\b(class|src|alt)=(?:"([^"]{0,1000})"|'([^']{0,1000})')""", re.IGNORECASE)
_BLANKS = re.compile(r"[ \t\r\n]+")


def markdown_of(html: str) -> str:
    """Return the statement in Markdown, without its title, limits and samples."""
    page, start = _Page(), 0
    html = _without_comments(html)
    for tag in _TAG.finditer(html):
        page.add_text(unescape(html[start : tag.start()]))
        start, name = tag.end(), (tag[2] or "").lower()
        if tag[1]:
            page.close_tag(name)
        elif name:
            page.open_tag(
                name, {key.lower(): unescape(one or other) for key, one, other in _ATTRIBUTE.findall(tag[3])}
            )
    page.add_text(unescape(html[start:]))
    return re.sub(r"\s*\n\s*\n", "\n\n", "".join(page.parts)).strip() + "\n"


def _without_comments(html: str) -> str:
    first, *others = html.split("<!--")
    return first + "".join(other.partition("-->")[2] for other in others)


class _Page:
    """Collect the Markdown of a page. depth: number of open tags below an omitted tag, 0 outside."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.depth = 0
        self.preformatted = False

    def open_tag(self, tag: str, attributes: Mapping[str, str]) -> None:
        name = attributes.get("class", "")
        if self.depth or tag in _SILENT or _LEFT_OUT & set(name.split()):
            self.depth += tag not in _VOID
        elif tag == "img":
            source = attributes.get("src", "").rpartition("/")[2]
            formula = attributes.get("alt") if "tex" in name else None
            self.parts.append(f"${formula}$" if formula else f"![]({source})" if source else "")
        elif tag == "pre":
            self.preformatted = True
            self.parts.append("\n\n```\n")
        elif "section-title" in name:
            self.parts.append("\n\n## ")
        elif tag in _BLOCKS or tag == "br":
            self.parts.append("\n\n")
        elif tag == "li":
            self.parts.append("\n- ")
        elif tag in ("sub", "sup"):
            self.parts.append(f"<{tag}>")
        else:
            self.parts.append(_EMPHASES.get(tag, ""))

    def close_tag(self, tag: str) -> None:
        if self.depth:
            self.depth -= tag not in _VOID
        elif tag == "pre":
            self.preformatted = False
            self.parts.append("\n```\n\n")
        elif tag in _BLOCKS:
            self.parts.append("\n\n")
        elif tag in ("sub", "sup"):
            self.parts.append(f"</{tag}>")
        else:
            self.parts.append(_EMPHASES.get(tag, ""))

    def add_text(self, data: str) -> None:
        if self.depth:
            return
        if self.preformatted:
            self.parts.append(data)
            return
        text, start = _BLANKS.sub(" ", data), 0
        if self.parts and self.parts[-1].endswith("\n"):
            text = text.lstrip(" ")
        for match in _MATH.finditer(text):
            dollars = "$" * (len(match[1]) // 3)
            self.parts.append(_escaped(text[start : match.start()]) + f"{dollars}{match[2].strip()}{dollars}")
            start = match.end()
        self.parts.append(_escaped(text[start:]))


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
