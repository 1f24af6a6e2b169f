"""Grade entries in batches: reuse stored results, and store each new result at once.

The store's keys are digests of everything that a result depends on.
"""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, field, replace
from pathlib import Path

from harness.build.executable import Built, Executable
from harness.build.languages import LanguageTable
from harness.errors import MachineError
from harness.judge.judge_case import CaseRunner
from harness.judge.judging import Judging, Observer
from harness.judge.submission_result import Entry
from harness.package import Package, Program, Rule
from harness.results.model import Asked, CaseResult, Machine, SubmissionResult
from harness.results.verdict import Verdict
from harness.rules.outcomes import with_outcome
from harness.sandbox.facts import Isolation
from harness.store.database import Store
from harness.store.identity import (
    digest_of_texts,
    harness_identity,
    package_identity,
    program_identity,
    tools_identity,
)
from harness.values import dataclass

BATCH = 64


JudgeBatch = Callable[[Sequence[Entry], Observer], Iterator[SubmissionResult]]


@dataclass(frozen=True, kw_only=True)
class Remote:
    """The workers of a cluster. runner: builds and runs the submissions of a package there."""

    isolation: Isolation
    machines: Mapping[str, Machine]
    runner: Callable[[Package], CaseRunner]


class BatchJudge:
    """Judges batches of entries with one Judging, so the output validator is built and warmed once."""

    def __init__(self, judging: Judging) -> None:
        self._observer = Observer()
        self._judging = replace(judging, observer=Observer(built=self._built, case=self._case))
        self._programs: list[Executable] = []

    def judge(self, entries: Sequence[Entry], observer: Observer) -> Iterator[SubmissionResult]:
        """Judge, then remove the built programs: those of a hundred thousand submissions would fill the disk."""
        self._observer = observer
        try:
            yield from self._judging.in_order(entries)
        finally:
            for program in self._programs:
                shutil.rmtree(program.directory, ignore_errors=True)
            self._programs.clear()

    def _built(self, path: str, built: Built) -> None:
        if isinstance(built, Executable) and self._judging.host.stage.root in built.directory.parents:
            self._programs.append(built)
        self._observer.built(path, built)

    def _case(self, path: str, case: CaseResult) -> None:
        self._observer.case(path, case)


@dataclass(frozen=True, kw_only=True)
class GradingObserver:
    """Observes a grading, in the calling thread.

    case: a case was judged. stored: number of a submission's cases that were in the store before the grading.
    """

    case: Callable[[str, CaseResult], None] = lambda _path, _case: None
    stored: Callable[[str, int], None] = lambda _path, _cases: None


@dataclass(frozen=True, kw_only=True)
class Job:
    """An entry, and the keys of its results in the store. key: `submission_key`; demands: `demands_digest`."""

    entry: Entry
    key: str
    demands: str


