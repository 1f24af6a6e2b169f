"""Call `harness` as its users do, in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

from conftest import TESTS


def harness(*arguments: str | Path, cwd: Path = TESTS, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "harness", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def said(done: subprocess.CompletedProcess[str]) -> str:
    output = done.stdout + done.stderr
    assert "Traceback" not in output, output
    return output
