"""The page to play on: one file without network; a judged game goes into it as data."""

import json
import os

PARTS = ("page.css", "engine.js", "words.js", "page.js")


def page(folder, given, game):
    """The page with `given`, the input of a case, and `game`, a judged game, either of which may be empty."""
    with open(os.path.join(folder, "page.html"), encoding="utf-8") as file:
        text = file.read()
    for name in PARTS:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = text.replace("/* %s */" % name, file.read(), 1)
    return text.replace('"DATA"', as_script({"input": given, "game": game}), 1)


def as_script(value):
    """JSON that may stand in a script element, whatever strings it holds."""
    text = json.dumps(value)  # ASCII only
    for char in "<>&":
        text = text.replace(char, "\\u%04x" % ord(char))
    return text
