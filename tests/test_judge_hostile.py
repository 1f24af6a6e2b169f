"""What a hostile validator or package leaves behind stops nobody, and what cannot be done is said in one line."""

import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from harness import tidy
from harness.check import Feedback, FeedbackRules
from harness.errors import JudgeError, UsageError
from harness.judge.answers import answers_of
from harness.languages import config_files, load_table
from harness.package import Program
from harness.package.files import File

DEEP = 1500


def nest(folder: Path, depth: int) -> None:
    """Folders in folders, deeper than a path may be long."""
    step = "os.mkdir('d' * 9), os.chdir('d' * 9)"
    program = f"import os, sys\nfor _ in range(int(sys.argv[1])): {step}"
    subprocess.run([sys.executable, "-c", program, str(depth)], cwd=folder, check=True)


def test_folders_nested_deeper_than_recursion_and_paths_go_are_removed(tmp_path: Path) -> None:
    root = tmp_path / "feedback"
    root.mkdir()
    nest(root, DEEP)
    tidy.remove(root)
    assert not root.exists()


def test_walking_nested_folders_needs_one_descriptor(tmp_path: Path) -> None:
    nest(tmp_path, DEEP)
    before = len(list(Path("/proc/self/fd").iterdir()))
    assert sum(1 for _ in tidy.walk(tmp_path)) == DEEP + 1
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    tidy.empty(tmp_path)


def test_links_pipes_and_locked_folders_are_removed_and_nothing_behind_a_link_is(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "feedback"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    (root / "locked" / "inner").mkdir(parents=True)
    (root / "folder").symlink_to(outside)
    (root / "file").symlink_to(outside / "kept")
    os.mkfifo(root / "locked" / "pipe")
    (root / "locked").chmod(0)
    tidy.remove(root)
    assert not root.exists() and (outside / "kept").read_text() == "kept"


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_feedback_that_is_no_regular_file_is_not_read(kind: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("1")
    folder = tmp_path / "feedback"
    folder.mkdir()
    path = folder / "nextpass.in"
    {"link": lambda: path.symlink_to(secret), "pipe": lambda: os.mkfifo(path), "folder": path.mkdir}[kind]()
    feedback = Feedback(name=Path("check.py"), folder=folder, rules=FeedbackRules(multi_pass=True))
    with pytest.raises(JudgeError, match=r"check\.py: nextpass\.in is no regular file"):
        feedback.next_pass(tmp_path / "given")


def test_a_next_pass_over_the_limit_is_a_judge_error(tmp_path: Path) -> None:
    (tmp_path / "nextpass.in").write_bytes(b"x" * 101)
    rules = FeedbackRules(multi_pass=True, most_input_bytes=100)
    with pytest.raises(JudgeError, match="larger than 100 bytes"):
        Feedback(name=Path("check.py"), folder=tmp_path, rules=rules).next_pass(tmp_path / "given")


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_a_harness_toml_that_is_no_file_is_refused(make: object, tmp_path: Path) -> None:
    make(tmp_path / "harness.toml")  # type: ignore[operator]
    with pytest.raises(UsageError, match=r"harness\.toml: no file that can be read"):
        load_table(config_files(tmp_path, tmp_path / "none.toml"))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_answers_whose_packing_has_no_bound_are_not_unpacked(method: int) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        archive.writestr("1.out", b"0" * 100_000)
    content = bytearray(packed.getvalue())
    content[40:60] = b"\xff" * 20  # what LZMA says of this is no error of zipfile
    program = Program(path="a.zip", files={"a.zip": File(origin=Path("a.zip"), content=bytes(content))})
    answers = answers_of(program)
    assert not isinstance(answers, str)
    assert answers.by_name["1.out"](100).startswith(b"unreadable in the zip")
