"""The store of a grading: an SQLite file (WAL), one transaction per case, so that a grader may be killed at any moment.

Each row has a digest of its content, since SQLite does not detect a changed byte within a value. A case or submission
whose digest does not match is judged again. `key` is a digest of everything that a result depends on: submission,
package, limits, isolation, the harness' sources (harness/grade/grading.py).

Only one grader at a time holds the store's lock, which the kernel releases when the grader ends, even if killed.
"""

import contextlib
import fcntl
import hashlib
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.errors import HarnessError, MachineError, UsageError
from harness.results.model import CaseResult, SubmissionResult
from harness.results.reading import read_value
from harness.store.memory import DAY_S, KEPT_DAYS, sealed_values, unsealed_values

APPLICATION_ID = 0x68726E73  # "hrns"
VERSION = 3
_HEADER_BYTES, _ID_AT = 100, 68
_PID_BYTES = 32
_LONGEST_NAME = 50
_REPORTS = "reports"
_LOCK = ".lock"
_TABLE = """
CREATE TABLE IF NOT EXISTS results (
  topic TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (topic, name)) WITHOUT ROWID;
"""


class Store:
    """An open store. Rows are written atomically and survive a killed process.

    repeat: the number of the repetition. demands: a digest of the requirements on the submission.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self.path = path

    def cases(self, key: str, repeat: int) -> dict[str, CaseResult]:
        """Return the results of a submission, by case name."""
        values = self._recall(f"cases {key} {repeat}")
        return {name: read_value(CaseResult, value, str(self.path)) for name, value in values.items()}

    def put_case(self, key: str, repeat: int, case: CaseResult) -> None:
        """Store the result of a case, replacing an earlier result."""
        self._keep(f"cases {key} {repeat}", case.name, case)

    def submission(self, key: str, repeat: int, demands: str) -> SubmissionResult | None:
        """Return the complete result of a submission under the same demands; None if it is not finished."""
        value = self._recall(f"submission {key} {repeat}").get(demands)
        return read_value(SubmissionResult, value, str(self.path)) if value is not None else None

    def put_submission(self, key: str, repeat: int, demands: str, result: SubmissionResult) -> None:
        """Store the complete result of a submission."""
        self._keep(f"submission {key} {repeat}", demands, result)

    def put_outline(self, index: int, outline: object) -> None:
        """Store a report's outline: its header and the keys of its submissions."""
        self._keep(_REPORTS, str(index), outline)

    def forget_outlines(self) -> None:
        """Delete the reports of the last grading."""
        self._write("DELETE FROM results WHERE topic = ?", _REPORTS)

    def outlines(self) -> list[Any]:
        """Return the reports of the last grading as JSON values, in order. Raises MachineError for a damaged one."""
        outlines = self._recall(_REPORTS)
        if len(outlines) < len(self._rows(_REPORTS)):
            raise MachineError(f"{self.path}: the store is damaged (a report in it was changed); {_ADVICE}")
        return [outlines[index] for index in sorted(outlines, key=int)]

    def _recall(self, topic: str) -> dict[str, Any]:
        """Return the undamaged values of a topic by name."""
        return unsealed_values(topic, self._rows(topic))

    def _keep(self, topic: str, name: str, value: object) -> None:
        """Store a value, replacing an earlier one."""
        sealed = sealed_values(topic, {name: value})
        self._write("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", topic, *sealed[0])

    def _rows(self, topic: str) -> list[tuple[str, str]]:
        with _reworded(self.path):
            rows = self._connection.execute("SELECT name, value FROM results WHERE topic = ?", [topic])
            return rows.fetchall()

    def _write(self, query: str, *values: object) -> None:
        with _reworded(self.path):
            self._connection.execute(query, values)


def default_store(cache: Path, folder: Path, name: str) -> Path:
    """Return the store of the gradings of a problem or a plan in a working directory: a file in the user's cache.

    It never lies in the directory itself, which strangers may have filled: what a store holds is believed.
    """
    key = hashlib.sha256(f"{folder.resolve()}\0{name}".encode(errors="surrogateescape")).hexdigest()
    return cache / "gradings" / f"{name[:_LONGEST_NAME]}-{key[:16]}.sqlite"


def remove_old_stores(folder: Path) -> None:
    """Remove the stores in a folder that no grading has opened for 90 days; their lock is written at each opening."""
    oldest_s = time.time() - KEPT_DAYS * DAY_S
    for path in folder.glob(f"*.sqlite{_LOCK}"):
        with contextlib.suppress(HarnessError, OSError):  # a grading holds it, or another process removed it
            if path.stat().st_mtime < oldest_s:
                store = path.with_name(path.name.removesuffix(_LOCK))
                with _locked(store):
                    _remove(store)
                    path.unlink()


