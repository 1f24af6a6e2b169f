"""A harness whose own sources changed does not trust what an earlier one has kept."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from grade_command import COUNTS, command, hand_ins

import harness
from conftest import DOUBLE
from harness.store.identity import harness_identity

SOURCES = Path(harness.__file__).parent
CHANGED = "check/classify.py"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the harness, of which a test may change the sources."""
    target = tmp_path / "sources" / "harness"
    shutil.copytree(SOURCES, target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


def change(source: Path) -> None:
    """Change a source, but neither its size nor its date, as a checkout with old dates may."""
    status = source.stat()
    text = source.read_text()
    source.write_text(text.replace("a", "b", 1))
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_changed_source_changes_the_identity_of_the_harness_and_of_its_room_only(copy: Path) -> None:
    def identities() -> list[str]:
        harness_identity.cache_clear()
        return [harness_identity(room, folder=copy) for room in ("", "check", "build")]

    before = identities()
    assert identities() == before
    shutil.copytree(copy, copy.parent / "moved" / "harness")
    assert harness_identity(folder=copy.parent / "moved" / "harness") == before[0]
    change(copy / CHANGED)
    after = identities()
    assert [one == other for one, other in zip(before, after, strict=True)] == [False, False, True]


def test_compiled_files_beside_the_sources_change_nothing(copy: Path) -> None:
    before = harness_identity(folder=copy)
    (copy / "check" / "__pycache__").mkdir()
    (copy / "check" / "__pycache__" / "classify.pyc").write_bytes(b"x")
    harness_identity.cache_clear()
    assert harness_identity(folder=copy) == before


def test_changed_source_makes_grade_judge_again(copy: Path, tmp_path: Path) -> None:
    folder = hand_ins(tmp_path / "subs", a=COUNTS)
    environment = {**os.environ, "PYTHONPATH": str(copy.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    whose = [sys.executable, "-c", "import harness; print(harness.__file__)"]
    imported = subprocess.run(whose, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert Path(imported.stdout.strip()).parent == copy

    def trusts_the_store() -> bool:
        called = command("grade", DOUBLE, folder, "--store", "s.sqlite")
        done = subprocess.run(called, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return "results were in s.sqlite already" in done.stdout + done.stderr

    assert not trusts_the_store()
    assert trusts_the_store()
    with (copy / CHANGED).open("a") as source:
        source.write("# a fix\n")
    assert not trusts_the_store()
    assert trusts_the_store()
