"""Everything that starts Python works with an interpreter outside /usr: pyenv's, conda's, a CI runner's tool cache."""

import os
import shutil
from pathlib import Path

import pytest

from command_line import harness
from conftest import reachable
from harness.build import toolchains
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
    return made(tmp_path_factory.mktemp("packages"))


def made(folder: Path, *options: str) -> Path:
    assert harness("new", "mine", *options, cwd=folder).returncode == 0
    return folder / "mine"


def test_it_is_found(path_with_python: str, package: Path) -> None:
    folder = path_with_python.split(":", maxsplit=1)[0]
    assert f"{folder}/python3" in harness("doctor", cwd=package, PATH=path_with_python).stdout


@pytest.mark.parametrize("part", ["inputs", "outputs", "bounds", "submissions"])
def test_verify(part: str, path_with_python: str, package: Path) -> None:
    done = harness("verify", ".", "--only", part, cwd=package, PATH=path_with_python)
    assert done.returncode == 0, done.stdout + done.stderr


def test_stress(path_with_python: str, package: Path, tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(WRONG)
    done = harness("stress", package, "wrong.py", "--time", "30", cwd=tmp_path, PATH=path_with_python)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Wrong answer" in done.stdout


def test_interactive(path_with_python: str, tmp_path: Path) -> None:
    done = harness("judge", ".", cwd=made(tmp_path, "--interactive"), PATH=path_with_python)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_mutate(path_with_python: str, package: Path) -> None:
    done = harness("mutate", ".", "--sample", "3", "--inputs", "50", cwd=package, PATH=path_with_python)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert "killed" in done.stdout


def test_a_shim_is_not_asked_in_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A `.python-version` or `rust-toolchain.toml` there would choose what judges."""
    shim = tmp_path / "python3"
    shim.write_text('#!/bin/sh\n[ "$(pwd)" = / ] && echo /bin/sh\n')
    shim.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    assert toolchains._asked(shim) == Path("/bin/sh")
