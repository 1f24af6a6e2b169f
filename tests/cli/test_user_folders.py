"""Where compiled programs are kept for users whose home cannot be written; and output whose reader leaves."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import DOUBLE
from harness.cli.environment import cache_folder
from harness.errors import MachineError


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home that is a file, so that nothing can be made below it, and a folder for temporary files."""
    (tmp_path / "home").touch()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_without_a_home_that_can_be_written_programs_are_kept_with_temporary_files(temporary: Path) -> None:
    folder = cache_folder()
    assert folder.parent == temporary
    assert folder.stat().st_mode & 0o777 == 0o700
    assert cache_folder() == folder


def test_a_folder_that_others_can_fill_is_refused(temporary: Path) -> None:
    cache_folder().chmod(0o777)
    with pytest.raises(MachineError, match="XDG_CACHE_HOME"):
        cache_folder()


def test_a_link_in_the_place_of_the_folder_is_refused(temporary: Path) -> None:
    (temporary / "mine").mkdir(mode=0o700)
    (temporary / f"harness-{os.geteuid()}").symlink_to(temporary / "mine")
    with pytest.raises(MachineError, match="XDG_CACHE_HOME"):
        cache_folder()


@pytest.mark.parametrize("words", [["--help"], ["judge", "--help"], ["list"]], ids=" ".join)
def test_a_reader_that_leaves_is_no_verdict(words: list[str]) -> None:
    """Exit 1 would say that something is not as expected; click's own answer to a broken pipe is 1."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([sys.executable, "-m", "harness", *words], stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (done.returncode, done.stderr) == (2, b"")


@pytest.mark.parametrize(
    "words", [["--help"], ["list"], ["statement", str(DOUBLE), "-o", "-"]], ids=lambda words: words[0]
)
def test_output_that_cannot_be_written_is_said_and_is_no_verdict(words: list[str]) -> None:
    """Without care Python ends with 120 and a complaint of its own."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "harness", *words], stdout=full, stderr=subprocess.PIPE, env=environment
        )
    assert (done.returncode, done.stderr) == (2, b"error: standard output: No space left on device\n")
