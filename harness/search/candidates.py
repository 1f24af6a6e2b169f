"""Values of a search: candidates, failures, trials, and the progress of the search."""

import enum
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import field

from harness.generate.recipe import Invocation
from harness.package.model import CaseSettings
from harness.results.model import CaseResult
from harness.results.verdict import Reason, Verdict
from harness.search.policy import HUNT, REDUCE, RUNNING
from harness.values import dataclass


class Source(enum.StrEnum):
    """The origin of a candidate; the value is its name in output."""

    GIVEN = "given"
    CASE = "test case"
    TINY = "tiny"
    GENERATOR = "generator"
    RANDOM = "random"
    LARGE = "large"
    CHANGED_CASE = "changed case"


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """An input to try: its bytes, or the call of a generator that makes them.

    description: for people. answer: for interactive problems, the interactor's answer file, if known.
    at_size: makes an input of the same kind at another size; None: there is none of that size. refused: the number of
    invalid inputs that its source dropped before it.
    """

    source: Source
    description: str
    data: bytes | None = None
    invocation: Invocation | None = None
    answer: bytes | None = None
    at_size: Callable[[int], bytes | None] | None = None
    refused: int = 0


@dataclass(frozen=True, kw_only=True)
class CandidateFailure:
    """How the submission failed on an input. answer: of the reference, None if it did not run."""

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
        """Return what must stay the same while an input is made smaller, such as a wrong answer or the same signal.

        CPU and wall clock limits count as equal: which of them stops a busy program depends on the machine's load.
        """
        busy = self.reason is Reason.WALL_TIME and self.cpu_s >= RUNNING.busy_s
        return self.verdict, Reason.CPU_TIME if busy else self.reason, self.signal


@dataclass(frozen=True, kw_only=True)
class Doubt:
    """Why a failure may not be the submission's fault.

    programs: the reference and an accepted program that differs; agrees: the submission agrees with the second.
    errors: standard error of the reference with run-time checks. is_unsteady: a plain run of the submission is right.
    """

    reason: str
    is_unsteady: bool = False
    programs: tuple[str, str] | None = None
    agrees: bool = False
    errors: str = ""


class CandidateOutcome(enum.Enum):
    """The outcome of a trial."""

    PENDING = "pending"
    PASSED = "passed"
    FAILED = "failed"
    REFUSED = "refused"  # by an input validator, or the generator failed
    UNANSWERED = "unanswered"  # the reference or the checker failed on it
    DOUBTFUL = "doubtful"  # fails, but other programs cast doubt on the reference or the input
    REPEATED = "repeated"  # tried before


@dataclass(frozen=True, kw_only=True)
class TriedCandidate:
    """A tried candidate. data: its input. settings: those under which the input is valid. doubt: set if DOUBTFUL."""

    candidate: Candidate
    outcome: CandidateOutcome = CandidateOutcome.PENDING
    data: bytes = b""
    failure: CandidateFailure | None = None
    settings: CaseSettings | None = None
    message: str = ""
    cpu_s: float = 0.0
    doubt: Doubt | None = None

    @property
    def is_unsteady(self) -> bool:
        """Return whether a plain run of the submission is right."""
        return self.doubt is not None and self.doubt.is_unsteady

    def fails_with(self, verdict: Verdict) -> bool:
        """Return whether it failed with this verdict."""
        return self.failure is not None and self.failure.verdict is verdict


@dataclass(frozen=True, kw_only=True)
class LessCertainFind:
    """A failing input that is smaller than the result, but less surely valid. trial None: the result itself.

    rule: which rule or relation of all samples it breaks; "": none, but the result is a sample.
    """

    rule: str
    trial: TriedCandidate | None = None


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """A failing input, made small.

    first: the input before it was made small; trial: after. confirmed: the result of a judging as by `harness judge`;
    None: there was no time for it. proven: no smaller input fails. is_cut: the time was over before it was small.
    to_find, to_shrink: numbers of inputs tried until the failure, and to make it small.
    less_certain: a failing input that is less surely valid. doubtful: another failing input, where the reference or
    the input's validity is in doubt.
    """

    first: TriedCandidate
    trial: TriedCandidate
    confirmed: CaseResult | None
    proven: bool
    to_find: int
    to_shrink: int
    less_certain: LessCertainFind | None = None
    doubtful: TriedCandidate | None = None
    is_cut: bool = False

    @property
    def failure(self) -> CandidateFailure:
        """Return how the submission fails on the small input."""
        if self.trial.failure is None:
            raise ValueError("the result of a search is an input that fails")
        return self.trial.failure

    @property
    def is_real(self) -> bool:
        """Return whether the failure is confirmed, and nothing is in doubt."""
        return self.is_confirmed and self.trial.doubt is None

    @property
    def is_sample(self) -> bool:
        """Return whether the result is a case of the package or a sample as it is."""
        return self.first.candidate.source is Source.CASE and self.trial.data == self.first.data

    @property
    def is_confirmed(self) -> bool:
        """Return whether the final judging has the same verdict as the search."""
        return self.confirmed is not None and self.trial.fails_with(self.confirmed.verdict)