@dataclass(frozen=True, kw_only=True)
class Grading:
    """Grades entries. conditions: see `conditions_digest`. repeat: how often each entry is judged. batch: its size.

    tools: returns a program's compilers and interpreters on this machine; none if it is built elsewhere.
    """

    judge: JudgeBatch
    store: Store
    conditions: str
    complete: bool = False
    repeat: int = 1
    asked: Asked | None = None
    batch: int = BATCH
    observer: GradingObserver = field(default_factory=GradingObserver)
    tools: Callable[[Program], Sequence[Path]] = lambda _program: ()
    _judged_keys: set[tuple[str, int]] = field(default_factory=set, init=False)

    def jobs(self, entries: Sequence[Entry]) -> list[Job]:
        """Return the entries with their keys. Raises MachineError for a file that cannot be read."""
        return [self._job(entry) for entry in entries]

    def run(self, jobs: Sequence[Job]) -> Iterator[SubmissionResult]:
        """Yield the results in the order of the jobs, each as soon as it and all earlier results are final."""
        for start in range(0, len(jobs), self.batch):
            yield from self._batch(jobs[start : start + self.batch])

    def _job(self, entry: Entry) -> Job:
        return Job(
            entry=entry,
            key=submission_key(entry.program, self.conditions, self.tools(entry.program)),
            demands=demands_digest(entry.rules, complete=self.complete),
        )

    def _batch(self, jobs: Sequence[Job]) -> Iterator[SubmissionResult]:
        rounds = [list(self._judged(jobs, repeat)) for repeat in range(self.repeat - 1)]
        for results in zip(*rounds, self._judged(jobs, self.repeat - 1), strict=True):
            yield with_outcome(combined(results), self.asked)

    def _judged(self, jobs: Sequence[Job], repeat: int) -> Iterator[SubmissionResult]:
        """Judge the jobs. A job with the same files as an earlier job gets its result."""
        finished = {id(job): self._finished(job, repeat) for job in jobs}
        firsts: dict[str, Job] = {}
        for job in jobs:
            if finished[id(job)] is None:
                firsts.setdefault(job.key, job)
        results = self._judge(list(firsts.values()), repeat)
        for job in jobs:
            result = finished[id(job)]
            if result is None and firsts[job.key] is not job:
                result = self._finished(job, repeat)
                if result is None:  # same files, but different demands
                    results = iter(list(results))
                    [result] = self._judge([job], repeat)
            yield result if result is not None else next(results)
        yield from results  # yields nothing: it lets the generator end, which removes the built programs

    def _finished(self, job: Job, repeat: int) -> SubmissionResult | None:
        stored = self.store.submission(job.key, repeat, job.demands)
        if stored is None or not _settled(stored):
            return None
        if (job.key, repeat) not in self._judged_keys:  # else a submission with the same files put them there
            self.observer.stored(job.entry.program.path, len(stored.cases))
        return replace(stored, path=job.entry.program.path)

    def _judge(self, jobs: Sequence[Job], repeat: int) -> Iterator[SubmissionResult]:
        """Judge jobs that are not in the store as a whole, reusing stored cases; store each new result at once."""
        keys = {job.entry.program.path: job.key for job in jobs}
        self._judged_keys.update((job.key, repeat) for job in jobs)

        def keep(path: str, case: CaseResult) -> None:
            # A judge error may be fixed, and an interrupted run proves nothing: retry both.
            if case.judged and case.verdict is not Verdict.JUDGE_ERROR:
                self.store.put_case(keys[path], repeat, case)
            self.observer.case(path, case)

        entries = [replace(job.entry, known=self.store.cases(job.key, repeat)) for job in jobs]
        for entry in entries:
            self.observer.stored(entry.program.path, len(entry.known))
        if entries:
            for job, result in zip(jobs, self.judge(entries, Observer(case=keep)), strict=True):
                self.store.put_submission(job.key, repeat, job.demands, result)
                yield result


def _settled(result: SubmissionResult) -> bool:
    """Return whether the result is final: a judging that failed may succeed later."""
    return not result.unavailable and result.verdict not in (Verdict.JUDGE_ERROR, Verdict.SKIPPED)


def combined(results: Sequence[SubmissionResult]) -> SubmissionResult:
    """Return the first result with the verdicts of all repeats, which reveal unstable cases."""
    first = results[0]
    if len(results) == 1:
        return first
    by_name = [{case.name: case for case in result.cases} for result in results]
    cases = tuple(
        replace(case, repeats=tuple(names[case.name].verdict for names in by_name)) for case in first.cases
    )
    return replace(first, cases=cases, repeats=tuple(result.verdict for result in results))


# Folders of a package that cannot affect a verdict.
_NOT_JUDGED_WITH = ("submissions/", "statement/", "solution/", "attachments/", "generators/", "input_validators/")


def judged_files_identity(package: Package) -> str:
    """Return a digest of the files of a package that a verdict depends on."""
    return package_identity(package, without=_NOT_JUDGED_WITH)


def conditions_digest(
    package: Package, isolation: Isolation, languages: LanguageTable, tools: Iterable[Path] = ()
) -> str:
    """Digest everything but the submission: package, limits, isolation tier, languages, and the harness' own sources.

    tools: the compilers and interpreters of the output validators. Raises MachineError for a file that cannot be read.
    """
    limits = json.dumps(asdict(package.limits), sort_keys=True)
    table = repr(sorted((code, repr(language)) for code, language in languages.items()))
    return digest_of_texts(
        judged_files_identity(package),
        limits,
        isolation.tier.value,
        table,
        harness_identity(),
        tools_identity(tools),
    )


def submission_key(program: Program, conditions: str, tools: Iterable[Path] = ()) -> str:
    """Digest a submission under these conditions: names and contents of its files, what is started, but not its path.

    tools: the compilers and interpreters that it is built and run with. Raises MachineError for a file that cannot be
    read.
    """
    try:
        return digest_of_texts(conditions, program_identity(program), tools_identity(tools))
    except MachineError as error:
        raise MachineError(f"{error}; nothing was judged") from error


def demands_digest(rules: tuple[Rule, ...] | None, *, complete: bool) -> str:
    """Digest the rules that decide which cases count and which results are expected."""
    return digest_of_texts(repr(complete), repr(None if rules is None else [_ordered(rule) for rule in rules]))


def _ordered(rule: Rule) -> list[object]:
    values = vars(rule).values()
    return [sorted(value) if isinstance(value, frozenset) else value for value in values]