@contextlib.contextmanager
def open_store(path: Path, *, fresh: bool = False, read_only: bool = False, mode: int = 0o644) -> Iterator[Store]:
    """Open the store at `path`; create it if it is missing. fresh: empty it first.

    read_only: it must exist; nothing is written, neither into it nor beside it.

    mode: of a new file; SQLite gives it to the files beside it.

    Raises UsageError if another grading has locked it or it is no store, MachineError if it is damaged or the disk is
    full.
    """
    if read_only and not path.is_file():
        raise UsageError(f"{path}: no such file")
    if path.exists() and not path.is_file():
        raise UsageError(f"{path}: is no file: name another one with --store FILE")
    _refuse_other_files(path)  # before the lock, which leaves a file beside the store
    with _locked_to_read(path) if read_only else _locked(path):
        if fresh:
            _remove(path)
        with _reworded(path):
            if not read_only:
                with contextlib.suppress(OSError):  # SQLite has better words for it
                    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, mode))
            # every statement is a transaction
            connection = sqlite3.connect(_uri(path, read_only=read_only), uri=True, isolation_level=None)
            connection.text_factory = lambda raw: raw.decode(errors="replace")  # damaged, as the digest then shows
        try:
            with _reworded(path):
                if not read_only:
                    _make_store(connection, path)
                _check(connection, path)
                if not read_only:
                    _make_table(connection)
            yield Store(connection, path)
        finally:
            with contextlib.suppress(sqlite3.Error):
                connection.close()


def _uri(path: Path, *, read_only: bool) -> str:
    """Return the store's address. What no killed grader has left half done is opened without a file beside it."""
    left = path.with_name(f"{path.name}-wal").exists()
    return path.absolute().as_uri() + ("" if not read_only else "?mode=ro" if left else "?immutable=1")


def _make_store(connection: sqlite3.Connection, path: Path) -> None:
    if path.stat().st_size == 0:
        connection.execute(
            f"PRAGMA application_id = {APPLICATION_ID}"
        )  # first, because it identifies the file as a store
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")


def _check(connection: sqlite3.Connection, path: Path) -> None:
    damage = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if damage != "ok":
        raise MachineError(f"{path}: the store is damaged ({damage}); {_ADVICE}")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version not in (0, VERSION):
        raise UsageError(f"{path}: written by another version of harness (store version {version}); {_ADVICE}")


def _make_table(connection: sqlite3.Connection) -> None:
    connection.executescript(_TABLE)
    connection.execute(f"PRAGMA user_version = {VERSION}")


_ADVICE = "begin anew with `harness grade --fresh`, or name another file with --store FILE"


def _refuse_other_files(path: Path) -> None:
    """Raise UsageError for an existing file that is no store, so that it is not overwritten by mistake."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEADER_BYTES)
    except FileNotFoundError:
        return
    except OSError as error:
        raise MachineError(f"{path}: cannot be read as a store: {error.strerror}") from error
    identity = int.from_bytes(head[_ID_AT : _ID_AT + 4], "big")
    if head and (not head.startswith(b"SQLite format 3\0") or identity != APPLICATION_ID):
        raise UsageError(
            f"{path}: not a store of harness (or damaged beyond that); it was left as it is. Remove it "
            "yourself, or name another file with --store FILE"
        )


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


@contextlib.contextmanager
def _reworded(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into a MachineError that names the file and the fix."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise MachineError(
            f"{path}: the store cannot be written or read: {error}. What was kept so far is safe; make room or fix "
            "permissions, then run the same command again: it goes on where it was"
        ) from error
    except sqlite3.DatabaseError as error:
        raise MachineError(f"{path}: the store is damaged ({error}); {_ADVICE}") from error


@contextlib.contextmanager
def _locked(store: Path) -> Iterator[None]:
    """Lock a store by a file beside it. Raises UsageError with the process id if another process holds the lock."""
    path = store.with_name(store.name + _LOCK)
    while True:
        descriptor = _opened_lock(path)
        try:
            _take_lock(descriptor, store)
            with contextlib.suppress(OSError):  # only for the message; a full disk must not stop the grading here
                os.ftruncate(descriptor, 0)
                os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
            if _is_at(path, descriptor):  # else it was removed meanwhile, with an old store
                yield
                return
        finally:
            os.close(descriptor)


def _opened_lock(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    except OSError as error:
        raise MachineError(
            f"could not write {path}: {error.strerror}; name another place with --store FILE"
        ) from error


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except OSError:
        return False


@contextlib.contextmanager
def _locked_to_read(store: Path) -> Iterator[None]:
    """Lock a store against gradings, without writing a file: where there is no lock, no grading holds it."""
    descriptor = None
    try:
        with contextlib.suppress(FileNotFoundError):
            path = store.with_name(store.name + _LOCK)
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError as error:
        raise MachineError(f"{path}: cannot be read: {error.strerror}") from error
    try:
        if descriptor is not None:
            _take_lock(descriptor, store, fcntl.LOCK_SH)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _take_lock(descriptor: int, store: Path, kind: int = fcntl.LOCK_EX) -> None:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = os.read(descriptor, _PID_BYTES).decode(errors="replace").strip() or "unknown"
        raise UsageError(
            f"{store}: another grading (process {holder}) writes into this store: wait for it, "
            "or give this one its own with --store FILE"
        ) from error
