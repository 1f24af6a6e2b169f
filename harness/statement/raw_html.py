"""Writes the HTML of a Markdown statement as Markdown where that is possible; all other HTML stays text."""

import re

# Code is skipped. Every repetition is bounded: the text is untrusted.
_PARTS = re.compile(
    r"(?P<code>^(?P<fence>`{3,9}|~{3,9})(?:(?!^(?P=fence)).){0,20000}(?:^(?P=fence)[^\n]*)?|`[^`\n]{1,2000}`)"
    r"|<!--(?:(?!-->).){0,20000}-->"
    r"|<img\b(?P<image>[^<>]{0,2000})>"
    r"|(?P<line><br[ \t]{0,9}/?>)"
    r"|<(?P<height>su[bp])>(?P<small>[A-Za-z0-9+-]{1,20})</su[bp]>"
    r"|</?(?P<emphasis>b|strong|i|em)>"
    r"|</?(?:figure|figcaption|center|div|span|p)\b[^<>]{0,500}>",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_ATTRIBUTE = r"""\b{}[ ]?=[ ]?(?:"([^"<>\n]{{0,500}})"|'([^'<>\n]{{0,500}})')"""
_SOURCE, _ALTERNATIVE = (re.compile(_ATTRIBUTE.format(name), re.IGNORECASE) for name in ("src", "alt"))
_STARS = {"b": "**", "strong": "**", "i": "*", "em": "*"}


def as_markdown(text: str) -> str:
    """Remove comments, and convert pictures, line breaks, sub- and superscripts and emphasis.

    Lines keep their numbers, except after a `<br>` within a line.
    """
    return _PARTS.sub(_converted, text) if "<" in text else text


def _converted(part: re.Match[str]) -> str:
    if part["code"] is not None:
        return part[0]
    ends = "\n" * part[0].count("\n")
    if part["image"] is not None:
        return (_picture(part["image"]) or part[0].replace("\n", " ")) + ends
    if part["height"] is not None:
        mark = "_" if part["height"].lower() == "sub" else "^"
        return f"${{}}{mark}{{{part['small']}}}$"
    if part["line"] is not None:  # within a line Markdown needs a line end for it
        return "\\" if part.string[part.end() : part.end() + 1] == "\n" else "\\\n"
    return _STARS[part["emphasis"].lower()] if part["emphasis"] is not None else ends


def _picture(attributes: str) -> str | None:
    source, words = _SOURCE.search(attributes), _ALTERNATIVE.search(attributes)
    if source is None:
        return None
    shown = re.sub(r"[\[\]\\]", "", (words[1] or words[2] or "") if words is not None else "")
    return f"![{shown}](<{source[1] or source[2] or ''}>)"
