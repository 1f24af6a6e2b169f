"""Completion with TAB: what it offers, what it imports, and that its table is that of the commands."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import TESTS
from harness.cli import completion, group

PROBLEMS = TESTS.parent / "problems"


def completed(words: str, cwd: Path, shell: str = "bash") -> list[str]:
    """What a shell is offered for the last of the words."""
    environment = {
        "_HARNESS_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - (not words.endswith(" "))),
    }
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "harness"],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert not imported & {"harness.package", "harness.sandbox", "rich", "yaml"}  # each would take too long
    return [line.partition(",")[2] for line in done.stdout.splitlines() if line.startswith("plain,")]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("harness ver", ["verify"]),
        ("harness judge soko", ["sokoban"]),
        ("harness judge sokoban faces.c", ["faces.cpp"]),
        ("harness judge sokoban accepted/faces.c", ["accepted/faces.cpp"]),
        ("harness judge --skip", ["--skip-missing-languages"]),
        ("harness judge --language kotl", ["kotlin"]),
        ("harness verify --only inp", ["inputs"]),
        ("harness play bridgit sample/1", ["sample/1"]),
        ("harness contest book", ["booklet"]),
        ("harness help statem", ["statement"]),
        ("harness help contest v", ["verify"]),
        ("harness help statement ", []),
        ("harness statement --lang ", []),
    ],
)
def test_names_are_completed_without_importing_a_command(words: str, offered: list[str]) -> None:
    assert completed(words, PROBLEMS)[:1] == offered


def test_within_a_package_its_submissions_are_offered_and_odd_names_are_not(tmp_path: Path) -> None:
    folder = tmp_path / "p" / "submissions" / "accepted"
    folder.mkdir(parents=True)
    (tmp_path / "p" / "problem.yaml").touch()
    for name in ("good.py", "bad\n.py"):
        (folder / name).touch()
    assert completed("harness judge ", tmp_path / "p") == ["accepted/good.py", "good.py"]


def test_table_is_that_of_the_commands() -> None:
    """To renew completions.json: write `json.dumps(completion.table_of(group), indent=1)` and a newline to it."""
    assert json.loads(completion.TABLE.read_text()) == completion.table_of(group)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_script(shell: str) -> None:
    environment = {**os.environ, "_HARNESS_COMPLETE": f"{shell}_source"}
    done = subprocess.run(
        [sys.executable, "-m", "harness"], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    if "bash" in done.stderr:
        pytest.skip("no bash here to ask for its version")
    assert "_HARNESS_COMPLETE" in done.stdout, done.stderr


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
@pytest.mark.parametrize(
    ("words", "offered"),
    [("judge sokoban fac", ["faces.cpp", "faces.py"]), ("verify sok", ["sokoban"]), ("judge my", [])],
)
def test_bash_offers_names_and_where_none_fits_its_own_files(
    words: str, offered: list[str], tmp_path: Path
) -> None:
    """The script that click gives to bash is run as bash runs it; `compopt` works only while a word is completed."""
    command = tmp_path / "harness"
    command.write_text(f"#!/bin/sh\nexec {shlex.quote(sys.executable)} -m harness\n")
    command.chmod(0o755)
    script = f"""
        compopt() {{ :; }}
        eval "$(_HARNESS_COMPLETE=bash_source harness)"
        COMP_WORDS=(harness {words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
        _harness_completion harness; echo "${{COMPREPLY[@]}}"
    """
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=PROBLEMS,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.split() == offered, done.stderr


def test_help_of_a_command_is_that_of_its_option() -> None:
    def text(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "harness", *words], capture_output=True, text=True, timeout=60, check=False
        )
        return done.stdout

    assert text("help", "list") == text("list", "--help")
    assert "Usage: harness contest list" in text("help", "contest", "list")
