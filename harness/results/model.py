"""The results of judging, schema version 1, from which all reports are made.

Values, not words: enums, seconds, bytes. docs/result.schema.json documents the JSON.
"""

import dataclasses
import enum

from harness.results.verdict import Reason, Verdict
from harness.sandbox.facts import Isolation
from harness.sandbox.transcript import Speaker
from harness.values import dataclass

_STARVED_S = 0.2  # any two programs can delay each other by less than this


@dataclass(frozen=True, kw_only=True)
class KeptLine:
    """The kept part of a line. start: bytes omitted before it. cut: whether bytes were omitted after it."""

    text: str
    start: int = 0
    cut: bool = False


@dataclass(frozen=True, kw_only=True)
class LinePair:
    """Line `number` of an output, and the line of the answer in the same row; None where that text has ended.

    same: the lines do not differ, as far as single lines can be compared.
    """

    number: int
    expected: KeptLine | None
    printed: KeptLine | None
    same: bool


@dataclass(frozen=True, kw_only=True)
class OutputDifference:
    """The lines of output and answer around the first difference.

    first: the row of the difference; None if there is none. *_lines: line counts of the whole texts.
    """

    first: int | None
    rows: tuple[LinePair, ...]
    expected_lines: int
    printed_lines: int


@dataclasses.dataclass(frozen=True, kw_only=True)  # the standard dataclass: a grading holds very many
class CaseResult:
    """The result of a submission on a case.

    score: points, None if the case itself has none. cpu_runs_s: CPU seconds of all runs of a case that was repeated
    because it was near the limit; cpu_s is then the least. message: the validator's or the judge's text, untrusted.
    output: the beginning of a wrong output, untrusted. difference: of that output and the answer; None if the two are
    not comparable. stderr: the beginning and the end of the standard error, of samples only, untrusted. repeats: the
    verdicts of all repetitions by a grading with --repeat. asleep_s: the part of wall_s in which the program slept,
    None if not measured. starved_s: how long its threads waited for a core.
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
        """Whether the program waited for a core for more than half of its CPU time: the machine was busy."""
        return (self.starved_s or 0.0) > max(_STARVED_S, (self.cpu_s or 0.0) / 2)

    @property
    def judged(self) -> bool:
        """Whether the case was run."""
        return self.verdict is not Verdict.SKIPPED

    @property
    def failed(self) -> bool:
        """Whether the case was run and not accepted."""
        return self.verdict not in (Verdict.ACCEPTED, Verdict.SKIPPED)


@dataclass(frozen=True, kw_only=True)
class GroupResult:
    """A submission's result on a test group. verdict: the first except AC; score, max_score: None if unscored."""

    name: str
    verdict: Verdict
    score: float | None = None
    max_score: float | None = None


class Demand(enum.StrEnum):
    """The kinds of expectation that a package states for its submissions."""

    PERMITTED = "permitted"
    REQUIRED = "required"
    SCORE = "score"
    MESSAGE = "message"
    VERDICT = "verdict"


@dataclass(frozen=True, kw_only=True)
class Unmet:
    """An unmet expectation. scope: a glob over groups and cases, or "" for everything.

    found: what it got instead. case: the case on which, "" if that is no single one.
    """

    rule: str
    scope: str
    demand: Demand
    wanted: str
    found: str
    case: str = ""

    @property
    def found_words(self) -> str:
        """What was found, and on which case."""
        return f"{self.found} on {self.case}" if self.case else self.found


@dataclass(frozen=True, kw_only=True)
class Expected:
    """The package's expectations of a submission (`permitted`, `required` over everything), and the unmet ones.

    nothing: no rule applies, so any result is right.
    """

    permitted: tuple[str, ...]
    required: tuple[str, ...]
    unmet: tuple[Unmet, ...]
    nothing: bool = False

    @property
    def met(self) -> bool:
        """Whether the submission meets its author's expectations."""
        return not self.unmet


class Outcome(enum.StrEnum):
    """Whether a graded submission meets the expectation of `grade`'s caller, or else of its package."""

    AS_ASKED = "as_asked"
    NOT_AS_ASKED = "not_as_asked"
    COULD_NOT_JUDGE = "could_not_judge"