BUILDING, SEARCHING, REDUCING, CONFIRMING = "building", "searching", "making it small", "confirming"
BUILDING_TO_CONFIRM = "building to confirm"  # what judges a failing input in a plain run
ASKING = "asking the input validators for limits"
TIMING = "timing the reference"
_OF_BUILDING = (BUILDING, BUILDING_TO_CONFIRM)


@dataclass(kw_only=True)
class Clock:
    """The seconds of each phase; `enter` begins the next phase.

    built_s: when the last building ended, by time.monotonic().
    """

    phase: str = BUILDING
    began_s: float = field(default_factory=time.monotonic)
    built_s: float = 0.0
    _since_s: float = field(default_factory=time.monotonic)
    _spent_s: dict[str, float] = field(default_factory=dict)

    def enter(self, phase: str) -> None:
        """End the current phase and begin `phase`; a phase may occur several times."""
        self._spent_s, now_s = self.seconds, time.monotonic()
        if self.phase in _OF_BUILDING:
            self.built_s = now_s
        self.phase, self._since_s = phase, now_s

    @property
    def seconds(self) -> dict[str, float]:
        """Return the seconds by phase, in order of first occurrence, with the current phase."""
        now_s = time.monotonic() - self._since_s
        return {**self._spent_s, self.phase: self._spent_s.get(self.phase, 0.0) + now_s}

    @property
    def elapsed_s(self) -> float:
        """Return the seconds since the start."""
        return time.monotonic() - self.began_s

    @property
    def building_s(self) -> float:
        """Return the seconds spent on building."""
        return sum(self.seconds.get(phase, 0.0) for phase in _OF_BUILDING)

    def search_end_s(self, time_s: float, beyond_s: float) -> float:
        """Return when to end a search that may take `time_s`, by time.monotonic().

        Time spent on building delays this end a little, but not the final end, which is `beyond_s` later.
        """
        return self.began_s + time_s + min(self.building_s, REDUCE.building_part * beyond_s)

    def end_s(self, time_s: float, beyond_s: float) -> float:
        """Return the final end, by time.monotonic(): later if a building left too little time for what follows it."""
        return max(self.began_s + time_s + beyond_s, self.built_s + HUNT.least_search_s + beyond_s / 2)


@dataclass(kw_only=True)
class Progress:
    """The progress of a search, updated in place.

    best: the input that is made small; shrinking: how often it became smaller. doubtful: the shortest doubtful input,
    preferring inputs where accepted programs differ. complaint: why the first input could not be judged.
    doubt_of_reference: why the reference may be wrong. interrupted: by the user. is_exhausted: no input was left to
    try. running_at_end: the program that ran when the time was over, if any. unbuilt_validators: why input validators
    could not be built.
    """

    clock: Clock = field(default_factory=Clock)
    tried: Counter[Source] = field(default_factory=Counter)
    outcomes: Counter[CandidateOutcome] = field(default_factory=Counter)
    shrinking: int = 0
    best: TriedCandidate | None = None
    doubtful: TriedCandidate | None = None
    complaint: str = ""
    doubt_of_reference: str = ""
    interrupted: bool = False
    is_exhausted: bool = False
    running_at_end: str = ""
    unbuilt_validators: Sequence[str] = ()

    @property
    def is_nearly_refused(self) -> bool:
        """Return whether the input validators refused nearly all inputs, so that hardly anything was searched."""
        return self.executions < HUNT.few_inputs and self.outcomes[CandidateOutcome.REFUSED] >= HUNT.many_refused

    @property
    def is_hardly_searched(self) -> bool:
        """Return whether nearly all inputs were refused or could not be judged."""
        unanswered = self.outcomes[CandidateOutcome.UNANSWERED]
        return self.is_nearly_refused or unanswered >= HUNT.most_unanswered * self.executions > 0

    def was_hurried(self, time_s: float) -> bool:
        """Return whether building took so much of a search of `time_s` seconds that hardly any input was tried."""
        had_little_time = self.clock.building_s > max(time_s / 2, HUNT.hurried_s)
        return had_little_time and not self.is_exhausted and self.executions < HUNT.hurried_inputs

    @property
    def executions(self) -> int:
        """Return the number of inputs on which the submission was run while searching."""
        return sum(self.outcomes[outcome] for outcome in _RUN)

    def count(self, trial: TriedCandidate) -> None:
        """Count a trial."""
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
