"""What a search tries and what comes of it: candidates, failures and trials as plain values."""

import enum
from dataclasses import dataclass

from harness.generate import Invocation
from harness.package.model import CaseSettings
from harness.results.verdict import Reason, Verdict
from harness.search.policy import RUNNING


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
class Failure:
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


class Outcome(enum.Enum):
    """What a trial showed."""

    PENDING = "pending"
    PASSED = "passed"
    FAILED = "failed"
    REFUSED = "refused"  # by an input validator, or its generator made nothing
    UNANSWERED = "unanswered"  # the oracle or the checker failed on it
    DISPUTED = "disputed"  # wrong by the reference, but another accepted program says otherwise
    REPEATED = "repeated"  # tried before


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A candidate, tried. `settings` are those under which its input is valid."""

    candidate: Candidate
    outcome: Outcome
    data: bytes = b""
    failure: Failure | None = None
    settings: CaseSettings | None = None
    message: str = ""
    cpu_s: float = 0.0
