"""What judging found: the one result model, schema version 1, from which every view is made.

Values, not words: enums, seconds, bytes. docs/result.schema.json documents the JSON.
"""

import dataclasses
import enum

from harness.results.verdict import Reason, Verdict
from harness.sandbox.facts import Isolation
from harness.sandbox.transcript import Speaker
from harness.values import dataclass

_STARVED_S = 0.2  # less is what any two programs cost each other


@dataclass(frozen=True, kw_only=True)
class KeptLine:
    """What was kept of a line. start: bytes left out before it. cut: whether something was left out after it."""

    text: str
    start: int = 0
    cut: bool = False


@dataclass(frozen=True, kw_only=True)
class LinePair:
    """Line `number` of an output beside a line of the answer; None where that text has ended.

    same: nothing in it is wrong, as far as lines can be compared.
    """

    number: int
    expected: KeptLine | None
    printed: KeptLine | None
    same: bool


@dataclass(frozen=True, kw_only=True)
class OutputDifference:
    """The lines of output and answer around the first that differs.

    first: the number of that row; None where output and answer are alike. *_lines: of the whole texts.
    """

    first: int | None
    rows: tuple[LinePair, ...]
    expected_lines: int
    printed_lines: int


@dataclasses.dataclass(frozen=True, kw_only=True)  # the standard one: a grading holds very many
class CaseResult:
    """One submission on one case.

    score: points, None where the case itself has none. cpu_runs_s: CPU seconds of every run of a case that was
    repeated for lying near the limit; cpu_s is then the least. message: the validator's or the judge's text, untrusted.
    output: the beginning of what the submission printed, kept where the answer was wrong, untrusted. difference: of
    the same output and the answer; None where the two are not comparable. stderr: the beginning and the end of what it
    wrote to standard error, of samples only, untrusted.
    repeats: the verdict of every time that a grading with --repeat judged the case.
    asleep_s: the part of wall_s that it slept, None where that was not measured. starved_s: how long its threads
    waited for a core.
    """

    name: str
    group: str
    verdict: Verdict
    score: float | None = None
    reason: Reason | None = None
    cpu_s: float | None = None
    wall_s: float | None = None
    memory_bytes: int | None = None
    exit_code: int | None = None
    signal: int | None = None
    message: str = ""
    cpu_runs_s: tuple[float, ...] = ()
    output: str = ""
    difference: OutputDifference | None = None
    stderr: str = ""
    repeats: tuple[Verdict, ...] = ()
    asleep_s: float | None = None
    starved_s: float | None = None

    @property
    def starved(self) -> bool:
        """Whether it waited for a core for more than half of the time that it computed: the machine was busy."""
        return (self.starved_s or 0.0) > max(_STARVED_S, (self.cpu_s or 0.0) / 2)

    @property
    def judged(self) -> bool:
        """Whether the case was run at all."""
        return self.verdict is not Verdict.SKIPPED

    @property
    def failed(self) -> bool:
        """Whether the case was run and not accepted."""
        return self.verdict not in (Verdict.ACCEPTED, Verdict.SKIPPED)


@dataclass(frozen=True, kw_only=True)
class GroupResult:
    """One submission on one test group. verdict: the first that is not AC; score and max_score None if unscored."""

    name: str
    verdict: Verdict
    score: float | None = None
    max_score: float | None = None


class Demand(enum.StrEnum):
    """The kinds of demand that a package makes of its submissions."""

    PERMITTED = "permitted"
    REQUIRED = "required"
    SCORE = "score"
    MESSAGE = "message"
    VERDICT = "verdict"


@dataclass(frozen=True, kw_only=True)
class Unmet:
    """One demand that a submission did not meet. scope: a glob over groups and cases, or "" for everything."""

    rule: str
    scope: str
    demand: Demand
    wanted: str
    found: str


@dataclass(frozen=True, kw_only=True)
class Expected:
    """What the package demands of a submission, in short (`permitted`, `required` over everything), and what failed.

    nothing: no rule speaks of it, so that whatever it gets is right.
    """

    permitted: tuple[str, ...]
    required: tuple[str, ...]
    unmet: tuple[Unmet, ...]
    nothing: bool = False

    @property
    def met(self) -> bool:
        """Whether the submission is what its author says."""
        return not self.unmet


class Outcome(enum.StrEnum):
    """Whether a graded submission is what the caller of `grade`, or else its package, asks for."""

    AS_ASKED = "as_asked"
    NOT_AS_ASKED = "not_as_asked"
    COULD_NOT_JUDGE = "could_not_judge"


