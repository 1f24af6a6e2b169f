"""Remembers parts that held, by the content of the package and everything else that they depend on."""

from dataclasses import replace

from harness.store.memory import Memory
from harness.values import dataclass
from harness.verify.findings import PartResult, part_as_json, part_from_json


@dataclass(frozen=True, kw_only=True)
class PartCache:
    """Results of parts. identity: a digest of the package, the harness, the machine and the tier.

    fresh: what an earlier call has kept is not recalled.
    """

    memory: Memory
    identity: str
    fresh: bool = False

    def recall(self, part: str) -> PartResult | None:
        """Recall the result of a part, found by an earlier call on the same content."""
        stored = None if self.fresh else self.memory.recall(self._topic).get(part)
        try:
            return replace(part_from_json(stored), cached=True) if stored is not None else None
        except (ValueError, KeyError, TypeError):
            return None

    def keep(self, result: PartResult) -> None:
        """Keep a part that held; one that did not, or was disturbed, is looked at again next time."""
        if result.holds and not result.disturbed:
            self.memory.keep(self._topic, {result.part: part_as_json(result)})

    @property
    def _topic(self) -> str:
        return f"verify parts {self.identity}"
