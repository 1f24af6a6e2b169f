"""Values of a search: candidates, failures, trials, and how far the search is."""

import enum
import time
from collections import Counter
from dataclasses import field

from harness.generate.recipe import Invocation
from harness.package.model import CaseSettings
from harness.results.verdict import Reason, Verdict
from harness.search.policy import HUNT, REDUCE, RUNNING
from harness.values import dataclass


class Source(enum.StrEnum):
    """Where a candidate comes from; the value is the word for people."""

    GIVEN = "given"
    CASE = "test case"
    TINY = "tiny"
    FAMILY = "generator"
    RANDOM = "random"
    LARGE = "large"
    MUTATION = "changed case"


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """An input to try: its bytes, or the call of a generator that makes them.

    words: how a person would name it. answer: of interactive problems, what the interactor is given, if known. state:
    of the source of chance that drew it, where a larger one like it can be drawn from there.
    """

    source: Source
    words: str
    data: bytes | None = None
    invocation: Invocation | None = None
    answer: bytes | None = None
    state: int | None = None


@dataclass(frozen=True, kw_only=True)
class CandidateFailure:
    """How the submission failed on an input. `answer` is what was right, None where nothing was asked."""

    verdict: Verdict
    reason: Reason | None
    signal: int | None = None
    exit_code: int | None = None
    message: str = ""
    output: bytes = b""
    stderr: bytes = b""
    answer: bytes | None = None
    cpu_s: float = 0.0

    @property
    def kind(self) -> tuple[Verdict, Reason | None, int | None]:
        """What must stay the same while an input is made smaller: a wrong answer stays one, a signal that signal.

        Which of the two clocks stops a busy program first depends on what else the machine does.
        """
        busy = self.reason is Reason.WALL_TIME and self.cpu_s >= RUNNING.busy_s
        return self.verdict, Reason.CPU_TIME if busy else self.reason, self.signal


@dataclass(frozen=True, kw_only=True)
class Doubt:
    """Why a failure may not be the submission's fault.

    programs: the reference and another right program, where they differ; agrees: the submission is right by the second.
    errors: what the reference with run-time checks prints on standard error.
    """

    reason: str
    programs: tuple[str, str] | None = None
    agrees: bool = False
    errors: str = ""


class CandidateOutcome(enum.Enum):
    """What a trial showed."""

    PENDING = "pending"
    PASSED = "passed"
    FAILED = "failed"
    REFUSED = "refused"  # by an input validator, or its generator made nothing
    UNANSWERED = "unanswered"  # the oracle or the checker failed on it
    DOUBTFUL = "doubtful"  # fails, but other programs give reason to doubt the reference or the input
    REPEATED = "repeated"  # tried before


@dataclass(frozen=True, kw_only=True)
class TriedCandidate:
    """A candidate, tried. `settings` are those under which its input is valid. doubt: of a doubtful one."""

    candidate: Candidate
    outcome: CandidateOutcome
    data: bytes = b""
    failure: CandidateFailure | None = None
    settings: CaseSettings | None = None
    message: str = ""
    cpu_s: float = 0.0
    doubt: Doubt | None = None


@dataclass(frozen=True, kw_only=True)
class Outside:
    """An input that fails and breaks a rule of all samples: a smaller one than the find, or (trial None) the find."""

    rule: str
    trial: TriedCandidate | None = None


BUILDING, SEARCHING, REDUCING, CONFIRMING = "building", "searching", "making it small", "confirming"
ASKING = "asking the input validators for limits"


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

    @property
    def building_s(self) -> float:
        """Seconds that went into building."""
        return self.seconds.get(BUILDING, 0.0)

    def search_end_s(self, time_s: float, beyond_s: float) -> float:
        """When to end a search that may take `time_s`, by time.monotonic().

        Building moves it a little, but not the end of everything, which is `beyond_s` later.
        """
        return self.began_s + time_s + min(self.building_s, REDUCE.building_part * beyond_s)

    def end_s(self, time_s: float, beyond_s: float) -> float:
        """When everything must be over, by time.monotonic(): building counts but where it alone took that long."""
        return self.began_s + max(time_s + beyond_s, self.building_s + HUNT.least_search_s + beyond_s / 2)


@dataclass(kw_only=True)
class Progress:
    """How far a search is; changed in place as it goes on.

    best: the input that is made small. doubtful: the shortest doubtful input, of those on which right programs differ
    if there is any. complaint: why the first input could not be judged. doubt: why the reference may be wrong.
    interrupted: somebody ended it early.
    """

    clock: Clock = field(default_factory=Clock)
    tried: Counter[Source] = field(default_factory=Counter)
    outcomes: Counter[CandidateOutcome] = field(default_factory=Counter)
    shrinking: int = 0
    best: TriedCandidate | None = None
    doubtful: TriedCandidate | None = None
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
        return sum(self.outcomes[outcome] for outcome in _RUN)

    def count(self, trial: TriedCandidate) -> None:
        """One more trial."""
        self.outcomes[trial.outcome] += 1
        if trial.outcome in _RUN:
            self.tried[trial.candidate.source] += 1
        if trial.outcome is CandidateOutcome.UNANSWERED and not self.complaint:
            self.complaint = trial.message
        if trial.doubt is not None and (self.doubtful is None or _weight(trial) < _weight(self.doubtful)):
            self.doubtful = trial


def _weight(trial: TriedCandidate) -> tuple[bool, int]:
    return trial.doubt is None or trial.doubt.programs is None, len(trial.data)


_RUN = (CandidateOutcome.PASSED, CandidateOutcome.FAILED, CandidateOutcome.UNANSWERED, CandidateOutcome.DOUBTFUL)
