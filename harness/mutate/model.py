"""Results of mutation testing: of one candidate on the cases, of one mutant, of a solution, of the whole package."""

import enum
from collections.abc import Sequence

from harness.mutate.mutants import Mutant
from harness.results.verdict import Verdict
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Kill:
    """A case on which a candidate does worse than the original: another verdict than AC, or fewer points."""

    case: str
    verdict: Verdict
    message: str = ""

    @property
    def timed_out(self) -> bool:
        """Whether the candidate ran out of time."""
        return self.verdict is Verdict.TIME_LIMIT_EXCEEDED


@dataclass(frozen=True, kw_only=True)
class CandidateResult:
    """A mutant or a wrong solution on the cases. kills: in the order of running; not_run: names of cases left out."""

    name: str
    kills: tuple[Kill, ...] = ()
    not_run: tuple[str, ...] = ()
    runs: int = 0
    cpu_s: float = 0.0


@dataclass(frozen=True, kw_only=True)
class OriginalResult:
    """The original on a case that it solves."""

    cpu_s: float
    score: float


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A mutant compared with the original on new inputs.

    searched: on how many inputs it does not differ; killer: an input that kills it; other_outputs: on how many inputs
    it prints another output that is correct, too. failing: on how many inputs the original itself fails (these are left
    out); failing_on: the first of them, on one line.
    """

    number: int
    searched: int
    killer: bytes | None = None
    other_outputs: int = 0
    failing: int = 0
    failing_on: str = ""


class Fate(enum.StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    SURVIVED = "survived"
    PRESUMED = "presumed equivalent"
    PROVED = "proved equivalent"
    LISTED = "listed by hand"
    UNBUILT = "does not compile"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What became of one mutant. searched: new inputs on which it does not differ; killer: a new input that kills it.

    reason: why it is listed by hand.
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
    """All mutants of one solution. runs, cpu_s: what judging them took.

    unsearched: why no new inputs were searched for this solution. failing: valid new inputs on which the solution
    itself fails; failing_on: one of them, on one line.
    """

    path: str
    source: bytes
    findings: tuple[Finding, ...]
    runs: int = 0
    cpu_s: float = 0.0
    wall_s: float = 0.0
    unsearched: str = ""
    failing: int = 0
    failing_on: str = ""

    def of(self, fate: Fate) -> tuple[Finding, ...]:
        """Return the findings of one fate."""
        return tuple(finding for finding in self.findings if finding.fate is fate)

    @property
    def tested(self) -> int:
        """How many mutants were run."""
        return len(self.findings) - len(self.of(Fate.UNBUILT))


@dataclass(frozen=True, kw_only=True)
class MutationReport:
    """Result of `harness mutate`. unsearched: why no new inputs were searched; empty: they were.

    stale: ids in mutation.yaml of which there is no mutant any more. left_out: solutions without a result, and why.
    """

    problem: str
    solutions: tuple[SolutionFindings, ...]
    searched_inputs: int = 0
    unsearched: str = ""
    stale: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def survivors(self) -> Sequence[tuple[SolutionFindings, Finding]]:
        """Return every mutant that neither a case kills nor equivalence explains."""
        return [(solution, finding) for solution in self.solutions for finding in solution.of(Fate.SURVIVED)]
