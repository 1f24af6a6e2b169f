"""Control groups are swept when their judge was killed, and never while it lives."""

import fcntl
import os
from pathlib import Path

import pytest

from harness.sandbox import cgroup


@pytest.fixture
def parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in the place of the kernel's, in which every judge here makes its groups."""
    monkeypatch.setattr(cgroup, "_candidates", lambda: iter([[tmp_path]]))
    return tmp_path


def groups(parent: Path) -> set[str]:
    return {path.name for path in parent.iterdir()}


def test_a_group_whose_judge_has_no_process_that_we_see_is_kept_while_its_lock_is_held(
    parent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with a judge in another PID namespace: its process id means nothing here."""
    monkeypatch.setattr(os, "getpid", lambda: 2**22 + 1)
    theirs = cgroup.make_cgroup()
    assert theirs is not None
    monkeypatch.undo()
    monkeypatch.setattr(cgroup, "_candidates", lambda: iter([[parent]]))
    ours = cgroup.make_cgroup()
    assert ours is not None
    assert len(groups(parent)) == 2
    theirs.remove()
    ours.remove()
    assert not groups(parent)


def test_the_group_of_a_killed_judge_is_removed(parent: Path) -> None:
    (parent / f"harness-{os.getpid()}-123456").mkdir()
    ours = cgroup.make_cgroup()
    assert ours is not None
    assert groups(parent) != {f"harness-{os.getpid()}-123456"}
    assert len(groups(parent)) == 1
    ours.remove()


def test_groups_that_others_have_named_are_kept(parent: Path) -> None:
    (parent / "harness-of-somebody-else").mkdir()
    ours = cgroup.make_cgroup()
    assert ours is not None
    ours.remove()
    assert groups(parent) == {"harness-of-somebody-else"}


def test_a_group_that_was_swept_before_it_was_locked_is_given_up(
    parent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = fcntl.flock

    def sweep_first(descriptor: int, operation: int) -> None:
        for path in parent.iterdir():
            path.rmdir()
        lock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", sweep_first)
    assert cgroup.make_cgroup() is None


@pytest.mark.skipif(not Path("/sys/fs/cgroup").is_dir(), reason="this machine has no control groups")
def test_a_group_that_somebody_removed_has_killed_nobody() -> None:
    """The kernel answers ENODEV to who reads the file of a removed group."""
    ours = cgroup.make_cgroup()
    if ours is None:
        pytest.skip("no control group can be made here")
    for path in ours._directories:
        path.rmdir()
    assert not ours.has_killed()
    ours.remove()
