"""Mutants as text edits, and what became of them."""

import enum
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from harness.results.verdict import Verdict
from harness.values import dataclass

_SPACES = re.compile(r"\s+")


class Operator(enum.StrEnum):
    """The mistakes that contestants make, as small changes of a right program."""

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
    LATE_MARK = "late_mark"  # marked when taken out, not when put in; or put in before it is marked
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
    """One small change of a solution. number: from 1 within its solution, for running; id: stable, for people's notes.

    The id is made of operator, function, the line's text without spacing, and the change: it survives edits elsewhere
    in the file, and becomes stale when the line itself changes. batch: whether it also works in a process that runs
    the program many times (not so for what happens before `main`).
    """

    number: int
    id: str
    operator: Operator
    function: str
    line: int
    before: str
    after: str
    edit: Edit
    statement: bool = False
    batch: bool = True

    @property
    def change(self) -> str:
        """The change in short."""
        return f"{self.before} → {self.after}"


def mutated(source: bytes, edit: Edit) -> bytes:
    """The source with one change made."""
    return source[: edit.start] + edit.text.encode() + source[edit.end :]


def squeezed(text: str) -> str:
    """A text on one line."""
    return _SPACES.sub(" ", text).strip()


def numbered(mutants: Iterable[Mutant], source: bytes) -> tuple[Mutant, ...]:
    """The mutants in order of their place, without repeats, with numbers and ids."""
    lines = source.decode(errors="replace").splitlines()
    found: dict[tuple[int, int, str], Mutant] = {}
    for mutant in sorted(mutants, key=lambda one: (one.edit.start, one.edit.end)):
        if source[mutant.edit.start : mutant.edit.end].decode(errors="replace") != mutant.edit.text:
            found.setdefault((mutant.edit.start, mutant.edit.end, mutant.edit.text), mutant)
    seen: dict[tuple[str, ...], int] = {}
    result = []
    for number, mutant in enumerate(found.values(), start=1):
        line = squeezed(lines[mutant.line - 1]) if mutant.line <= len(lines) else ""
        key = (mutant.operator.value, mutant.function, line, mutant.before, mutant.after)
        seen[key] = seen.get(key, 0) + 1
        digest = hashlib.sha256("\0".join((*key, str(seen[key]))).encode()).hexdigest()
        result.append(replace(mutant, number=number, id=digest[:10]))
    return tuple(result)


class Fate(enum.StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    SURVIVED = "survived"
    PRESUMED = "presumed equivalent"
    PROVED = "proved equivalent"
    LISTED = "listed by hand"
    UNBUILT = "does not compile"


@dataclass(frozen=True, kw_only=True)
class Kill:
    """A case told a program from the original. timed_out: by its limit of time, not by its answer."""

    case: str
    verdict: Verdict
    message: str = ""

    @property
    def timed_out(self) -> bool:
        """Whether it ran out of time."""
        return self.verdict is Verdict.TIME_LIMIT_EXCEEDED


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What became of one mutant. searched: inputs on which it was like the original; killer: a new input that kills it.

    reason: of a mutant listed by hand. note: what else a reader should know.
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
    """All mutants of one solution. cpu_s: of judging them; runs: how many it took.

    unsearched: why its survivors were not searched for killers, though others were; empty: nothing kept them from it.
    failing: valid inputs of the search on which it does not end well; failing_on: one of them, in a line.
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
        """The findings of one fate."""
        return tuple(finding for finding in self.findings if finding.fate is fate)

    @property
    def tested(self) -> int:
        """How many mutants could be run."""
        return len(self.findings) - len(self.of(Fate.UNBUILT))


@dataclass(frozen=True, kw_only=True)
class MutationReport:
    """The whole of one `harness mutate`. unsearched: why no new inputs were searched; empty: they were.

    left_out: why nothing is said of a solution, a line each.
    """

    problem: str
    solutions: tuple[SolutionFindings, ...]
    searched_inputs: int = 0
    unsearched: str = ""
    stale: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def survivors(self) -> Sequence[tuple[SolutionFindings, Finding]]:
        """Every mutant that nothing accounts for."""
        return [(one, finding) for one in self.solutions for finding in one.of(Fate.SURVIVED)]
