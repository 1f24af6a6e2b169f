"""Results of mutation testing: of one candidate on the cases, of one mutant, of a solution, of the whole package."""

import enum
from collections.abc import Sequence
from typing import TypeVar

from harness.mutate.mutants import Mutant
from harness.results.verdict import Verdict
from harness.values import dataclass

Item = TypeVar("Item")


def spread(items: Sequence[Item], most: int | None) -> tuple[Item, ...]:
    """Choose at most `most` items (None: all), evenly spread, beginning with the first."""
    if most is None or len(items) <= most:
        return tuple(items)
    return tuple(items[index * len(items) // most] for index in range(most))


@dataclass(frozen=True, kw_only=True)
class Kill:
    """A case on which a candidate does worse than the original: another verdict than AC, or fewer points."""

    case: str
    verdict: Verdict
    message: str = ""

    @property
    def timed_out(self) -> bool:
        """Return whether the candidate timed out."""
        return self.verdict is Verdict.TIME_LIMIT_EXCEEDED


@dataclass(frozen=True, kw_only=True)
class CandidateResult:
    """A candidate's result on the cases. kills: in the order of the runs; not_run: names of skipped cases."""

    name: str
    kills: tuple[Kill, ...] = ()
    not_run: tuple[str, ...] = ()
    runs: int = 0
    cpu_s: float = 0.0


@dataclass(frozen=True, kw_only=True)
class OriginalResult:
    """The original's result on a case that it solves."""

    cpu_s: float
    score: float


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A mutant compared with the original on new inputs.

    searched: number of inputs with equal output; killer: an input that kills the mutant; other_outputs: number of
    inputs on which it prints another correct output. failing: number of inputs on which the original itself fails
    (these are left out); failing_on: the first of them, on one line.
    """

    number: int
    searched: int
    killer: bytes | None = None
    other_outputs: int = 0
    failing: int = 0
    failing_on: str = ""


class Fate(enum.StrEnum):
    """The outcome of a mutant."""

    KILLED = "killed"
    SURVIVED = "survived"
    PRESUMED = "presumed equivalent"
    PROVED = "proved equivalent"
    LISTED = "listed by hand"
    UNBUILT = "does not compile"
    OUT_OF_TIME = "out of time"


@dataclass(frozen=True, kw_only=True)
class MutantOutcome:
    """The outcome of a mutant. searched: number of new inputs with equal output; killer: a new killing input.

    reason: why a person listed it in mutation.yaml.
    """

    mutant: Mutant
    fate: Fate
    kill: Kill | None = None
    searched: int = 0
    killer: bytes | None = None
    reason: str = ""
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class SolutionFindings:
    """All mutants of one solution. runs, cpu_s: the cost of judging them.

    unsearched: why no new inputs were searched for this solution. failing: valid new inputs on which the solution
    itself fails; failing_on: one of them, on one line.
    """

    path: str
    source: bytes
    findings: tuple[MutantOutcome, ...]
    runs: int = 0
    cpu_s: float = 0.0
    wall_s: float = 0.0
    unsearched: str = ""
    failing: int = 0
    failing_on: str = ""

    def of(self, fate: Fate) -> tuple[MutantOutcome, ...]:
        """Return the findings with this fate."""
        return tuple(finding for finding in self.findings if finding.fate is fate)

    @property
    def tested(self) -> int:
        """The number of mutants that were run."""
        return len(self.findings) - len(self.of(Fate.UNBUILT)) - len(self.of(Fate.OUT_OF_TIME))


@dataclass(frozen=True, kw_only=True)
class MutationReport:
    """Result of `harness mutate`. unsearched: why no new inputs were searched; empty if they were.

    stale: ids in mutation.yaml that match no mutant any more. left_out: solutions without a result, and why.
    """

    problem: str
    solutions: tuple[SolutionFindings, ...]
    searched_inputs: int = 0
    unsearched: str = ""
    stale: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def undecided(self) -> int:
        """The number of mutants that were not judged or searched for, as time was up."""
        return sum(len(solution.of(Fate.OUT_OF_TIME)) for solution in self.solutions)

    def survivors(self) -> Sequence[tuple[SolutionFindings, MutantOutcome]]:
        """Return every mutant that no case kills and that is not equivalent."""
        return [(solution, finding) for solution in self.solutions for finding in solution.of(Fate.SURVIVED)]
