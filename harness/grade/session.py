"""One call of `grade`: several problems one after the other, on the same workers, with results in the same store."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from types import MappingProxyType

from harness.build.languages import LanguageTable
from harness.grade.collect import Collector
from harness.grade.failure_details import counterexamples, failure_details
from harness.grade.feedback import limited, limited_submission, may_show, shown_cases
from harness.grade.grading import BatchJudge, Grading, GradingObserver, Job, conditions_digest
from harness.grade.plan import Task
from harness.grade.shards import outline_of, part
from harness.host.host import Host
from harness.host.machine import describe_machine
from harness.judge import Judging
from harness.judge.case_runner import CaseRunner
from harness.package import Package, Program
from harness.results.model import Feedback, Machine, Report, Shard, SubmissionResult, Worker
from harness.sandbox import Isolation
from harness.store import Store
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class GradingOptions:
    """The options that hold for every problem of a grading.

    language: of all submissions, where their names do not say it. flat: see Collector. details: whether the games,
    pictures and so on of failed cases are wanted.
    """

    language: str | None = None
    complete: bool = False
    flat: bool = False
    repeat: int = 1
    shard: Shard | None = None
    feedback: Feedback = Feedback.SAMPLES
    details: bool = False


@dataclass(frozen=True, kw_only=True)
class Remote:
    """The workers of a cluster. runner: builds and runs the submissions of a package there."""

    isolation: Isolation
    machines: Mapping[str, Machine]
    runner: Callable[[Package], CaseRunner]


@dataclass(frozen=True, kw_only=True)
class SessionObserver:
    """Observes a session, in the calling thread. Reports and results are cut to what the feedback level allows.

    begin: a problem begins; the report has no results yet. submission: a result is final; they come in their order.
    """

    begin: Callable[[Report, Package, Sequence[Job], Sequence[str]], None] = lambda *_: None
    grading: GradingObserver = field(default_factory=GradingObserver)
    submission: Callable[[Report, SubmissionResult], None] = lambda *_: None


@dataclass(frozen=True, kw_only=True)
class Session:
    """Grades problems. remote: a cluster for the submissions; None: they run on this machine."""

    host: Host
    store: Store
    options: GradingOptions
    languages: LanguageTable
    remote: Remote | None = None
    machine: Machine = field(default_factory=lambda: describe_machine(calibrate=True))

    @property
    def isolation(self) -> Isolation:
        """How well submissions are contained where they run."""
        return self.host.pool.isolation if self.remote is None else self.remote.isolation

    def grade(self, task: Task, package: Package, number: int, observer: SessionObserver) -> Report:
        """Grade the submissions of a task; the store keeps the outline of the report, for `merge`, as the `number`-th.

        Return the report, cut to what the feedback level allows.
        """
        options = self.options
        collector = Collector(
            package=package, languages=self.languages, language=options.language, flat=options.flat
        )
        collection = collector.collect(task.submissions)
        entries = part(collection.entries, options.shard)
        judging = Judging(package=package, host=self.host, complete=options.complete)
        grading = self._grading(task, judging, observer.grading)
        jobs = grading.jobs(entries)
        report = self._empty_report(package, task)
        self._keep(number, report, jobs)
        observer.begin(limited(report, options.feedback), package, jobs, collection.passed_over)
        results = []
        for result in grading.run(jobs):
            results.append(result)
            observer.submission(report, limited_submission(result, options.feedback))
        report = replace(report, shown=shown_cases(package, results, Feedback.FULL))
        self._keep(number, report, jobs)
        if options.details:
            details = failure_details(judging, entries, results, lambda case: may_show(case, options.feedback))
            report = replace(report, games=details.games, images=details.images)
        if options.feedback is Feedback.SHRUNK:
            small = counterexamples(package, self.host, entries, results)
            report = replace(report, counterexamples=tuple(small))
        if report.games or report.images or report.counterexamples:
            self._keep(number, report, jobs)
        return limited(replace(report, submissions=tuple(results)), options.feedback)

    def _grading(self, task: Task, judging: Judging, observer: GradingObserver) -> Grading:
        package, options = judging.package, self.options
        validators = self._tools(*package.output_validators)
        runner = None if self.remote is None else self.remote.runner(package)
        return Grading(
            judge=BatchJudge(replace(judging, runner=runner)).judge,
            store=self.store,
            conditions=conditions_digest(package, self.isolation, self.languages, validators),
            complete=options.complete,
            repeat=options.repeat,
            asked=task.asked,
            observer=observer,
            tools=self._tools,
        )

    def _tools(self, *programs: Program) -> Sequence[Path]:
        """The compilers and interpreters of programs on this machine; those of a cluster's workers are not compared."""
        return self.host.builder.tools_of(programs) if self.remote is None else ()

    def _keep(self, number: int, report: Report, jobs: Sequence[Job]) -> None:
        self.store.put_outline(number, outline_of(report, jobs, repeat=self.options.repeat))

    def _empty_report(self, package: Package, task: Task) -> Report:
        machines = self.remote.machines if self.remote is not None else MappingProxyType({})
        return Report(
            problem=package.slug,
            title=package.title,
            time_limit_s=package.limits.time_limit_s or 0.0,
            memory_limit_mib=package.limits.memory_mib,
            isolation=self.isolation,
            machine=self.machine,
            submissions=(),
            asked=task.asked,
            shard=self.options.shard,
            workers=tuple(Worker(name=name, machine=machine) for name, machine in machines.items()),
        )
