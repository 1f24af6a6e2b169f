"""The page to play on: one file without network; a judged game goes into it as data."""

import json
import os
import re

_PART = re.compile(r"/\* ([a-z]+\.(?:css|js)) \*/")


def page(folder, given, answer, game):
    """The page with `given` and `answer`, the files of a case, and `game`, a judged game; each may be empty."""
    text = _PART.sub(lambda found: read(folder, found[1]), read(folder, "page.html"))
    return text.replace('"DATA"', as_script({"input": given, "answer": answer, "game": game}), 1)


def read(folder, name):
    """The text of a file that lies beside this one."""
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read()


def as_script(value):
    """JSON that may stand in a script element, whatever strings it holds."""
    text = json.dumps(value)  # ASCII only
    for char in "<>&":
        text = text.replace(char, "\\u%04x" % ord(char))
    return text
