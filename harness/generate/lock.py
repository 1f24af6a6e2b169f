"""The hash lock: sha256 of every built file, so that a changed generator cannot change data in silence."""

import hashlib
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from harness.files import atomic

LOCK = "generators/data.lock"


def digest_of(path: Path) -> str | None:
    """sha256 of a file, None if there is none."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None


def read_lock(path: Path) -> dict[str, str] | None:
    """Digest by path below data/; None without a lock file."""
    if not path.is_file():
        return None
    lines = (
        line.split("  ", 1) for line in path.read_text("utf-8", errors="surrogateescape").splitlines() if line
    )
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
        """Each difference as (changed, added or missing; file)."""
        for kind, names in (("changed", self.changed), ("added", self.added), ("missing", self.missing)):
            yield from ((kind, name) for name in names)


def compare(built: Mapping[str, str], locked: Mapping[str, str]) -> Drift:
    """Hold what was built against what is locked."""
    return Drift(
        changed=tuple(sorted(name for name in built.keys() & locked.keys() if built[name] != locked[name])),
        added=tuple(sorted(built.keys() - locked.keys())),
        missing=tuple(sorted(locked.keys() - built.keys())),
    )


def mends(root: Path) -> tuple[str, str]:
    """What to do about data that differs from its lock, whoever wrote that: a stranger may have no idea of it."""
    return (
        f"if the recipe was changed on purpose, or another version of harness wrote the lock: "
        f"harness generate {shlex.quote(str(root))} --relock",
        f"to judge what the recipe makes and leave the package alone: remove {root / LOCK}",
    )
