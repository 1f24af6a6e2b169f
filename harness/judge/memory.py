"""What earlier judgings found: asked before each run of a case, told after it."""

from typing import Protocol

from harness.build import Executable
from harness.package import Case, Group
from harness.results.model import CaseResult
from harness.sandbox.limits import Limits


class Memory(Protocol):
    """Remembers results by content; safe to share between workers."""

    def recall(self, executable: Executable, group: Group, case: Case, limits: Limits) -> CaseResult | None:
        """The result under these limits, if it follows from an earlier one."""

    def keep(self, executable: Executable, group: Group, case: Case, limits: Limits, result: CaseResult) -> None:
        """Take note of a result that was found under these limits."""


class NoMemory:
    """Every case is run."""

    def recall(self, executable: Executable, group: Group, case: Case, limits: Limits) -> CaseResult | None:
        """Nothing is known."""
        return None

    def keep(self, executable: Executable, group: Group, case: Case, limits: Limits, result: CaseResult) -> None:
        """Nothing is noted."""
