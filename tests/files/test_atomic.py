"""Files are whole or not there; what is no file is written into, never replaced."""

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from harness.errors import MachineError, UsageError
from harness.files import atomic
from harness.store.database import open_store


def test_pipe_that_a_person_names_is_written_into_and_stays(tmp_path: Path) -> None:
    """Root that asks for `--json /dev/null` would otherwise leave a plain file in the place of the device."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    atomic.deliver(pipe, b"result\n")
    reader.join(60)
    assert read == [b"result\n"]
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1"])
def test_open_file_that_is_named_is_written_into(name: str, tmp_path: Path) -> None:
    assert atomic.is_stream(Path("/dev/null"))
    program = f"from harness.files import atomic; atomic.deliver(atomic.Path({name!r}), b'result')"
    with (tmp_path / "out").open("wb") as out:
        subprocess.run([sys.executable, "-c", program], stdout=out, check=True)
    assert (tmp_path / "out").read_bytes() == b"result"
    assert Path("/dev/stdout").is_symlink()


def test_file_and_link_are_replaced(tmp_path: Path) -> None:
    """A link that a stranger laid there leads to no file of ours."""
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "link").symlink_to("mine")
    atomic.deliver(tmp_path / "link", b"result")
    assert (tmp_path / "link").read_bytes() == b"result"
    assert (tmp_path / "mine").read_text() == "mine"


def test_a_hidden_report_stays_hidden_and_a_new_one_is_as_the_umask_says(tmp_path: Path) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.touch(mode=0o600)
    atomic.deliver(old, b"full")
    before = os.umask(0o027)
    try:
        atomic.deliver(new, b"full")
    finally:
        os.umask(before)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (old, new)] == [0o600, 0o640]


def test_full_device_is_an_error_with_words() -> None:
    with pytest.raises(MachineError, match="could not write /dev/full: No space left on device"):
        atomic.deliver(Path("/dev/full"), b"result")


@pytest.mark.parametrize("fresh", [False, True])
def test_device_is_no_store(fresh: bool, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(UsageError, match="name another one with --store FILE"), open_store(pipe, fresh=fresh):
        pass
    assert list(tmp_path.iterdir()) == [pipe]