@dataclass(frozen=True, kw_only=True)
class SubmissionResult:
    """One submission. score: None in pass-fail problems. message: compiler output or why it could not be judged.

    expected: None for a submission that the package says nothing about. unavailable: no compiler for it here.
    outcome: set by grading. repeats: the verdict of every time that a grading with --repeat judged it.
    """

    path: str
    language: str | None
    verdict: Verdict
    score: float | None = None
    message: str = ""
    cases: tuple[CaseResult, ...] = ()
    groups: tuple[GroupResult, ...] = ()
    expected: Expected | None = None
    unavailable: bool = False
    outcome: Outcome | None = None
    repeats: tuple[Verdict, ...] = ()

    @property
    def stable(self) -> bool:
        """Whether every repeat gave every case the same verdict."""
        return len(set(self.repeats)) <= 1 and all(len(set(case.repeats)) <= 1 for case in self.cases)

    def passed(self) -> int:
        """How many cases were accepted."""
        return sum(case.verdict is Verdict.ACCEPTED for case in self.cases)

    def failed_cases(self) -> list[CaseResult]:
        """The cases that were run and not accepted."""
        return [case for case in self.cases if case.failed]

    def first_failure(self) -> CaseResult | None:
        """The case that the verdict comes from."""
        failed = self.failed_cases()
        if self.verdict is Verdict.JUDGE_ERROR:
            failed = [case for case in failed if case.verdict is Verdict.JUDGE_ERROR]
        return failed[0] if failed else None

    def slowest(self) -> CaseResult | None:
        """The case with the most CPU time."""
        return max((case for case in self.cases if case.cpu_s is not None), key=_cpu_s, default=None)

    def largest(self) -> CaseResult | None:
        """The case with the most memory."""
        return max((case for case in self.cases if case.memory_bytes is not None), key=_memory_bytes, default=None)

    def peak_memory_bytes(self) -> int | None:
        """The most memory that any case took."""
        largest = self.largest()
        return largest.memory_bytes if largest is not None else None


def _cpu_s(case: CaseResult) -> float:
    return case.cpu_s or 0.0


def _memory_bytes(case: CaseResult) -> int:
    return case.memory_bytes or 0


@dataclass(frozen=True, kw_only=True)
class Machine:
    """Where it was judged, and how fast that machine is on fixed pieces of work (None: not measured)."""

    system: str
    processor: str
    cores: int
    python: str
    calibration_integer_s: float | None
    calibration_memory_s: float | None


class Feedback(enum.StrEnum):
    """How much a report tells of the cases, from nothing to everything; docs/grading.md has the table."""

    VERDICT = "verdict"
    SAMPLES = "samples"
    SHRUNK = "shrunk"
    FULL = "full"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a grading asks of every submission. require: one of these verdicts, or () for any; min_score: at least."""

    require: tuple[Verdict, ...] = ()
    min_score: float | None = None


@dataclass(frozen=True, kw_only=True)
class Shard:
    """Which part of the submissions this is: each `count`-th, beginning with number `index` (from 1)."""

    index: int
    count: int


@dataclass(frozen=True, kw_only=True)
class CaseText:
    """The beginning of a case's input and answer, for people. *_bytes: how long the whole is."""

    name: str
    input: str
    answer: str
    input_bytes: int
    answer_bytes: int


@dataclass(frozen=True, kw_only=True)
class Move:
    """One line of a game, `at_s` seconds after its start. whole: the end of the line was said too."""

    by: Speaker
    at_s: float | None
    text: str
    whole: bool = True


@dataclass(frozen=True, kw_only=True)
class RecordedGame:
    """A failed game of an interactive problem, played again. cut: there was more than is recorded."""

    submission: str
    case: str
    verdict: Verdict | None
    moves: tuple[Move, ...]
    cut: bool = False


@dataclass(frozen=True, kw_only=True)
class Image:
    """What a visualizer of the package drew of a case: of what `submission` said, or, where that is "", of the input.

    name: of the file that it wrote. content: in base64.
    """

    submission: str
    case: str
    name: str
    media_type: str
    content: str


@dataclass(frozen=True, kw_only=True)
class Counterexample:
    """A small input, no secret case, on which a submission fails. answer: a right one; output: what it printed."""

    submission: str
    verdict: Verdict
    input: str
    answer: str
    output: str


@dataclass(frozen=True, kw_only=True)
class SourceFile:
    """The beginning of a source file, untrusted; bytes that are no text are escaped."""

    name: str
    text: str
    bytes_left_out: int = 0


@dataclass(frozen=True, kw_only=True)
class Source:
    """The source of a submission, as far as there is room for it."""

    submission: str
    files: tuple[SourceFile, ...]
    files_left_out: int = 0


@dataclass(frozen=True, kw_only=True)
class Worker:
    """One worker of a cluster: the address that it had, and how fast it is."""

    name: str
    machine: Machine


@dataclass(frozen=True, kw_only=True)
class Report:
    """The whole of one judging. What follows `submissions` is of a grading only.

    shown: cases that may be shown to people. games: failed games of those, one a submission. images: of failed cases.
    workers: of the cluster, if one was used; machine is then where it was called.
    passed_over: files of the folders that are no program of a known language. sources: of what was handed in.
    """

    problem: str
    title: str
    time_limit_s: float
    memory_limit_mib: int
    isolation: Isolation
    machine: Machine
    submissions: tuple[SubmissionResult, ...]
    asked: Asked | None = None
    feedback: Feedback | None = None
    shard: Shard | None = None
    shown: tuple[CaseText, ...] = ()
    games: tuple[RecordedGame, ...] = ()
    images: tuple[Image, ...] = ()
    counterexamples: tuple[Counterexample, ...] = ()
    workers: tuple[Worker, ...] = ()
    passed_over: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
