"""Temporary folders: gone with their owner, swept after one that was killed, left alone while anybody lives in them."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.files.temporary import _PURPOSES, temporary_folder

OWNER = """
from pathlib import Path
from harness.files.temporary import temporary_folder
with temporary_folder() as folder:
    (folder / "left").mkdir()
    print(folder, flush=True)
    input()
"""


@pytest.fixture
def parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that stands for /tmp."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path


def owner() -> tuple[subprocess.Popen[str], Path]:
    """Another process in a folder of its own that is said to be old."""
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    folder = Path(process.stdout.readline().strip())
    age(folder)
    return process, folder


def age(folder: Path) -> None:
    os.utime(folder, (time.time() - 3600,) * 2)


def sweep() -> None:
    with temporary_folder():
        pass


def test_folder_of_a_killed_owner_is_swept_by_the_next_and_not_before(parent: Path) -> None:
    process, folder = owner()
    sweep()
    assert (folder / "left").is_dir(), "its owner lives"
    process.kill()
    process.communicate()
    sweep()
    assert list(parent.iterdir()) == []


def test_folder_is_gone_at_the_end(parent: Path) -> None:
    process, _ = owner()
    process.communicate("\n")
    assert process.returncode == 0
    assert list(parent.iterdir()) == []


@pytest.mark.parametrize("purpose", ["probe", "deliver", "pdf"])
def test_folders_of_every_purpose_are_swept_after_a_killed_owner(parent: Path, purpose: str) -> None:
    left = parent / f"harness-{purpose}-left"
    left.mkdir()
    age(left)
    sweep()
    assert list(parent.iterdir()) == []


def test_every_folder_that_the_harness_makes_is_of_a_purpose_that_is_swept() -> None:
    harness = Path(__file__).parents[2] / "harness"
    texts = [path.read_text("utf-8") for path in harness.rglob("*.py")]
    purposes = {word for text in texts for word in re.findall(r'temporary_folder\("(\w+)"\)', text)}
    assert purposes and purposes <= set(_PURPOSES)
    assert not any('TemporaryDirectory(prefix="harness-' in text for text in texts)


def test_what_is_young_or_not_ours_is_left_alone(parent: Path) -> None:
    young, elsewhere, link = parent / "harness-stage-young", parent / "else", parent / "harness-stage-link"
    young.mkdir()
    elsewhere.mkdir()
    link.symlink_to(elsewhere)
    stranger = parent / "harness-stage-stranger"
    left = {young, elsewhere, link}
    if os.geteuid() == 0:
        stranger.mkdir()
        os.chown(stranger, 65534, 65534)
        left.add(stranger)
    for folder in left - {young, link}:
        age(folder)
    sweep()
    assert set(parent.iterdir()) == left
