"""The tutorials are run: their files are written, their commands called, their output compared.

Numbers with a decimal point (seconds, MiB) and the width of columns may differ; a line `…` stands for any lines, and
`…` at the end of a line for its rest.
"""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from conftest import TESTS

PAGES = sorted((TESTS.parent / "docs" / "tutorial").glob("*.md"))
_BLOCK = re.compile(
    r"^(?:`(?P<file>[^`\n]+)`:\n\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
_END = "end-of-command"


def test_there_are_tutorials_for_three_kinds_of_users() -> None:
    assert [page.stem for page in PAGES] == ["ci", "contestant", "setter"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_of_a_tutorial_print_what_it_shows(page: Path, tmp_path: Path) -> None:
    folder = tmp_path
    for block in _BLOCK.finditer(page.read_text("utf-8")):
        if block["file"]:
            file = tmp_path / block["file"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block["text"], "utf-8")
        elif block["kind"] == "console":
            folder = run_and_compare(block["text"], folder)


def run_and_compare(console: str, folder: Path) -> Path:
    """Run the commands of a block in one shell, compare what each prints; return the folder where it ends."""
    shown = [part.split("\n", 1) for part in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]]
    script = "".join(f"{command}\nstatus=$?; echo {_END}; (exit $status)\n" for command, _ in shown) + "pwd\n"
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )
    *printed, end = done.stdout.split(f"{_END}\n")
    for (command, expected), actual in zip(shown, printed, strict=True):
        assert fits(expected.splitlines(), actual.splitlines()), f"$ {command}\n{actual}{done.stderr}"
    return Path(end.strip())


def words_of(line: str) -> list[str]:
    return [re.sub(r"\d+\.\d+", "#", word) for word in line.split()]


def fits(expected: Sequence[str], actual: Sequence[str]) -> bool:
    """Whether the printed lines are those of the page."""
    if not expected:
        return not [line for line in actual if line.strip()]
    if expected[0] == "…":
        return any(fits(expected[1:], actual[start:]) for start in range(len(actual) + 1))
    if not actual:
        return False
    wanted, printed = words_of(expected[0]), words_of(actual[0])
    if wanted[-1:] == ["…"]:
        wanted, printed = wanted[:-1], printed[: len(wanted) - 1]
    return wanted == printed and fits(expected[1:], actual[1:])
