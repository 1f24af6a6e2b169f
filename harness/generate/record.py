"""Read and write the lock (the sha256 of each data file) and the record of a build (a digest of each file's sources).

Both are with the data, not in the user's cache, so that edited files are noticed on any machine
(docs/decisions/0008-two-memories.md).
"""

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path

from harness.files import atomic
from harness.package.files import File, is_legal
from harness.values import dataclass

RECORD = ".build.json"


def digest_of(path: Path) -> str | None:
    """Return the sha256 of a file; None if there is none."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None


def read_lock(lock: File | None) -> dict[str, str] | None:
    """Read the digests by path below data/; None without a lock file."""
    if lock is None:
        return None
    text = lock.read().decode("utf-8", errors="surrogateescape")
    lines = (line.split("  ", 1) for line in text.splitlines() if line)
    return {parts[1]: parts[0] for parts in lines if len(parts) == 2}


def write_lock(path: Path, digests: Mapping[str, str]) -> None:
    """Write the lock, sorted, in the format of `sha256sum`."""
    atomic.write(path, "".join(f"{digest}  {name}\n" for name, digest in sorted(digests.items())).encode())


@dataclass(frozen=True, kw_only=True)
class Drift:
    """How the built data differs from the lock."""

    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.changed or self.added or self.missing)

    def items(self) -> Iterator[tuple[str, str]]:
        """Yield each difference as (changed, added or missing; file)."""
        for kind, names in (("changed", self.changed), ("added", self.added), ("missing", self.missing)):
            yield from ((kind, name) for name in names)


def compare(built: Mapping[str, str], locked: Mapping[str, str]) -> Drift:
    """Compare the built digests with the lock."""
    return Drift(
        changed=tuple(sorted(name for name in built.keys() & locked.keys() if built[name] != locked[name])),
        added=tuple(sorted(built.keys() - locked.keys())),
        missing=tuple(sorted(locked.keys() - built.keys())),
    )


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(text, str) for text in value)


@dataclass(kw_only=True)
class BuildRecord:
    """The sources and content of each file: `made[path] = [key, sha256]`; key: a digest of its sources. Thread-safe.

    written: number of files made by this build.
    """

    made: dict[str, list[str]] = field(default_factory=dict)
    written: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def read(cls, path: Path) -> "BuildRecord":
        try:
            stored = json.loads(path.read_text("utf-8"))
            made = {
                name: value for name, value in dict(stored["made"]).items() if is_legal(name) and _is_pair(value)
            }
            return cls(made=made)
        except (OSError, ValueError, KeyError, TypeError):
            return cls()  # a missing or broken record only costs a rebuild

    def write(self, path: Path) -> None:
        atomic.write(path, json.dumps({"made": self.made}, indent=0).encode())

    def note(self, name: str, key: str, path: Path) -> None:
        """Record that the file was made from the sources with the digest `key`. path: where it is."""
        digest = digest_of(path)
        with self.lock:
            self.made[name] = [key, digest or ""]
            self.written += 1
