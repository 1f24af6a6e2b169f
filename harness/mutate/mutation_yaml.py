"""Read generators/mutation.yaml (bug classes, reviewed mutants, generators for the search); check the bug classes.

The cases of a class must catch its wrong solutions, and no other case may. docs/mutation.md describes the file.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from fnmatch import fnmatchcase

from harness.build.executable import Built, Executable
from harness.errors import PackageError, first_few
from harness.host.host import Host
from harness.judge.judge_case import CaseJudge
from harness.judge.judging import Judging, NoMemory, ResultMemory
from harness.judge.run_case import submission_limits
from harness.mutate.judge_mutants import Progress, kill_of
from harness.package import GroupCase, Package
from harness.package.findings import Findings
from harness.package.yaml_lines import YamlSection, YamlValue, section_of
from harness.results.model import CaseResult
from harness.results.verdict import Reason
from harness.sandbox.facts import Sandbox
from harness.values import dataclass

NOTES = "generators/mutation.yaml"
_TIMED_OUT = (Reason.CPU_TIME, Reason.WALL_TIME, Reason.IDLE)


@dataclass(frozen=True, kw_only=True)
class BugClass:
    """A kind of mistake. solutions: wrong solutions that make it; cases: globs of the cases that catch it."""

    name: str
    what: str
    solutions: tuple[str, ...]
    cases: tuple[str, ...]
    line: int


@dataclass(frozen=True, kw_only=True)
class SearchCommand:
    """A generator to run `count` times with different seeds for new inputs."""

    generate: str
    count: int


@dataclass(frozen=True, kw_only=True)
class Notes:
    """The content of mutation.yaml. listed: by id of a reviewed mutant, the reason why it need not be killed."""

    classes: tuple[BugClass, ...] = ()
    listed: Mapping[str, str] = field(default_factory=dict)
    search: tuple[SearchCommand, ...] = ()


def read_notes(package: Package) -> Notes:
    """Read the package's notes; empty without the file. Raises PackageError with every fault."""
    file = package.files.get(NOTES)
    if file is None:
        return Notes()
    findings = Findings()
    section = section_of(file, findings)
    notes = _notes(section) if section is not None else Notes()
    if findings.faults:
        raise PackageError(findings.faults)
    return notes


def _notes(section: YamlSection) -> Notes:
    classes = _section(section.take("classes"))
    listed = section.take("listed")
    search = section.take("search")
    notes = Notes(
        classes=tuple(_class(name, value) for name, value in (classes.entries if classes else {}).items()),
        listed=_listed(listed),
        search=tuple(_command(item) for item in (search.items() if search is not None else ())),
    )
    section.finish("mutation.yaml")
    return notes


def _section(value: YamlValue | None) -> YamlSection | None:
    return value.section() if value is not None else None


def _class(name: str, value: YamlValue) -> BugClass:
    section = value.section()
    if section is None:
        return BugClass(name=name, what="", solutions=(), cases=(), line=value.line)
    bug_class = BugClass(
        name=name,
        what=section.string("what", "") or "",
        solutions=section.strings("solutions"),
        cases=section.strings("cases"),
        line=value.line,
    )
    for key, content in (("what", bug_class.what), ("solutions", bug_class.solutions), ("cases", bug_class.cases)):
        if not content:
            value.fault(f"the bug class `{name}` lacks `{key}`")
    section.finish(f"the bug class {name}")
    return bug_class


def _listed(value: YamlValue | None) -> dict[str, str]:
    """Read a list of reasons with mutants; return the reason by mutant."""
    reasons: dict[str, str] = {}
    for item in value.items() if value is not None else ():
        section = item.section()
        if section is None:
            continue
        why = section.string("why") or ""
        mutants = _section(section.take("mutants"))
        if not why or mutants is None:
            item.fault("a listed reason needs `why`, and `mutants` (id: the change, for the reader)")
            continue
        for name, entry in mutants.entries.items():
            if name in reasons:
                entry.fault(f"the mutant {name} is listed twice: keep one reason")
            reasons[name] = why
        section.finish("a listed reason")
    return reasons


def _command(value: YamlValue) -> SearchCommand:
    section = value.section()
    if section is None:
        return SearchCommand(generate="", count=0)
    command = SearchCommand(
        generate=section.string("generate", "") or "", count=section.integer("count", 1, 1) or 1
    )
    if not command.generate:
        value.fault("a search command lacks `generate`")
    section.finish("a search command")
    return command


@dataclass(frozen=True, kw_only=True)
class ClassCheck:
    """The check of a bug class. killers: by solution, a case of the class that catches it. faults: with their fixes."""

    name: str
    what: str
    line: int
    killers: Mapping[str, tuple[str, ...]]
    faults: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class CatalogueCheck:
    """The check of the catalogue of bug classes."""

    classes: tuple[ClassCheck, ...] = ()

    @property
    def faults(self) -> tuple[str, ...]:
        """All faults, each with the name of its class."""
        return tuple(f"bug class {check.name}: {fault}" for check in self.classes for fault in check.faults)


