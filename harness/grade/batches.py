"""Grades entries in batches: what the store knows is taken from it, what is found goes into it at once."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Protocol

from harness.build import Built, Executable
from harness.grade.repeats import combined
from harness.grade.requirements import with_outcome
from harness.grade.result_keys import demands_digest, submission_key
from harness.judge import Entry, Judging, Observer
from harness.package import Program
from harness.results.model import Asked, CaseResult, SubmissionResult
from harness.results.verdict import Verdict
from harness.store import Store
from harness.values import dataclass

BATCH = 64


class Engine(Protocol):
    """Judges entries, here or elsewhere. The observer is told of each case as it comes, in the calling thread."""

    def judge(self, entries: Sequence[Entry], observer: Observer) -> Iterator[SubmissionResult]:
        """The results, in the order of the entries, as they come."""


class LocalEngine:
    """The workers of this machine. One Judging for all batches: the output validator is built and warmed once."""

    def __init__(self, judging: Judging) -> None:
        self._observer = Observer()
        self._judging = replace(judging, observer=Observer(built=self._built, case=self._case))
        self._programs: list[Executable] = []

    def judge(self, entries: Sequence[Entry], observer: Observer) -> Iterator[SubmissionResult]:
        """Judge, then remove the built programs: a hundred thousand of them would fill the disk."""
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
class Watcher:
    """Told of progress, in the calling thread: cases as they come, submissions in their order."""

    case: Callable[[str, CaseResult], None] = lambda _path, _case: None
    known: Callable[[str, int], None] = lambda _path, _cases: None


@dataclass(frozen=True, kw_only=True)
class Job:
    """One entry with the names under which the store keeps it."""

    entry: Entry
    key: str
    demands: str


@dataclass(frozen=True, kw_only=True)
class Grading:
    """Grades entries under fixed conditions. repeat: how often each is judged.

    tools: the compilers and interpreters of a program on this machine; nothing where it is built elsewhere.
    """

    engine: Engine
    store: Store
    conditions: str
    complete: bool = False
    repeat: int = 1
    asked: Asked | None = None
    batch: int = BATCH
    watcher: Watcher = field(default_factory=Watcher)
    tools: Callable[[Program], Sequence[Path]] = lambda _program: ()

    def jobs(self, entries: Sequence[Entry]) -> list[Job]:
        """The entries under their names. Raises MachineError for a file that cannot be read."""
        return [self._job(entry) for entry in entries]

    def run(self, jobs: Sequence[Job]) -> Iterator[SubmissionResult]:
        """The results in the order of the jobs, each as soon as it and those before it are through."""
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
        """Twins (the same files under two names) are judged once: the second finds what the first one got."""
        finished = {id(job): self._finished(job, repeat) for job in jobs}
        firsts: dict[str, Job] = {}
        for job in jobs:
            if finished[id(job)] is None:
                firsts.setdefault(job.key, job)
        results = self._judge(list(firsts.values()), repeat)
        for job in jobs:
            known = finished[id(job)]
            if known is None and firsts[job.key] is not job:
                known = self._finished(job, repeat)
                if known is None:  # the same files, other demands
                    results = iter(list(results))
                    [known] = self._judge([job], repeat)
            yield known if known is not None else next(results)
        yield from results  # none is left; now the engine tidies up

    def _finished(self, job: Job, repeat: int) -> SubmissionResult | None:
        kept = self.store.submission(job.key, repeat, job.demands)
        if kept is None or not _settled(kept):
            return None
        self.watcher.known(job.entry.program.path, len(kept.cases))
        return replace(kept, path=job.entry.program.path)

    def _judge(self, jobs: Sequence[Job], repeat: int) -> Iterator[SubmissionResult]:
        keys = {job.entry.program.path: job.key for job in jobs}

        def keep(path: str, case: CaseResult) -> None:
            # A judge error may be mended, and a run that was interrupted told nothing: both are tried again.
            if case.judged and case.verdict is not Verdict.JUDGE_ERROR:
                self.store.put_case(keys[path], repeat, case)
            self.watcher.case(path, case)

        entries = [replace(job.entry, known=self.store.cases(job.key, repeat)) for job in jobs]
        for entry in entries:
            self.watcher.known(entry.program.path, len(entry.known))
        if entries:
            for job, result in zip(jobs, self.engine.judge(entries, Observer(case=keep)), strict=True):
                self.store.put_submission(job.key, repeat, job.demands, result)
                yield result


def _settled(result: SubmissionResult) -> bool:
    """Whether judging it again would be a waste: what could not be judged may have been mended meanwhile."""
    return not result.unavailable and result.verdict not in (Verdict.JUDGE_ERROR, Verdict.SKIPPED)
