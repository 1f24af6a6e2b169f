"""The files of a new package: a small complete problem whose comments explain what belongs where."""

from collections.abc import Mapping
from pathlib import Path

KINDS = ("pass-fail", "scoring", "interactive")
# Each text holds several files, each after a line `==> path`. Later texts add to the earlier ones.
_TEXTS = {
    "pass-fail": ("common", "doubles", "pass-fail"),
    "scoring": ("common", "doubles", "scoring"),
    "interactive": ("common", "interactive"),
}
_FOLDER = Path(__file__).with_name("new_package")


def template_files(kind: str, *, title: str, identity: str) -> Mapping[str, str]:
    """The files of a new package by path. identity: its uuid."""
    files = {}
    for name in _TEXTS[kind]:
        text = (_FOLDER / f"{name}.txt").read_text("utf-8")
        for word, value in (("{title}", title), ("{kind}", kind), ("{identity}", identity)):
            text = text.replace(word, value)
        for part in text.split("==> ")[1:]:
            path, _, content = part.partition("\n")
            files[path] = content
    return files
