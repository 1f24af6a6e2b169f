"""Call `harness` as its users do: in a process of its own, or, ten times as fast, in this one."""

import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from conftest import TESTS
from harness.cli import group
from harness_server import HarnessServer

TIMEOUT_S = 120
_running: list[HarnessServer] = []
_FRESH = ("PYTHON", "LC_", "LANG")  # what only an interpreter that starts reads


def harness(*arguments: str | Path, cwd: Path = TESTS, **environment: str) -> subprocess.CompletedProcess[str]:
    words, known = list(map(str, arguments)), {**os.environ, **environment}
    if not any(name.startswith(_FRESH) for name in environment):
        return _server().run(words, cwd, known, TIMEOUT_S)
    return subprocess.run(
        [sys.executable, "-m", "harness", *words],
        cwd=cwd,
        env=known,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )


def _server() -> HarnessServer:
    if not _running or not _running[0].is_usable:
        _running[:] = [HarnessServer()]
    return _running[0]


def said(done: subprocess.CompletedProcess[str]) -> str:
    output = done.stdout + done.stderr
    assert "Traceback" not in output, output
    return output


def invoke(*words: str | Path, given: bytes | None = None) -> Result:
    """Call `harness` in this process."""
    return CliRunner().invoke(group, list(map(str, words)), input=given, standalone_mode=False)


def outcome(*words: str | Path, given: bytes | None = None) -> tuple[int, str]:
    """Call `harness` in this process; return its exit code and all that it prints, or raise its error."""
    result = invoke(*words, given=given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.return_value or 0, result.output
