"""What each built file was made from and which inputs were found valid, so that a second build only hashes.

The first lies in the package. The second lies in the user's memory: a package must not vouch for itself.
"""

import json
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from harness.files import atomic
from harness.generate.lock import digest_of
from harness.package import Case
from harness.package.files import is_legal
from harness.store.identity import digest_of_texts, files_identity, harness_identity
from harness.store.memory import Memory

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
    """Inputs of a package that validators accepted, each as a digest of all that they depend on."""

    memory: Memory
    slug: str

    def known(self) -> frozenset[str]:
        """The digests that were kept."""
        return frozenset(self.memory.recall(self._topic))

    def keep(self, digests: Iterable[str]) -> None:
        """Remember these and no others."""
        self.memory.keep(self._topic, dict.fromkeys(digests), alone=True)

    @property
    def _topic(self) -> str:
        return f"valid inputs {self.slug}"


def validity_digest(validators: str, input_digest: str | None, case: Case) -> str:
    """What a validator's word on an input depends on: itself, the input, the arguments, `.files`, this harness."""
    files = files_identity(dict(sorted(case.extra_files.items())))
    return digest_of_texts(harness_identity(), validators, input_digest or "", repr(case.settings), files)
