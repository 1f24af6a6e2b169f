"""What each built file was made from and which inputs were found valid, so that a second build only hashes.

The first lies in the package. The second lies in a cache of the user's own: a package must not vouch for itself.
"""

import hashlib
import json
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from harness import __version__
from harness.files import atomic
from harness.generate.lock import digest_of
from harness.package import Case, Program
from harness.package.files import is_legal

RECORD = ".build.json"


@dataclass(kw_only=True)
class Record:
    """What each file was made from: `made[path] = [key, sha256]`. Shared by the workers."""

    made: dict[str, list[str]] = field(default_factory=dict)
    fresh: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def read(cls, path: Path) -> "Record":
        try:
            stored = json.loads(path.read_text("utf-8"))
            made = {name: value for name, value in dict(stored["made"]).items() if is_legal(name)}
            return cls(made=made)
        except (OSError, ValueError, KeyError, TypeError):
            return cls()  # a record that is gone or broken costs a rebuild, nothing else

    def write(self, path: Path) -> None:
        atomic.write(path, json.dumps({"made": self.made}, indent=0).encode())

    def note(self, name: str, key: str, path: Path) -> None:
        digest = digest_of(path)
        with self.lock:
            self.made[name] = [key, digest or ""]
            self.fresh += 1


@dataclass(frozen=True, kw_only=True)
class ValidInputs:
    """Inputs that validators accepted, each as a digest of all that they depend on. One file a package's name."""

    path: Path

    @classmethod
    def of(cls, folder: Path, slug: str) -> "ValidInputs":
        return cls(path=folder / f"{hashlib.sha256(slug.encode()).hexdigest()}.json")

    def known(self) -> frozenset[str]:
        """The digests that were kept."""
        try:
            return frozenset(map(str, json.loads(self.path.read_text("utf-8"))))
        except (OSError, ValueError, TypeError):
            return frozenset()  # what is gone or broken costs a validation, nothing else

    def keep(self, digests: Iterable[str]) -> None:
        """Remember these and no others."""
        atomic.write(self.path, json.dumps(sorted(digests), indent=0).encode())


def validity_digest(validators: str, input_digest: str | None, case: Case) -> str:
    """What a validator's word on an input depends on: itself, the input, the arguments, `.files`, this harness."""
    files = [(name, hashlib.sha256(file.read()).hexdigest()) for name, file in sorted(case.extra_files.items())]
    parts = [__version__, validators, input_digest, repr(case.settings), *files]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


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
