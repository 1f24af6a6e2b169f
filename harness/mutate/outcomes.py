"""Results of mutation testing: of one candidate on the cases, of one mutant, of a solution, of the whole package."""

import enum
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from harness.errors import HarnessError
from harness.results.verdict import Verdict
from harness.values import dataclass

Item = TypeVar("Item")
_SPACES = re.compile(r"\s+")
# Names of the two axes of a grid, which contestants mix up.
_AXES = (
    "rows:columns rows:cols row:column row:col height:width people:apples h:w H:W R:C r:c n:m N:M i:j x:y "
    "dx:dy dr:dc di:dj rising:falling"
)
_AXIS_PAIRS = tuple(pair.split(":") for pair in _AXES.split())


class MutationError(HarnessError):
    """A solution cannot be mutated: unknown language, build failure, or not accepted on the data."""


class UnsearchableError(MutationError):
    """No new inputs can be searched for the mutants of a solution; the message says why and how to fix it."""


class Operator(enum.StrEnum):
    """A kind of mistake."""

    BOUNDARY = "boundary"  # < for <=
    RELATION = "relation"  # == for !=, < for >
    CONDITION = "condition"  # if (!x) for if (x)
    CONJUNCTION = "conjunction"  # || for &&, or one side left out
    CONSTANT = "constant"  # 8 for 7
    ARITHMETIC = "arithmetic"  # + for -
    DIVISION = "division"  # rounded up for down, % left out
    MINMAX = "minmax"  # min for max, or one side left out
    AXES = "axes"  # rows for columns, a[j][i]
    ARGUMENTS = "arguments"  # f(b, a)
    DIRECTIONS = "directions"  # two entries of a table swapped
    STATEMENT = "statement"  # a statement left out
    RESET = "reset"  # a reset left out
    LATE_MARK = "late_mark"  # marked when taken out of a queue, not when put in
    ORDER = "order"  # two statements swapped
    JUMP = "jump"  # break for continue
    UPDATE = "update"  # = for +=
    NARROW = "narrow"  # 32 bits for 64


@dataclass(frozen=True, kw_only=True)
class Edit:
    """Bytes of the source from `start` to `end` become `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """One small change of a solution.

    number: from 1 within its solution; it selects the mutant at run time. id: a digest of operator, function, text of
    the line and change, for people's notes: it survives edits elsewhere in the file. statement: whether the edit
    replaces a whole statement.
    """

    operator: Operator
    function: str
    line: int
    before: str
    after: str
    edit: Edit
    number: int = 0
    id: str = ""
    statement: bool = False


def squeezed(text: str) -> str:
    """Put a text on one line."""
    return _SPACES.sub(" ", text).strip()


def axis_partner(name: str, identifiers: frozenset[str]) -> str | None:
    """Return the name of the grid's other axis if it is among the identifiers; None if `name` is no axis."""
    for first, second in _AXIS_PAIRS:
        if name == first and second in identifiers:
            return second
        if name == second and first in identifiers:
            return first
    return None


def swaps(items: list[Item]) -> list[list[Item]]:
    """Return the list with each pair of neighbours swapped in turn."""
    return [[*items[:at], items[at + 1], items[at], *items[at + 2 :]] for at in range(len(items) - 1)]


def spread(items: Sequence[Item], most: int | None) -> tuple[Item, ...]:
    """Choose at most `most` items (None: all), evenly spread, beginning with the first."""
    if most is None or len(items) <= most:
        return tuple(items)
    return tuple(items[index * len(items) // most] for index in range(most))


def numbered(mutants: Iterable[Mutant], source: bytes) -> tuple[Mutant, ...]:
    """Order mutants by position, drop duplicates, and set their numbers and ids."""
    lines = source.decode(errors="replace").splitlines()
    unique: dict[tuple[int, int, str], Mutant] = {}
    for mutant in sorted(mutants, key=lambda mutant: (mutant.edit.start, mutant.edit.end)):
        edit = mutant.edit
        if source[edit.start : edit.end].decode(errors="replace") != edit.text:
            unique.setdefault((edit.start, edit.end, edit.text), mutant)
    seen: dict[tuple[str, ...], int] = {}
    result = []
    for number, mutant in enumerate(unique.values(), start=1):
        line = squeezed(lines[mutant.line - 1]) if mutant.line <= len(lines) else ""
        key = (mutant.operator.value, mutant.function, line, mutant.before, mutant.after)
        seen[key] = seen.get(key, 0) + 1
        digest = hashlib.sha256("\0".join((*key, str(seen[key]))).encode()).hexdigest()
        result.append(replace(mutant, number=number, id=digest[:10]))
    return tuple(result)


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
