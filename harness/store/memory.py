"""Cache results of earlier calls: JSON values by topic and name, in an SQLite table in the user's cache folder.

It only saves work: a missing or damaged value is computed again, and is never an error. Each `keep` is one transaction,
so a killed process loses no stored value; a crash of the machine may.
"""

import contextlib
import hashlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from harness.errors import MachineError, UsageError
from harness.results.as_json import as_json
from harness.results.reading import read_value
from harness.values import dataclass

Value = TypeVar("Value")
MEMORY = "memory.sqlite"
KEPT_DAYS = 90
_WAIT_S = 60.0  # longest wait for another process that writes
DAY_S = 86400
# The table's name has the layout's version: a new layout needs a new name.
_TABLE = """
CREATE TABLE IF NOT EXISTS memory_1 (
  topic TEXT NOT NULL, name TEXT NOT NULL, day INTEGER NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (topic, name)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS memory_1_day ON memory_1 (day);
"""


@dataclass(frozen=True, kw_only=True)
class Memory:
    """The cache in the file `path`, created by the first `keep`. Safe to share between threads and processes."""

    path: Path

    def recall(self, topic: str) -> dict[str, Any]:
        """Return the undamaged values of a topic by name."""
        if not self.path.is_file():
            return {}
        try:
            with self._open() as connection:
                rows = connection.execute("SELECT name, value FROM memory_1 WHERE topic = ?", [topic]).fetchall()
        except (sqlite3.Error, OSError):
            return {}
        return unsealed_values(topic, rows)

    def recall_as(self, kind: Any, topic: str) -> dict[str, Any]:
        """Return the values of a topic by name, without those that are no `kind`: another version wrote them."""
        values = {}
        for name, value in self.recall(topic).items():
            with contextlib.suppress(UsageError):
                values[name] = read_value(kind, value, f"{topic}: {name}")
        return values

    def remembered(
        self, topic: str, name: str, kind: Any, compute: Callable[[], Value], *, fresh: bool = False
    ) -> Value:
        """Return the stored value of a name; else compute and store it. kind: its type. fresh: always compute it."""
        values = {} if fresh else self.recall(topic)
        if name in values:
            with contextlib.suppress(UsageError):  # another version wrote it
                stored: Value = read_value(kind, values[name], f"{topic}: {name}")
                return stored
        value = compute()
        self.keep(topic, {name: value})
        return value

    def keep(self, topic: str, values: Mapping[str, object], *, alone: bool = False) -> None:
        """Store values by name in one transaction. alone: delete the topic's other values.

        Raises MachineError where the file cannot be written.
        """
        day = int(time.time() // DAY_S)
        rows = [(topic, name, day, value) for name, value in sealed_values(topic, values)]

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM memory_1 WHERE day < ?", [day - KEPT_DAYS])
            if alone:
                connection.execute("DELETE FROM memory_1 WHERE topic = ?", [topic])
            connection.executemany("INSERT OR REPLACE INTO memory_1 VALUES (?, ?, ?, ?)", rows)

        try:
            self._write(write)
        except (sqlite3.Error, OSError) as error:
            raise MachineError(
                f"{self.path}: cannot be written: {error}; make room, or set XDG_CACHE_HOME to a folder with space"
            ) from error

    def forget(self, topic: str) -> None:
        """Delete every value of a topic. Raises MachineError if the file cannot be written."""
        if self.path.is_file():
            self.keep(topic, {}, alone=True)

    def _write(self, work: Callable[[sqlite3.Connection], None]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with self._open() as connection:
                work(connection)
        except sqlite3.DatabaseError as error:
            if type(error) is not sqlite3.DatabaseError:  # for example, a full disk
                raise
            # It is no database, or its pages are damaged: create a new file.
            for suffix in ("", "-journal"):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
            with self._open() as connection:
                work(connection)

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open a connection with one transaction. Only a crash of the machine can damage the file."""
        connection = sqlite3.connect(self.path, timeout=_WAIT_S)
        try:
            connection.execute("PRAGMA synchronous = OFF")
            connection.executescript(_TABLE)
            with connection:
                yield connection
        finally:
            connection.close()


def memory_in(folder: Path) -> Memory:
    """Return the cache in the user's cache folder."""
    return Memory(path=folder / MEMORY)


def sealed_values(topic: str, values: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return rows (name, value) as ASCII texts; each value ends with a digest of the row."""
    texts = [(_json(name), _json(as_json(value))) for name, value in values.items()]
    return [(name, f"{text}\n{_digest(topic, name, text)}") for name, text in texts]


def unsealed_values(topic: str, rows: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return the values of rows by name, without rows whose digest does not match."""
    parts = ((name, *value.rpartition("\n")) for name, value in rows)
    return {
        json.loads(name): json.loads(text) for name, text, _, seal in parts if seal == _digest(topic, name, text)
    }


def _digest(*texts: str) -> str:
    return hashlib.sha256(repr(texts).encode(errors="surrogatepass")).hexdigest()[:32]


_json = json.JSONEncoder(separators=(",", ":")).encode
