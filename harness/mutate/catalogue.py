"""The catalogue of bug classes: each needs a wrong solution that the cases of this class catch, and no other case.

A class without a solution, a case or a kill is an error of the package.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from harness.build import Built, Executable
from harness.host.host import Host, submission_build_limits
from harness.judge import Judging, Memory, NoMemory
from harness.judge.case_setting import submission_limits
from harness.judge.judge_case import CaseJudge
from harness.mutate.judge_mutants import Judged, kill_of
from harness.mutate.mutation import judged_cases
from harness.mutate.mutation_yaml import BugClass, read_notes
from harness.package import Package
from harness.results.model import CaseResult
from harness.results.verdict import Reason
from harness.sandbox import Sandbox
from harness.values import dataclass

Progress = Callable[[str], None]
_TIMED_OUT = (Reason.CPU_TIME, Reason.WALL_TIME, Reason.IDLE)


@dataclass(frozen=True, kw_only=True)
class ClassCheck:
    """One bug class. killers: by solution, a case of the class that catches it; faults: what is wrong, with mends."""

    name: str
    what: str
    line: int
    killers: Mapping[str, tuple[str, ...]]
    faults: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class CatalogueCheck:
    """The whole catalogue. present: False for a package that has none, which is no fault."""

    present: bool
    classes: tuple[ClassCheck, ...] = ()

    @property
    def faults(self) -> tuple[str, ...]:
        """Everything that is wrong, with the name of the class."""
        return tuple(f"bug class {one.name}: {fault}" for one in self.classes for fault in one.faults)


def check_catalogue(
    package: Package,
    host: Host,
    *,
    memory: Memory | None = None,
    progress: Progress = lambda _: None,
    lenient_s: float | None = None,
) -> CatalogueCheck:
    """Judge the solutions that the catalogue names and hold the outcome against it.

    Of its own class's cases a solution is run on as many as it takes to catch it, of all others on every one; what the
    memory knows is not run again. lenient_s: the time limit of those others, wider than the package's own, so that a
    busy machine does not make a catch of a solution that is merely not fast.
    Raises PackageError for a catalogue that cannot be read.
    """
    classes = read_notes(package).classes
    programs = {one.path: one for one in package.submissions}
    named = {path: programs[path] for one in classes for path in one.solutions if path in programs}
    limits = submission_build_limits(package.limits)
    built = dict(zip(named, host.build_all(list(named.values()), limits, package.include), strict=True))
    checks: tuple[ClassCheck, ...] = ()
    if classes:
        judge = Judging(package=package, host=host).case_judge
        lenient = replace(judge, limits=submission_limits(package, lenient_s)) if lenient_s is not None else judge
        cases = judged_cases(package)
        trier = _Trier(judge=judge, lenient=lenient, cases=cases, memory=memory or NoMemory(), progress=progress)
        checks = tuple(_check(one, cases, _catches(one, built, trier)) for one in classes)
    return CatalogueCheck(present=bool(classes), classes=checks)


@dataclass(frozen=True, kw_only=True)
class Catches:
    """The cases that catch a solution: one of its class, and all that are not of its class, with what it got there."""

    own: tuple[str, ...]
    others: tuple[str, ...]


def _catches(one: BugClass, built: Mapping[str, Built], trier: "_Trier") -> dict[str, Catches | None]:
    """By solution of the class that exists; None: this machine cannot build it."""
    return {
        path: trier.catches(outcome, one) if isinstance(outcome, Executable) else None
        for path in one.solutions
        if (outcome := built.get(path)) is not None
    }


@dataclass(frozen=True, kw_only=True)
class _Trier:
    """Runs solutions on cases, unless the memory knows the outcome."""

    judge: CaseJudge
    lenient: CaseJudge
    cases: Sequence[Judged]
    memory: Memory
    progress: Progress

    def catches(self, executable: Executable, one: BugClass) -> Catches:
        mine = [judged for judged in self.cases if _matches(one, judged[1].name)]
        rest = [judged for judged in self.cases if not _matches(one, judged[1].name)]
        lenient = replace(self, judge=self.lenient)
        return Catches(own=self._first(executable, mine), others=lenient._all(executable, rest))

    def _first(self, executable: Executable, cases: Sequence[Judged]) -> tuple[str, ...]:
        """A case that catches it, known ones before any is run."""
        for judged in cases:
            if _catches_it(self._recalled(executable, judged)):
                return (judged[1].name,)
        for judged in cases:
            if self._recalled(executable, judged) is None and _catches_it(self._alone(executable, judged)):
                return (judged[1].name,)
        return ()

    def _all(self, executable: Executable, cases: Sequence[Judged]) -> tuple[str, ...]:
        """Every case that catches it. A time-out has to happen twice, for a busy machine may be the reason."""
        known = {judged[1].name: self._recalled(executable, judged) for judged in cases}
        unknown = [judged for judged in cases if known[judged[1].name] is None]
        for judged, result in self.judge.host.pool.each(self._work(executable), unknown):
            timed_out = result.reason in _TIMED_OUT
            known[judged[1].name] = self._alone(executable, judged) if timed_out else result
        return tuple(
            f"{name} ({result.verdict})" for name, result in known.items() if result and _catches_it(result)
        )

    def _recalled(self, executable: Executable, judged: Judged) -> CaseResult | None:
        return self.memory.recall(executable, *judged, self.judge.limits)

    def _alone(self, executable: Executable, judged: Judged) -> CaseResult:
        return self.judge.host.pool.alone(self._work(executable), judged)

    def _work(self, executable: Executable) -> Callable[[Sandbox, Judged], CaseResult]:
        def work(sandbox: Sandbox, judged: Judged) -> CaseResult:
            result = self.judge.judge(sandbox, executable, *judged)
            self.memory.keep(executable, *judged, self.judge.limits, result)
            self.progress(f"{executable.program.path} {result.name} {result.verdict}")
            return result

        return work


def _catches_it(result: CaseResult | None) -> bool:
    return result is not None and kill_of(result, {}) is not None


def _check(one: BugClass, cases: Sequence[Judged], catches: Mapping[str, Catches | None]) -> ClassCheck:
    exists = any(_matches(one, case.name) for _, case in cases)
    faults = [] if exists else [f"no test case is like {', '.join(one.cases)}: add one, or correct `cases`"]
    killers: dict[str, tuple[str, ...]] = {}
    for path in one.solutions:
        if path not in catches:
            faults.append(f"no solution {path}: write one that makes this mistake")
            continue
        caught = catches[path]
        if caught is not None:  # else this machine cannot build it
            killers[path] = caught.own
            faults += _solution_faults(path, caught)
    return ClassCheck(name=one.name, what=one.what, line=one.line, killers=killers, faults=tuple(faults))


def _solution_faults(path: str, caught: Catches) -> list[str]:
    more = f" and {len(caught.others) - 3} more" if len(caught.others) > 3 else ""
    others = ", ".join(caught.others[:3]) + more
    if not caught.own:
        elsewhere = f", only by {others}: correct `cases`" if others else ": the data lacks a killer"
        return [f"{path} is caught by none of its cases{elsewhere}"]
    if others:
        return [f"{path} is caught by {others}, too, which are not of this class: widen `cases` or narrow it"]
    return []


def _matches(one: BugClass, case: str) -> bool:
    return any(fnmatchcase(case, glob) or fnmatchcase(case.removeprefix("secret/"), glob) for glob in one.cases)
