"""Reserve a user id for the programs of each worker, so that no two judges of a machine share a user id.

At T2 a run is ended by `kill(-1)` as its user, which would end the programs of a judge with the same id. A reservation
is a lock on a file that only root can open. It holds across namespaces, as long as the judges share the directory, and
until nobody has the file open: the judge, and the launcher that may outlive it for a moment.
"""

import contextlib
import fcntl
import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from harness.errors import MachineError

FIRST_UID = 61000  # up to 61183 no distribution and no systemd gives these to anybody
UIDS = 184
PROGRAMS_GID = (
    61183  # every program that runs as one of these users is in this group; launcher.c has the same number
)
# The first that is usable: where users may write, somebody else may have made it. The last is for macOS.
DIRECTORIES = (Path("/run/harness"), Path("/dev/shm/harness"), Path("/var/run/harness"))  # noqa: S108


def claim_uid(worker: int) -> tuple[int, io.FileIO | None]:
    """Reserve a user id for the programs of a worker, which no other judge and no process uses.

    Returns the id and the locked file, to be kept open as long as the id is used. The id is 0 if programs run as our
    own user: we are not root, or the root of a user namespace without other users (`unshare -r`).

    Raises MachineError if every id is taken, or no directory for reservations is usable.
    """
    if os.geteuid() != 0 or not _is_mapped(FIRST_UID + UIDS - 1):
        return 0, None
    directory = _directory()
    for step in range(UIDS):
        uid = FIRST_UID + (worker + step) % UIDS
        lock = _locked(directory / f"uid-{uid}")
        if lock is None:
            continue
        if not _has_processes(uid):
            return uid, lock
        lock.close()
    raise MachineError(f"the user ids {FIRST_UID} to {FIRST_UID + UIDS - 1} are all taken: too many workers")


@contextlib.contextmanager
def open_to_programs(folder: Path) -> Iterator[None]:
    """Let the programs of sandboxes, and no other user, pass through `folder`. Its contents may be open to all.

    Inside the `with` they are, whatever the umask of the judge's shell. No effect unless we are root, as programs then
    run as our own user. Raises MachineError when root may not do it.
    """
    if os.geteuid() != 0 or not _is_mapped(FIRST_UID + UIDS - 1):
        yield
        return
    try:
        os.chown(folder, -1, PROGRAMS_GID)
        folder.chmod(0o710)
    except OSError as error:
        raise MachineError(f"{folder}: cannot be given to the group of the programs: {error.strerror}") from error
    before = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(before)


def _directory() -> Path:
    """Return the directory of reservations, made if need be; only root may open anything in it."""
    refused = []
    for directory in DIRECTORIES:
        try:
            directory.mkdir(mode=0o700, exist_ok=True)
            status = directory.lstat()
        except OSError as error:
            refused.append(f"{directory}: {error.strerror}")
            continue
        if stat.S_ISDIR(status.st_mode) and status.st_uid == 0 and not status.st_mode & 0o077:
            return directory
        refused.append(f"{directory}: must be a directory of root with mode 0700")
    raise MachineError(f"no user ids can be reserved for programs: {'; '.join(refused)}; make one of them usable")


def _locked(path: Path) -> io.FileIO | None:
    """Open and lock a file; return None when another process has locked it."""
    try:
        file = io.FileIO(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600), "r+")
    except OSError as error:
        raise MachineError(f"{path}: {error.strerror}; user ids for programs are reserved there") from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    except OSError as error:
        file.close()
        raise MachineError(f"{path}: {error.strerror}; user ids for programs are reserved there") from error
    return file


def _has_processes(uid: int) -> bool:
    """Whether a process of this user exists: of a killed judge, or of a judge with another directory."""
    try:
        os.getpriority(os.PRIO_USER, uid)
    except ProcessLookupError:
        return False
    return True


def _is_mapped(uid: int) -> bool:
    try:
        lines = Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines()
    except OSError:
        return True
    ranges = (tuple(map(int, line.split())) for line in lines)
    return any(first <= uid < first + count for first, _, count in ranges)
