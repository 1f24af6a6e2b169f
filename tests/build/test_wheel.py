"""The wheel carries its launcher: where no C compiler is, programs are judged contained."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import TESTS

TOOLS = ("python3", "sh", "env", "cat")


@pytest.mark.slow
def test_the_wheel_judges_and_stresses_contained_in_an_empty_folder_without_a_compiler(tmp_path: Path) -> None:
    subprocess.run(["make", "wheel"], cwd=TESTS.parent, check=True, capture_output=True)
    [wheel] = (TESTS.parent / "dist").glob(f"*manylinux*{os.uname().machine}.whl")
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    pip = [tmp_path / "venv" / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", wheel]
    subprocess.run(pip, check=True)
    tools, work = tmp_path / "tools", tmp_path / "work"
    tools.mkdir()
    work.mkdir()
    for tool in TOOLS:
        found = shutil.which(tool, path="/usr/bin:/bin")
        assert found is not None
        (tools / tool).symlink_to(found)
    (work / "right.py").write_text("print(2 * int(input()))\n")
    (work / "wrong.py").write_text("n = int(input())\nprint(2 * n if n < 5 else 0)\n")
    (work / "1.in").write_text("3\n")
    (work / "1.out").write_text("6\n")

    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [tmp_path / "venv" / "bin" / "oj-harness", *arguments],
            cwd=work, env={"PATH": str(tools), "HOME": str(tmp_path)}, capture_output=True, text=True, check=False,
        )  # fmt: skip

    judged = call("test", "right.py")
    assert judged.returncode == 0, judged.stdout + judged.stderr
    assert "NOT ISOLATED" not in judged.stdout + judged.stderr
    assert "isolated (tier T" in judged.stdout
    stressed = call("stress", "wrong.py", "--brute", "right.py", "--shape", "n: 1..100", "--time", "20")
    assert stressed.returncode == 1, stressed.stdout + stressed.stderr
    assert "input (2 bytes" in stressed.stdout
