"""Control groups: the kernel's own cap on memory and processes of a worker's runs, if the judge may make groups.

Optional: the launcher measures and enforces every limit without them. They catch what happens between two polls, and
memory that no process's size shows (page tables, pipes). The launcher itself lives in the group, so that a run costs no
move.

A group belongs to the judge that holds a lock on its directory. A process id in its name would not do: a
judge in another PID namespace that shares the groups does not see our processes.
"""

import contextlib
import fcntl
import itertools
import os
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.sandbox.facts import MIB, Limits

_MOUNT = Path("/sys/fs/cgroup")
# Room for the launcher to see the limit exceeded and end the whole run before the kernel kills a single process.
_SLACK_BYTES = 256 * MIB
_LAUNCHER_PROCESSES = 8
_NUMBERS = itertools.count()
_NAME = re.compile(r"harness-[0-9]+-[0-9]+")
_OOM_KILLS = re.compile(rb"^oom_kill (\d+)$", re.MULTILINE)


class Cgroup:
    """The control groups of a worker: a single group with version 2, one each for memory and pids with version 1."""

    def __init__(self, directories: Sequence[Path], locks: Sequence[int]) -> None:
        """directories: newly made for this worker. locks: descriptors that hold a lock on each of them."""
        self._directories = directories
        self._locks = locks
        self._held: tuple[int, int] | None = None
        self._oom_kills = 0
        self._events = self._open_events()

    def join_descriptors(self) -> list[int]:
        """Open the files to which a process writes `0` to join; the caller closes them."""
        return [os.open(path / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC) for path in self._directories]

    def hold(self, limits: Limits) -> None:
        """Cap the next run somewhat above its limits, which the launcher enforces exactly."""
        caps = (limits.memory_bytes + _SLACK_BYTES, limits.threads + _LAUNCHER_PROCESSES)
        if caps != self._held:
            self._write("memory.max", caps[0])
            self._write("memory.limit_in_bytes", caps[0])
            self._write("pids.max", caps[1])
            self._held = caps

    def has_killed(self) -> bool:
        """Return whether the kernel has killed a process for its memory since the last call."""
        if self._events < 0:
            return False
        try:
            text = os.pread(self._events, 4096, 0)
        except OSError:  # another process removed the group: its cap is gone, the launcher's limits hold
            return False
        match = _OOM_KILLS.search(text)
        kills = int(match[1]) if match else 0
        before, self._oom_kills = self._oom_kills, kills
        return kills > before

    def remove(self) -> None:
        """Remove the groups. Their processes have ended, or are about to."""
        if self._events >= 0:
            os.close(self._events)
            self._events = -1
        for path in self._directories:
            for _ in range(50):
                with contextlib.suppress(OSError):
                    path.rmdir()
                if not path.exists():
                    break
                time.sleep(0.002)
        for lock in self._locks:
            os.close(lock)
        self._locks = ()

    def _open_events(self) -> int:
        for path in self._directories:
            for name in ("memory.events", "memory.oom_control"):
                with contextlib.suppress(OSError):
                    return os.open(path / name, os.O_RDONLY | os.O_CLOEXEC)
        return -1

    def _write(self, name: str, value: int) -> None:
        for path in self._directories:
            if (path / name).exists():
                with contextlib.suppress(OSError):  # below what the launcher uses already
                    (path / name).write_text(str(value))


def make_cgroup() -> Cgroup | None:
    """Make control groups below our own (version 2: or beside it). Return None if that is not allowed."""
    for parents in _candidates():
        made: list[Path] = []
        locks: list[int] = []
        try:
            name = f"harness-{os.getpid()}-{next(_NUMBERS)}"
            for parent in parents:
                _sweep(parent)
                path = parent / name
                path.mkdir()
                made.append(path)
                locks.append(_locked(path, fcntl.LOCK_EX))
                path.stat()  # a judge that sweeps may have removed it before it was locked
            return Cgroup(made, locks)
        except OSError:
            for path in made:
                with contextlib.suppress(OSError):
                    path.rmdir()
            for lock in locks:
                os.close(lock)
    return None


def _locked(path: Path, operation: int) -> int:
    """Open a directory and lock it. Raises OSError, BlockingIOError if another judge holds the lock."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, operation)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _candidates() -> Iterator[list[Path]]:
    """Yield the directories in which groups with both controllers can be made."""
    try:
        own = dict(_own_groups(Path("/proc/self/cgroup").read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return
    if "memory" in own and "pids" in own:
        yield [_MOUNT / name / own[name] for name in ("memory", "pids")]
    if "" in own:
        for parent in (_MOUNT / own[""], (_MOUNT / own[""]).parent):
            control = parent / "cgroup.subtree_control"
            with contextlib.suppress(OSError):
                if {"memory", "pids"} <= set(control.read_text(encoding="ascii").split()):
                    yield [parent]


def _own_groups(text: str) -> Iterator[tuple[str, str]]:
    """Parse /proc/self/cgroup into pairs of controller (version 2: "") and path without its leading slash."""
    for line in text.splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            yield controller, path.lstrip("/")


def _sweep(parent: Path) -> None:
    """Remove the groups of judges that were killed: they are empty and not locked."""
    for path in filter(lambda path: _NAME.fullmatch(path.name), parent.glob("harness-*")):
        with contextlib.suppress(OSError):
            lock = _locked(path, fcntl.LOCK_EX | fcntl.LOCK_NB)
            try:
                path.rmdir()
            finally:
                os.close(lock)
