"""Remembers parts that held, by the content of the package and everything else that they depend on."""

import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path

from harness.files import atomic
from harness.verify.findings import PartResult, part_as_json, part_from_json


@dataclass(frozen=True, kw_only=True)
class PartCache:
    """One JSON file a part. identity: a digest of the package, the harness, the machine and the tier."""

    folder: Path
    identity: str
    fresh: bool = False

    def recall(self, part: str) -> PartResult | None:
        """What an earlier call found of the same content."""
        if self.fresh:
            return None
        try:
            stored = json.loads(self._path(part).read_text("utf-8"))
            return replace(part_from_json(stored), cached=True)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, result: PartResult) -> None:
        """Take note of a part that held; one that did not, or was disturbed, is looked at again next time."""
        if result.holds and not result.disturbed:
            atomic.write(self._path(result.part), json.dumps(part_as_json(result)).encode())

    def _path(self, part: str) -> Path:
        key = hashlib.sha256(f"{self.identity} {part}".encode()).hexdigest()
        return self.folder / f"{part}-{key}.json"