def check_catalogue(
    package: Package,
    host: Host,
    *,
    memory: ResultMemory | None = None,
    progress: Progress = lambda _: None,
    lenient_s: float | None = None,
) -> CatalogueCheck:
    """Judge the solutions that the catalogue names.

    A solution is run on the cases of its class until one catches it, and on all other cases.

    Args:
        memory: results that are not judged again.
        lenient_s: time limit for the other cases, so that a busy machine does not make a slow solution look caught.

    Raises:
        PackageError: The catalogue cannot be read.
    """
    classes = read_notes(package).classes
    programs = {program.path: program for program in package.submissions}
    named = {path: programs[path] for bug_class in classes for path in bug_class.solutions if path in programs}
    built = dict(zip(named, host.build_submissions(package, list(named.values())), strict=True))
    checks: tuple[ClassCheck, ...] = ()
    if classes:
        judge = Judging(package=package, host=host).case_judge
        lenient = replace(judge, limits=submission_limits(package, lenient_s)) if lenient_s is not None else judge
        cases = package.cases_with_groups()
        judging = _SolutionJudge(
            judge=judge, lenient=lenient, cases=cases, memory=memory or NoMemory(), progress=progress
        )
        checks = tuple(_check(bug_class, cases, _catches(bug_class, built, judging)) for bug_class in classes)
    return CatalogueCheck(classes=checks)


@dataclass(frozen=True, kw_only=True)
class Catches:
    """The cases that catch a solution, with verdicts: the first of its class, and all outside its classes."""

    own: tuple[str, ...]
    others: tuple[str, ...]


def _catches(
    bug_class: BugClass, built: Mapping[str, Built], judging: "_SolutionJudge"
) -> dict[str, Catches | None]:
    """Return for each solution of the class which cases catch it; None if this machine cannot build it."""
    return {
        path: judging.catches(executable, bug_class) if isinstance(executable, Executable) else None
        for path in bug_class.solutions
        if (executable := built.get(path)) is not None
    }


@dataclass(frozen=True, kw_only=True)
class _SolutionJudge:
    """Judges solutions on cases, or recalls stored results. lenient: judges the cases outside of the class."""

    judge: CaseJudge
    lenient: CaseJudge
    cases: Sequence[GroupCase]
    memory: ResultMemory
    progress: Progress

    def catches(self, executable: Executable, bug_class: BugClass) -> Catches:
        own = [item for item in self.cases if _matches(bug_class, item[1].name)]
        others = [item for item in self.cases if not _matches(bug_class, item[1].name)]
        lenient = replace(self, judge=self.lenient)
        return Catches(own=self._first(executable, own), others=lenient._all(executable, others))

    def _first(self, executable: Executable, cases: Sequence[GroupCase]) -> tuple[str, ...]:
        """Return a case that catches the solution, preferably a case whose result is stored."""
        for item in cases:
            if _is_caught(self._recalled(executable, item)):
                return (item[1].name,)
        for item in cases:
            if self._recalled(executable, item) is None and _is_caught(self._alone(executable, item)):
                return (item[1].name,)
        return ()

    def _all(self, executable: Executable, cases: Sequence[GroupCase]) -> tuple[str, ...]:
        """Return every case that catches the solution. A time-out must happen twice: the machine may be busy."""
        results = {item[1].name: self._recalled(executable, item) for item in cases}
        missing = [item for item in cases if results[item[1].name] is None]
        for item, result in self.judge.host.pool.each(self._work(executable), missing):
            timed_out = result.reason in _TIMED_OUT
            results[item[1].name] = self._alone(executable, item) if timed_out else result
        return tuple(
            f"{name} ({result.verdict})" for name, result in results.items() if result and _is_caught(result)
        )

    def _recalled(self, executable: Executable, item: GroupCase) -> CaseResult | None:
        return self.memory.recall(executable, *item, self.judge.limits)

    def _alone(self, executable: Executable, item: GroupCase) -> CaseResult:
        return self.judge.host.pool.alone(self._work(executable), item)

    def _work(self, executable: Executable) -> Callable[[Sandbox, GroupCase], CaseResult]:
        def work(sandbox: Sandbox, item: GroupCase) -> CaseResult:
            result = self.judge.judge(sandbox, executable, *item)
            self.memory.keep(executable, *item, self.judge.limits, result)
            self.progress(f"{executable.program.path} {result.name} {result.verdict}")
            return result

        return work


def _is_caught(result: CaseResult | None) -> bool:
    return result is not None and kill_of(result, {}) is not None


def _check(bug_class: BugClass, cases: Sequence[GroupCase], catches: Mapping[str, Catches | None]) -> ClassCheck:
    exists = any(_matches(bug_class, case.name) for _, case in cases)
    faults = [] if exists else [f"no test case is like {', '.join(bug_class.cases)}: add one, or correct `cases`"]
    killers: dict[str, tuple[str, ...]] = {}
    for path in bug_class.solutions:
        if path not in catches:
            faults.append(f"no solution {path}: write one that makes this mistake")
            continue
        caught = catches[path]
        if caught is not None:  # else this machine cannot build it
            killers[path] = caught.own
            faults += _solution_faults(path, caught)
    return ClassCheck(
        name=bug_class.name, what=bug_class.what, line=bug_class.line, killers=killers, faults=tuple(faults)
    )


def _solution_faults(path: str, caught: Catches) -> list[str]:
    others = first_few(caught.others, 3)
    if not caught.own:
        elsewhere = f", only by {others}: correct `cases`" if others else ": the data lacks a killer"
        return [f"{path} is caught by none of its cases{elsewhere}"]
    if others:
        return [f"{path} is caught by {others}, too, which are not of this class: widen `cases` or narrow it"]
    return []


def _matches(bug_class: BugClass, case: str) -> bool:
    return any(
        fnmatchcase(case, glob) or fnmatchcase(case.removeprefix("secret/"), glob) for glob in bug_class.cases
    )
