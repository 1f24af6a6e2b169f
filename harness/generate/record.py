"""What each built file was made from, so that a second build only hashes."""

import hashlib
import json
import threading
from dataclasses import dataclass, field
from pathlib import Path

from harness import atomic
from harness.generate.lock import digest_of
from harness.package import Program
from harness.package.files import is_legal

RECORD = ".build.json"


@dataclass(kw_only=True)
class Record:
    """What each file was made from: `made[path] = [key, sha256]`, `valid[case] = key`. Shared by the workers."""

    made: dict[str, list[str]] = field(default_factory=dict)
    valid: dict[str, str] = field(default_factory=dict)
    fresh: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def read(cls, path: Path) -> "Record":
        try:
            stored = json.loads(path.read_text("utf-8"))
            made = {name: value for name, value in dict(stored["made"]).items() if is_legal(name)}
            return cls(made=made, valid=dict(stored["valid"]))
        except (OSError, ValueError, KeyError, TypeError):
            return cls()  # a record that is gone or broken costs a rebuild, nothing else

    def write(self, path: Path) -> None:
        atomic.write(path, json.dumps({"made": self.made, "valid": self.valid}, indent=0).encode())

    def note(self, name: str, key: str, path: Path) -> None:
        digest = digest_of(path)
        with self.lock:
            self.made[name] = [key, digest or ""]
            self.fresh += 1


def digest_of_parts(*parts: Program | str) -> str:
    """One digest of programs (all of their files) and texts."""
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, str):
            digest.update(f"{len(part)} {part}\0".encode())
            continue
        for name, file in sorted(part.files.items()):
            content = file.read()
            digest.update(f"{name} {len(content)}\0".encode() + content)
    return digest.hexdigest()
