"""Viewer of `bridgit`: shows games to people. docs/interactive.md of the harness says what a viewer is asked.

    viewer pictures X.in X.ans < game.json     the board after each round, as text in JSON
    viewer page [X.in X.ans] < game.json       one HTML page to play on, with the game in it
    viewer case --board ROWSxCOLUMNS [--first|--second] [--style STYLE] [--seed N]     an input and its answer, in JSON

Python 3.9 and its standard library. What the players said is hostile: nothing of it is believed unchecked.
"""

import argparse
import json
import os
import sys

from board import MAX_SIDE, STYLES, case_of, pictures
from page import page


def read_game():
    """The game on standard input; none when there is nothing."""
    text = sys.stdin.buffer.read()
    return json.loads(text) if text.strip() else {}


def read_input(path):
    """The text of an input or answer; none when there is no path."""
    if path is None:
        return ""
    with open(path, encoding="ascii", errors="replace") as file:
        return file.read()


def size(text):
    """`5x4` as (5, 4)."""
    parts = text.lower().replace("×", "x").split("x")
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
        raise argparse.ArgumentTypeError("expected rows x columns, such as 5x4, not %s" % ascii(text))
    height, width = map(int, parts)
    if not (1 <= height <= MAX_SIDE and 1 <= width <= MAX_SIDE):
        raise argparse.ArgumentTypeError("rows and columns must lie between 1 and %d" % MAX_SIDE)
    return height, width


def asked():
    """What the arguments ask for; an error names the verb's own options."""
    top = argparse.ArgumentParser(prog="viewer", description="shows games of bridgit")
    verbs = top.add_subparsers(dest="verb", required=True)
    for name in ("pictures", "page"):
        verb = verbs.add_parser(name)
        verb.add_argument("input", nargs=None if name == "pictures" else "?")
        verb.add_argument("answer", nargs="?")
    verb = verbs.add_parser("case", prog="harness play bridgit", add_help=False)
    verb.add_argument("--board", type=size, default=(5, 4), metavar="ROWSxCOLUMNS", help="rows x columns")
    mover = verb.add_mutually_exclusive_group()
    mover.add_argument("--first", action="store_true", default=True, help="you move first")
    mover.add_argument("--second", action="store_false", dest="first", help="the king moves first")
    verb.add_argument("--style", choices=STYLES, default="mixed", help="how the king plays what he has lost")
    verb.add_argument("--seed", type=int, choices=range(1000), default=0, metavar="0..999")
    found, unknown = top.parse_known_args()
    if unknown:
        verbs.choices[found.verb].error("no such option: %s" % ascii(unknown[0]))
    return found


def main():
    """Answer what is asked."""
    sys.stdout.reconfigure(encoding="utf-8")
    ask = asked()
    if ask.verb == "case":
        print(json.dumps(case_of(*ask.board, ask.first, ask.style, ask.seed)))
    elif ask.verb == "pictures":
        print(json.dumps(pictures(read_input(ask.input), read_game())))
    else:
        folder = os.path.dirname(os.path.abspath(__file__))
        print(page(folder, read_input(ask.input), read_input(ask.answer), read_game()))


if __name__ == "__main__":
    main()
