"""The field's own tools, from PyPI, each in a virtual environment under $XDG_CACHE_HOME/harness/bench."""

import os
import subprocess
import venv
from pathlib import Path

COMMANDS = {"online-judge-tools": "oj", "problemtools": "verifyproblem", "bapctools": "bt"}
_PYTHON = "/usr/bin/python3"
LANGUAGES = f"""python3:
    compile: '{_PYTHON} -m py_compile {{files}}'
    run: '{_PYTHON} "{{mainfile}}"'
java:
    compile: 'javac -encoding UTF-8 -sourcepath {{path}} -d {{path}} {{files}}'
"""


def peer(package: str) -> Path:
    """The command of a peer, installed if need be."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "harness" / "bench" / package
    command = cache / "bin" / COMMANDS[package]
    if not command.exists():
        venv.create(cache, with_pip=True)
        subprocess.run([cache / "bin" / "pip", "install", "--quiet", package], check=True)
    return command


def write_languages(config: Path) -> None:
    """Tell problemtools, in a folder for XDG_CONFIG_HOME, of CPython and any Java: it would take PyPy and Java 21."""
    (config / "problemtools").mkdir(parents=True)
    (config / "problemtools" / "languages.yaml").write_text(LANGUAGES)
