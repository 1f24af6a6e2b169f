"""Files that are written again in place."""

import errno
import os
from pathlib import Path

import pytest

from harness.errors import MachineError
from harness.sandbox.streams import open_emptied, rewrite


@pytest.mark.parametrize("content", [b"longer than before", b"short", b""])
def test_a_file_that_is_rewritten_holds_just_the_new_content(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "case.in"
    for text in (b"as before", content):
        rewrite(path, text)
    assert path.read_bytes() == content


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    target, path = tmp_path / "target", tmp_path / "case.in"
    target.write_bytes(b"kept")
    path.symlink_to(target)
    with pytest.raises(OSError, match=r"case\.in"):
        rewrite(path, b"changed")
    assert target.read_bytes() == b"kept"


def test_no_room_for_a_file_is_said_with_its_mend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(MachineError, match=r"case\.in: No space left on device; set TMPDIR"):
        rewrite(tmp_path / "case.in", b"input")


@pytest.mark.parametrize("before", [None, b"", b"longer than now"])
def test_a_file_that_is_opened_again_is_empty(before: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "stdout"
    if before is not None:
        path.write_bytes(before)
    descriptor = open_emptied(path)
    assert path.read_bytes() == b""
    os.write(descriptor, b"now")
    os.close(descriptor)
    assert path.read_bytes() == b"now"
