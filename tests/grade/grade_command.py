"""Calling `harness grade` as its users do."""

import subprocess
import sys
from pathlib import Path

from command_line import harness

COUNTS = "print(int(input()) * 2)\n"
ADDS_ONE = "print(int(input()) + 1)\n"


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "harness", *map(str, arguments)]


def grade(*arguments: object, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    own = "XDG_CACHE_HOME" in environment or "--store" in arguments or arguments[0] != "grade"
    store = () if own else ("--store", cwd / "store.sqlite")  # tests leave none in the user's cache
    done = harness(*map(str, arguments), *map(str, store), cwd=cwd, **environment)
    assert "Traceback" not in done.stdout + done.stderr, done.stderr
    return done


def hand_ins(folder: Path, **sources: str) -> Path:
    """A folder of Python submissions."""
    folder.mkdir(exist_ok=True)
    for name, text in sources.items():
        (folder / f"{name}.py").write_text(text)
    return folder
