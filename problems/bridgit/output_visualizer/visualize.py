"""Output visualizer of `bridgit`: X.in X.ans feedback_dir/ → judgeimage.svg, the board at the end of the game.

Reads `moves.txt`, which the interactor leaves in the feedback folder. A fixed door is a green way through it, a closed
one a red wall; each carries the number of its move. Python 3.9 and its standard library.
"""

import os
import sys

CELL, SIDE, HEAD, FOOT = 44, 52, 40, 26
STYLE = """
.page{fill:#fff}.outside{fill:#f0e9db}.room{fill:#f8f4ea}.rim{stroke:#4a4540;stroke-width:6;stroke-linecap:round}
.post{fill:#4a4540}.undecided{stroke:#b08a4a;stroke-width:2;stroke-dasharray:5 4}.fixed{stroke:#14804a;stroke-width:6}
.closed{stroke:#b3261e;stroke-width:7}.fixed,.closed{stroke-linecap:round}.plate{fill:#fff;fill-opacity:.92}
text{font:11px sans-serif;fill:#23201c}.number{font-size:10px;text-anchor:middle}.last{stroke:#e0a100;stroke-width:2}
"""


def read_moves(path):
    """(height, width, {door: (what, number)}) of a game."""
    with open(path, encoding="ascii") as file:
        size, *lines = file.read().splitlines()
    height, width = map(int, size.split())
    decided = {}
    for number, line in enumerate(lines, 1):
        what, kind, i, j = line.split()
        decided[kind, int(i), int(j)] = ("fixed" if what == "+" else "closed", number)
    return height, width, decided


def picture(height, width, decided):
    """The board as SVG."""
    wide, high = 2 * SIDE + width * CELL, HEAD + height * CELL + FOOT
    left, right, top, bottom = SIDE, SIDE + width * CELL, HEAD, HEAD + height * CELL
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d">'
        % (wide, high, wide, high),
        "<style>%s</style>" % STYLE.replace("\n", ""),
        '<rect class="page" width="%d" height="%d" rx="8"/>' % (wide, high),
        '<rect class="outside" x="8" y="%d" width="%d" height="%d" rx="8"/>' % (top, wide - 16, bottom - top),
        '<text x="8" y="24">entrance</text><text x="%d" y="24" text-anchor="end">exit</text>' % (wide - 8),
        '<rect class="room" x="%d" y="%d" width="%d" height="%d"/>' % (left, top, right - left, bottom - top),
        '<path class="rim" d="M%d %dH%dM%d %dH%d"/>' % (left, top, right, left, bottom, right),
    ]
    doors = [("|", i, j) for i in range(1, height + 1) for j in range(1, width + 2)]
    doors += [("-", i, j) for i in range(1, height) for j in range(1, width + 1)]
    parts += [line(door, decided.get(door)) for door in doors]
    parts += ['<circle class="post" cx="%d" cy="%d" r="3.5"/>' % post for post in posts(height, width)]
    parts += [number(door, found[1], found[1] == len(decided)) for door, found in decided.items()]
    return "\n".join([*parts, "</svg>", ""])


def posts(height, width):
    """The inner corners of the rooms."""
    return [(SIDE + j * CELL, HEAD + i * CELL) for i in range(1, height) for j in range(width + 1)]


def middle(door):
    """Where the middle of a door is."""
    kind, i, j = door
    half = CELL // 2
    if kind == "|":
        return SIDE + (j - 1) * CELL, HEAD + (i - 1) * CELL + half
    return SIDE + (j - 1) * CELL + half, HEAD + i * CELL


def line(door, found):
    """A wall along the door, or a way across it."""
    what = found[0] if found else "undecided"
    x, y = middle(door)
    half = CELL // 2 - (0 if what == "fixed" else 5)
    if (door[0] == "|") == (what == "fixed"):
        return '<path class="%s" d="M%d %dh%d"/>' % (what, x - half, y, 2 * half)
    return '<path class="%s" d="M%d %dv%d"/>' % (what, x, y - half, 2 * half)


def number(door, at, last):
    """The number of a move, on a plate; the last one has a rim."""
    x, y = middle(door)
    wide = 8 + 6 * len(str(at))
    plate = '<rect class="plate%s" x="%d" y="%d" width="%d" height="14" rx="4"/>'
    return (plate + '<text class="number" x="%d" y="%d">%d</text>') % (
        " last" if last else "",
        x - wide // 2,
        y - 7,
        wide,
        x,
        y + 4,
        at,
    )


def main():
    """Run as the package format says; without a game there is no picture."""
    feedback_dir = sys.argv[3]
    moves = os.path.join(feedback_dir, "moves.txt")
    if os.path.exists(moves):
        with open(os.path.join(feedback_dir, "judgeimage.svg"), "w", encoding="ascii") as file:
            file.write(picture(*read_moves(moves)))


if __name__ == "__main__":
    main()
