"""How far a search is, and where its time went."""

import time
from collections import Counter
from dataclasses import dataclass, field

from harness.search.model import Outcome, Source, Trial

BUILDING, SEARCHING, REDUCING, CONFIRMING = "building", "searching", "making it small", "confirming"
ASKING = "asking the input validators for limits"
COMPARING = "comparing accepted programs"


@dataclass(kw_only=True)
class Clock:
    """The seconds that each phase took; `enter` begins the next one."""

    phase: str = BUILDING
    began_s: float = field(default_factory=time.monotonic)
    _since_s: float = field(default_factory=time.monotonic)
    _spent_s: dict[str, float] = field(default_factory=dict)

    def enter(self, phase: str) -> None:
        """End the phase under way and begin this one; a phase may come several times."""
        self._spent_s = self.seconds
        self.phase, self._since_s = phase, time.monotonic()

    @property
    def seconds(self) -> dict[str, float]:
        """Seconds by phase, in the order in which they came, the one under way included."""
        now_s = time.monotonic() - self._since_s
        return {**self._spent_s, self.phase: self._spent_s.get(self.phase, 0.0) + now_s}

    @property
    def elapsed_s(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.began_s


@dataclass(kw_only=True)
class Progress:
    """How far a search is; changed in place as it goes on.

    doubt: why the reference may be wrong. disputed: inputs passed over, for accepted programs differ on them.
    interrupted: somebody ended it early.
    """

    clock: Clock = field(default_factory=Clock)
    tried: Counter[Source] = field(default_factory=Counter)
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    shrinking: int = 0
    best: Trial | None = None
    complaint: str = ""
    doubt: str = ""
    interrupted: bool = False

    @property
    def phase(self) -> str:
        """What is done now."""
        return self.clock.phase

    @property
    def elapsed_s(self) -> float:
        """Seconds since the start, those before the first input included."""
        return self.clock.elapsed_s

    @property
    def executions(self) -> int:
        """Inputs on which the submission was run while searching."""
        return sum(self.outcomes[one] for one in _RUN)

    def count(self, trial: Trial) -> None:
        """One more trial."""
        self.outcomes[trial.outcome] += 1
        if trial.outcome in _RUN:
            self.tried[trial.candidate.source] += 1
        if trial.outcome is Outcome.UNANSWERED and not self.complaint:
            self.complaint = trial.message


_RUN = (Outcome.PASSED, Outcome.FAILED, Outcome.UNANSWERED, Outcome.DISPUTED)
