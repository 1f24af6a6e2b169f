"""Rewrite slides of LaTeX's beamer class as a LaTeX text with a section a slide.

Contests keep their solutions so: `solution/solution.tex` with frames, blocks and overlays. All overlays of a slide are
shown at once, as on a handout.
"""

import re

from harness.statement.latex_text import LONGEST, without_comments

_ARGUMENT = r"\{((?:[^{}]|\{[^{}]{0,300}\}){0,500})\}"
_NAMES = "frame|slide"
_FRAME = re.compile(
    rf"\\begin\{{({_NAMES})\}}(?:\[[^\]]{{0,200}}\])?[ \t]?(?:{_ARGUMENT})?(?:{_ARGUMENT})?"
    rf"((?:(?!\\begin\{{(?:{_NAMES})\}}).){{0,20000}}?)\\end\{{\1\}}",
    re.DOTALL,
)
_TITLE = re.compile(rf"\\frametitle(?:\[[^\]]{{0,200}}\])?{_ARGUMENT}")
_OVERLAY = re.compile(r"(\\[A-Za-z]{2,30}|\\begin\{[A-Za-z*]{1,30}\})<(?:[a-z]{1,12}[:@])?[-+0-9.,|() ]{1,40}>")
_BLOCK = re.compile(rf"\\begin\{{(?:alert|example)?block\}}{_ARGUMENT}")
_PLACED = re.compile(r"\\begin\{textblock\*?\}(?:\{[^{}]{0,100}\})?(?:\([^()]{0,100}\))?")
_SHOWN = re.compile(r"\\(?:pause|onslide|only|uncover|visible|alert)(?![A-Za-z])")
_SILENT = re.compile(
    rf"\\(?:note|framesubtitle|use\w{{0,12}}theme|setbeamer\w{{1,20}})(?![A-Za-z])(?:\[[^\]]{{0,200}}\])?(?:{_ARGUMENT}){{0,3}}"
    r"|\\solvestats(?![A-Za-z])"
)
_PREAMBLE = re.compile(r"\A.{0,100000}?\\begin\{document\}", re.DOTALL)
_RESERVED = re.compile(r"[%#&_{}$]")
_PROBLEM = re.compile(r"\\problemtitle(?![A-Za-z])(?:\{\})?")


def slides_as_sections(latex: str, title: str) -> str:
    """Return the text with a section for each slide. title: plain, of slides without one and for `\\problemtitle`."""
    title = _RESERVED.sub(r"\\\g<0>", title)
    latex = _PROBLEM.sub(lambda _: title, without_comments(latex[:LONGEST]))
    latex = _OVERLAY.sub(r"\1", _SILENT.sub("", _PREAMBLE.sub("", latex)))
    latex = _PLACED.sub("", _BLOCK.sub(r"\n\n\\textbf{\1}\n\n", latex))
    return _FRAME.sub(lambda match: _section(match[2] or "", match[4], title), _SHOWN.sub("", latex))


def _section(own: str, text: str, title: str) -> str:
    named = _TITLE.search(text)
    heading = own.strip() or (named[1].strip() if named is not None else "") or title
    return f"\n\n\\section{{{heading}}}\n\n{_TITLE.sub('', text)}\n\n"
