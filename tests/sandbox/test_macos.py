"""The plain tier needs nothing that only Linux has: neither /proc nor a name, call or kind of socket."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import DOUBLE, reachable

from .programs import as_on_macos

ROOT = Path(__file__).parents[2]
RIGHT = '#include <cstdio>\nint main() { long long n; scanf("%lld", &n); printf("%lld\\n", 2 * n); }\n'
WRONG = "n = int(input())\nprint(2 * n if n < 5 else 0)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    reachable(tmp_path)
    (tmp_path / "right.cpp").write_text(RIGHT)
    (tmp_path / "wrong.py").write_text(WRONG)
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "sample-1.in").write_text("3\n")
    (tmp_path / "test" / "sample-1.out").write_text("6\n")
    return tmp_path


def on_macos(*arguments: str | Path, folder: Path) -> tuple[int, str]:
    home = folder / "home"
    home.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, as_on_macos.__file__, "harness", *map(str, arguments)],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "AS_ON_MACOS": str(as_on_macos.interpreter(folder)),
            "XDG_CACHE_HOME": str(home),
        },
        capture_output=True,
        text=True,
        timeout=200,
    )
    output = done.stdout + done.stderr
    assert "Traceback" not in output, output
    return done.returncode, output


def test_macos_is_said_to_contain_nothing(folder: Path) -> None:
    code, output = on_macos("test", "right.cpp", folder=folder)
    assert code == 0, output
    assert "NOT ISOLATED" in output and "on Linux only" in output
    assert "apt install" not in output and "T3" not in output  # the launcher is not even compiled


def test_isolation_is_refused_where_there_is_none(folder: Path) -> None:
    code, output = on_macos("test", "right.cpp", "--isolation", "strict", folder=folder)
    assert code == 2 and "on Linux only" in output, output


@pytest.mark.parametrize(("name", "code"), [("right.cpp", 0), ("wrong.py", 1)])
def test_judge_with_its_validators(name: str, code: int, folder: Path) -> None:
    seen, output = on_macos("judge", DOUBLE, name, folder=folder)
    assert seen == code and "NOT ISOLATED" in output, output


@pytest.mark.parametrize("package", ["judge_multi_pass", "judge_interactive_multi_pass"])
def test_validators_in_python_start_without_a_warm_interpreter(package: str, folder: Path) -> None:
    root = DOUBLE.parent / package
    accepted = next((root / "submissions" / "accepted").iterdir())
    code, output = on_macos("judge", root, accepted, folder=folder)
    assert code == 0 and "NOT ISOLATED" in output, output


def test_stress_finds_the_smallest_input(folder: Path) -> None:
    code, output = on_macos(
        "stress",
        "wrong.py",
        "--brute",
        "right.cpp",
        "--shape",
        "(1..20)",
        "--search-time",
        "10",
        folder=folder,
    )
    assert code == 1 and "NOT ISOLATED" in output, output


@pytest.mark.parametrize("command", [("doctor",), ("list", DOUBLE), ("--help",)])
def test_commands_that_judge_nothing_end_well(command: tuple[str | Path, ...], folder: Path) -> None:
    code, output = on_macos(*command, folder=folder)
    assert code in (0, 1), output


@pytest.mark.slow
def test_every_name_that_the_sources_use_exists_on_macos() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--platform", "darwin", "--cache-dir", ".mypy_cache/darwin"],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