@dataclass(frozen=True, kw_only=True)
class SubmissionResult:
    """A submission's result. score: None if pass-fail. message: compiler output or why it could not be judged.

    expected: None without expectations. unavailable: no compiler for it on this machine.
    outcome: set by grading. repeats: the verdicts of all repetitions by a grading with --repeat.
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
        """The number of accepted cases."""
        return sum(case.verdict is Verdict.ACCEPTED for case in self.cases)

    def group_names(self) -> list[str]:
        """The names of the groups, without those that are accepted only because no case is in them."""
        with_cases = {case.group for case in self.cases}
        return [
            group.name
            for group in self.groups
            if group.verdict is not Verdict.ACCEPTED
            or any(f"{name}/".startswith(f"{group.name}/") for name in with_cases)
        ]

    def failed_cases(self) -> list[CaseResult]:
        """The cases that were run and not accepted."""
        return [case for case in self.cases if case.failed]

    def first_failure(self) -> CaseResult | None:
        """The case that determines the verdict."""
        failed = self.failed_cases()
        if self.verdict is Verdict.JUDGE_ERROR:
            failed = [case for case in failed if case.verdict is Verdict.JUDGE_ERROR]
        return failed[0] if failed else None

    @property
    def explanation(self) -> str:
        """The message, if it explains the verdict: of a compiler, of a grader, or why nothing was judged; else ""."""
        is_graders = self.verdict is Verdict.JUDGE_ERROR and self.first_failure() is None
        explains = is_graders or self.verdict in (Verdict.COMPILE_ERROR, Verdict.SKIPPED)
        return self.message if explains else ""

    def slowest(self) -> CaseResult | None:
        """The case with the most CPU time."""
        timed = [case for case in self.cases if case.cpu_s is not None]
        return max(timed, key=lambda case: case.cpu_s or 0.0, default=None)

    def largest(self) -> CaseResult | None:
        """The case with the most memory."""
        measured = [case for case in self.cases if case.memory_bytes is not None]
        return max(measured, key=lambda case: case.memory_bytes or 0, default=None)

    def peak_memory_bytes(self) -> int | None:
        """The highest memory use of any case."""
        largest = self.largest()
        return largest.memory_bytes if largest is not None else None


@dataclass(frozen=True, kw_only=True)
class Machine:
    """The judging machine, and its speed on fixed pieces of work (None: not measured)."""

    system: str
    processor: str
    cores: int
    python: str
    calibration_integer_s: float | None
    calibration_memory_s: float | None


class Feedback(enum.StrEnum):
    """The level of detail on cases in a report, from nothing to everything; docs/grading.md has the table."""

    VERDICT = "verdict"
    SAMPLES = "samples"
    SHRUNK = "shrunk"
    FULL = "full"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A grading's requirement on each submission. require: allowed verdicts, () for any."""

    require: tuple[Verdict, ...] = ()
    min_score: float | None = None


@dataclass(frozen=True, kw_only=True)
class Shard:
    """A part of the submissions: every `count`-th, beginning with number `index` (from 1).

    package, submissions: digests of what must be the same for all shards: the files of the package that a verdict
    depends on, and the names of all submissions.
    """

    index: int
    count: int
    package: str = ""
    submissions: str = ""


@dataclass(frozen=True, kw_only=True)
class CaseText:
    """The beginning of a case's input and answer, for people. *_bytes: the whole length."""

    name: str
    input: str
    answer: str
    input_bytes: int
    answer_bytes: int


@dataclass(frozen=True, kw_only=True)
class Move:
    """A line of a game, `at_s` seconds after its start. whole: the newline was written, too."""

    by: Speaker
    at_s: float | None
    text: str
    whole: bool = True


@dataclass(frozen=True, kw_only=True)
class RecordedGame:
    """A replayed failed game of an interactive problem. cut: the record is incomplete."""

    submission: str
    case: str
    verdict: Verdict | None
    moves: tuple[Move, ...]
    cut: bool = False


@dataclass(frozen=True, kw_only=True)
class Image:
    """A visualizer's image of a case: of the output of `submission`, or, if that is "", of the input.

    name: the file's name. content: in base64.
    """

    submission: str
    case: str
    name: str
    media_type: str
    content: str


@dataclass(frozen=True, kw_only=True)
class Counterexample:
    """A small input, not of a secret case, on which a submission fails. answer: correct; output: the submission's."""

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
class SubmissionSource:
    """The source of a submission, cut to a size limit."""

    submission: str
    files: tuple[SourceFile, ...]
    files_left_out: int = 0


@dataclass(frozen=True, kw_only=True)
class Worker:
    """A worker of a cluster: its address and its speed."""

    name: str
    machine: Machine


@dataclass(frozen=True, kw_only=True)
class Report:
    """A whole judging. The fields with defaults are set by gradings only.

    shown: cases that may be shown to people. games: failed games of these, one for each submission. images: of failed
    cases. workers: of the cluster, if used; machine is then the caller's. passed_over: files in the folders of
    submissions that are no program in a known language. sources: of the submissions.
    """

    problem: str
    title: str
    time_limit_s: float
    memory_limit_mib: int
    isolation: Isolation
    machine: Machine
    asked: Asked | None = None
    feedback: Feedback | None = None
    shard: Shard | None = None
    shown: tuple[CaseText, ...] = ()
    games: tuple[RecordedGame, ...] = ()
    images: tuple[Image, ...] = ()
    counterexamples: tuple[Counterexample, ...] = ()
    workers: tuple[Worker, ...] = ()
    passed_over: tuple[str, ...] = ()
    sources: tuple[SubmissionSource, ...] = ()
    submissions: tuple[SubmissionResult, ...]

    @property
    def scored(self) -> bool:
        """Whether the submissions have a score."""
        return any(submission.score is not None for submission in self.submissions)
