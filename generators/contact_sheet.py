"""Writes an SVG of every family of grids with what it breaks: contact_sheet.py > docs/families.svg"""

import random
import sys
from html import escape

import grids

SIDE = 39
SCALE = 6
COLUMNS = 4
MARGIN = 24
CAPTION = 64
WORDS_A_LINE = 40


def runs(row):
    """The stretches of wall in one row, as (start, length)."""
    start = 0
    for stretch in bytes(row).split(grids.FLOOR):
        if stretch:
            yield start, len(stretch)
        start += len(stretch) + 1


def drawing(grid):
    """The walls of a grid as one SVG path."""
    parts = []
    for row in range(SIDE):
        for start, length in runs(grid[row * SIDE : (row + 1) * SIDE]):
            parts.append("M%d %dh%dv%dh-%dz" % (start, row, length, 1, length))
    return "".join(parts)


def wrapped(text):
    """The lines of a caption."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > WORDS_A_LINE:
            lines.append("")
        lines[-1] = (lines[-1] + " " + word).strip()
    return lines


def panel(place, name):
    """One family: frame, walls, name, what it breaks."""
    size = SIDE * SCALE
    left = MARGIN + place % COLUMNS * (size + MARGIN)
    top = MARGIN + place // COLUMNS * (size + CAPTION + MARGIN)
    grid = grids.FAMILIES[name](SIDE, SIDE, random.Random(1), **({"walls": 0x5A5} if name == "tiny" else {}))
    summary = grids.FAMILIES[name].__doc__.strip().split("\n")[0]
    lines = [
        '<text x="0" y="%d" class="line">%s</text>' % (size + 34 + 14 * number, escape(line))
        for number, line in enumerate(wrapped(summary)[:3])
    ]
    return (
        '<g transform="translate(%d %d)"><g transform="scale(%d)"><rect width="%d" height="%d" class="floor"/>'
        '<path d="%s" class="wall"/></g><text x="0" y="%d" class="name">%s</text>%s</g>'
        % (left, top, SCALE, SIDE, SIDE, drawing(grid), size + 18, escape(name), "".join(lines))
    )


def sheet():
    """The whole picture."""
    names = [name for name in grids.FAMILIES if name != "tiny"]
    rows = -(-len(names) // COLUMNS)
    width = MARGIN + COLUMNS * (SIDE * SCALE + MARGIN)
    height = MARGIN + rows * (SIDE * SCALE + CAPTION + MARGIN)
    style = (
        "svg{background:#fff}.floor{fill:#f3f4f6;stroke:#9aa3b0;stroke-width:.2}.wall{fill:#30363f}"
        "text{font-family:sans-serif;fill:#1b1d21}.name{font-size:15px;font-weight:bold}.line{font-size:11px}"
    )
    panels = "\n".join(panel(place, name) for place, name in enumerate(names))
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">' % (
        width,
        height,
        width,
        height,
    )
    return "%s\n<style>%s</style>\n%s\n</svg>\n" % (head, style, panels)


if __name__ == "__main__":
    sys.stdout.write(sheet())
