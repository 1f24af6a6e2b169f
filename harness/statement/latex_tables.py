"""A LaTeX table as one of Markdown: its first row is the head, rules and alignments are left out."""

import re

_RULE = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfoot|endfirsthead|endlastfoot)(?![A-Za-z])"
    r"|\\(?:cline|cmidrule|rowcolor|cellcolor|noalign|arrayrulecolor)(?:\([a-z]{0,5}\))?(?:\[[^\]]{0,50}\])?\{[^{}]{0,99}\}"
)
_SPAN = re.compile(r"\\multi(?:column|row)\*?\s?\{[^{}]{0,20}\}\s?\{(?:[^{}]|\{[^{}]{0,50}\}){0,99}\}")
_COLUMNS = re.compile(
    r"\s*(?:\[[^\]]{0,20}\])?\s*(?:\{(?:[^{}]|\{(?:[^{}]|\{[^{}]{0,50}\}){0,200}\}){0,500}\}\s*){1,2}"
)
_ROW = re.compile(r"\\\\\*?(?:\[[^\]]{0,50}\])?|\\tabularnewline(?![A-Za-z])")
_CELL = re.compile(r"(?<!\\)&")
# They stand for `|` and `---` until all else has been read.
BAR, UNDER_HEAD = "\ue002", "\ue003"


def as_table(inside: str) -> str:
    """What stands between `\\begin{tabular}` and its end, as Markdown. Cells are still LaTeX."""
    text = _SPAN.sub("", _RULE.sub("", _COLUMNS.sub("", inside, count=1)))
    rows = [[" ".join(cell.split()) for cell in _CELL.split(row)] for row in _ROW.split(text)]
    rows = [row for row in rows if any(row)]
    if not rows:
        return ""
    width = max(map(len, rows))
    lines = [_line(row, width) for row in rows]
    return "\n".join((lines[0], _line([UNDER_HEAD] * width, width), *lines[1:]))


def _line(cells: list[str], width: int) -> str:
    return f"{BAR} " + f" {BAR} ".join((*cells, *[""] * (width - len(cells)))) + f" {BAR}"
