"""The catalogue of bug classes: each needs a wrong solution that the cases of this class catch, and no other case.

`verify` may call `check_catalogue`. A class without a solution, a case or a kill is an error of the package.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from harness.build import Executable
from harness.host import Host, submission_build_limits
from harness.judge import Judging
from harness.judge.case import CaseJudge
from harness.mutate.mutation import judged_cases
from harness.mutate.notes import BugClass, read_notes
from harness.mutate.trial import Judged, kill_of
from harness.package import Package
from harness.sandbox import Sandbox


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


def check_catalogue(package: Package, host: Host) -> CatalogueCheck:
    """Judge the solutions that the catalogue names and hold the outcome against it.

    Of its own class's cases a solution is run on as many as it takes to catch it, of all others on every one. Raises
    PackageError for a catalogue that cannot be read.
    """
    classes = read_notes(package).classes
    programs = {one.path: one for one in package.submissions}
    named = {path: programs[path] for one in classes for path in one.solutions if path in programs}
    built = dict(
        zip(named, host.build_all(list(named.values()), submission_build_limits(package.limits)), strict=True)
    )
    judge = Judging(package=package, host=host).case_judge
    cases = judged_cases(package)
    catches: dict[str, Catches | None] = {}
    for one in classes:
        chosen = {path: outcome for path in one.solutions if isinstance(outcome := built.get(path), Executable)}
        catches |= dict.fromkeys((path for path in one.solutions if path in named), None)
        catches |= {path: _caught(judge, outcome, one, cases) for path, outcome in chosen.items()}
    return CatalogueCheck(present=bool(classes), classes=tuple(_check(one, cases, catches) for one in classes))


@dataclass(frozen=True, kw_only=True)
class Catches:
    """The cases that catch a solution: the first of its class, and all that are not of its class."""

    own: tuple[str, ...]
    others: tuple[str, ...]


def _caught(judge: CaseJudge, executable: Executable, one: BugClass, cases: Sequence[Judged]) -> Catches:
    def killed(sandbox: Sandbox, judged: Judged) -> bool:
        return kill_of(judge.judge(sandbox, executable, *judged), {}) is not None

    mine = [judged for judged in cases if _matches(one, judged[1].name)]
    rest = [judged for judged in cases if not _matches(one, judged[1].name)]
    others = zip(rest, judge.host.pool.in_order(killed, rest), strict=True)
    first = next((judged for judged in mine if judge.host.pool.alone(killed, judged)), None)
    return Catches(
        own=(first[1].name,) if first is not None else (),
        others=tuple(case.name for (_, case), is_killed in others if is_killed),
    )


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
    if not caught.own:
        return [f"{path} is caught by none of its cases: the data lacks a killer"]
    if caught.others:
        shown = ", ".join(caught.others[:3])
        more = f" and {len(caught.others) - 3} more" if len(caught.others) > 3 else ""
        return [f"{path} is caught by {shown}{more}, too, which are not of this class: widen `cases` or narrow it"]
    return []


def _matches(one: BugClass, case: str) -> bool:
    return any(fnmatchcase(case, glob) or fnmatchcase(case.removeprefix("secret/"), glob) for glob in one.cases)
