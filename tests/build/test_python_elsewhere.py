"""Everything that starts Python works with an interpreter outside /usr: pyenv's, conda's, a CI runner's tool cache."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import reachable
from harness.build.languages import load_table
from harness.build.toolchains import find_toolchain

WRONG = "n = int(input())\nprint(2 * n if n < 9 else 0)\n"


@pytest.fixture(scope="session")
def path_with_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PATH whose python3 is a copy of the interpreter's file, which finds its library where it was built for."""
    root = tmp_path_factory.mktemp("tools")
    reachable(root)
    found = find_toolchain(load_table(())["python3"], search_path="/usr/bin", as_other_user=os.geteuid() == 0)
    copy = root / "python" / "bin" / "python3"
    copy.parent.mkdir(parents=True)
    shutil.copyfile(found.paths["python3"].resolve(), copy)
    copy.chmod(0o755)
    return f"{copy.parent}:{os.environ['PATH']}"


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("packages"), "pass-fail")


def made(folder: Path, kind: str) -> Path:
    subprocess.run(
        [sys.executable, "-m", "harness", "new", "mine", *(["--interactive"] if kind == "interactive" else [])],
        cwd=folder,
        check=True,
    )
    return folder / "mine"


def harness(path: str, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "harness", *map(str, arguments)],
        env={**os.environ, "PATH": path},
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_is_found(path_with_python: str, package: Path) -> None:
    folder = path_with_python.split(":", maxsplit=1)[0]
    assert f"{folder}/python3" in harness(path_with_python, "doctor", cwd=package).stdout


@pytest.mark.parametrize("part", ["inputs", "outputs", "bounds", "submissions"])
def test_verify(part: str, path_with_python: str, package: Path) -> None:
    done = harness(path_with_python, "verify", ".", "--only", part, cwd=package)
    assert done.returncode == 0, done.stdout + done.stderr


def test_stress(path_with_python: str, package: Path, tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(WRONG)
    done = harness(path_with_python, "stress", package, "wrong.py", "--time", "30", cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Wrong answer" in done.stdout


def test_interactive(path_with_python: str, tmp_path: Path) -> None:
    done = harness(path_with_python, "judge", ".", cwd=made(tmp_path, "interactive"))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_mutate(path_with_python: str, package: Path) -> None:
    done = harness(path_with_python, "mutate", ".", "--sample", "3", "--inputs", "50", cwd=package)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert "killed" in done.stdout
