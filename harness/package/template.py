"""The files of a new package: a small complete problem whose comments explain what belongs where."""

from collections.abc import Mapping
from pathlib import Path

# Each text holds several files, each after a line `==> path`.
_FOLDER = Path(__file__).with_name("new_package")
# First files of a task: its text, and the solution that makes the answers.
_TASKS = {"doubles": "doubles.cpp", "summands": "halves.cpp", "interactive": "halves.cpp"}


def template_files(
    *, title: str, identity: str, checker: bool = False, interactive: bool = False, groups: bool = False
) -> Mapping[str, str]:
    """Return the files of a new package by path. identity: its uuid.

    checker: several outputs may be right. interactive: the judge answers queries. groups: points by test group.
    """
    task = "interactive" if interactive else "summands" if checker else "doubles"
    kinds = [kind for kind, wanted in (("scoring", groups), ("interactive", interactive)) if wanted]
    most = 'int("{{max_n}}")'
    points = (
        f" In the first group, for 40 points, ${'x' if interactive else 'n'} \\le 4$; the second is for 60 points."
    )
    words = {
        "{title}": title,
        "{kind}": kinds[0] if len(kinds) == 1 else f"[{', '.join(kinds)}]" if kinds else "pass-fail",
        "{identity}": identity,
        "{solution}": _TASKS[task],
        "{most}": f"int(sys.argv[1]) if len(sys.argv) > 1 else {most}" if groups else most,
        "{points}": points if groups else "",
        "{answers}": f"its answer is {'empty: a dialogue has none' if interactive else 'what the solution prints'}",
    }
    files = {}
    for name in ("common", task, "groups" if groups else "recipe"):
        text = (_FOLDER / f"{name}.txt").read_text("utf-8")
        for word, value in words.items():
            text = text.replace(word, value)
        for part in text.split("==> ")[1:]:
            path, _, content = part.partition("\n")
            files[path] = content
    return files
