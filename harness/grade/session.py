"""A call of `grade`: several problems in sequence, with the same workers and the same store."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from pathlib import Path

from harness.build.languages import LanguageTable
from harness.errors import MachineError, UsageError
from harness.grade.collect import Collector
from harness.grade.failure_details import counterexamples, failure_details
from harness.grade.feedback import limited, limited_submission, may_show, shown_cases
from harness.grade.grading import BatchJudge, Grading, GradingObserver, Job, Remote, conditions_digest
from harness.grade.plan import Task
from harness.grade.shards import outline_of, part, shard_of
from harness.host.host import Host
from harness.judge.judging import Judging
from harness.judge.report import describe_machine, report_of
from harness.judge.submission_result import Entry
from harness.package import Package, Program
from harness.package.files import File
from harness.results.model import (
    Feedback,
    Machine,
    Report,
    Shard,
    SourceFile,
    SubmissionResult,
    SubmissionSource,
    Worker,
)
from harness.sandbox.facts import Isolation
from harness.sandbox.opening import IsolationMode
from harness.store.database import Store
from harness.values import dataclass

SUBMISSION_BYTES = 64 * 1024
REPORT_BYTES = 16 << 20
MOST_FILES = 100  # of one submission


def sources(entries: Sequence[Entry], root: Path) -> Iterator[SubmissionSource]:
    """Yield the sources of the graded submissions, as they were judged. root: of the package; its files are not shown.

    Nothing is read from disk, since files may have changed; so submitted answers, which are not in memory, are left
    out.
    """
    left = REPORT_BYTES
    for entry in entries:
        contents = {name: file.content for name, file in entry.program.files.items()}
        if entry.rules is None and entry.built is None and not _is_of_package(entry, root):
            kept = {name: content for name, content in contents.items() if content is not None}
            if kept and len(kept) == len(contents):
                room = min(left, SUBMISSION_BYTES)
                files = tuple(_beginnings(kept, room))
                left -= min(room, sum(map(len, kept.values())))
                yield SubmissionSource(
                    submission=entry.program.path, files=files, files_left_out=len(contents) - len(files)
                )


def _beginnings(contents: dict[str, bytes], room: int) -> Iterator[SourceFile]:
    """Yield the first files, cut to `room` bytes in all."""
    for name, content in list(contents.items())[:MOST_FILES]:
        if room <= 0:
            return
        text = content[:room].decode("utf-8", "backslashreplace")
        yield SourceFile(name=name, text=text, bytes_left_out=max(0, len(content) - room))
        room -= len(content)


def _is_of_package(entry: Entry, root: Path) -> bool:
    home = root.resolve()
    return any(_place(file).resolve().is_relative_to(home) for file in entry.program.files.values())


def _place(file: File) -> Path:
    """Return where the file was when it was read, even if its owner has since replaced it by a link."""
    return file.origin if file.home is None else file.home / file.relative


@dataclass(frozen=True, kw_only=True)
class GradingOptions:
    """The options that hold for every problem of a grading.

    language, flat: see Collector. complete: see Judging. details: whether the report gets games, pictures and sources.
    """

    language: str | None = None
    complete: bool = False
    flat: bool = False
    repeat: int = 1
    shard: Shard | None = None
    feedback: Feedback = Feedback.SAMPLES
    details: bool = False


def refuse_uncontained(isolation: Isolation, mode: IsolationMode) -> None:
    """Raise MachineError if untrusted programs would not be contained, unless the user accepts that."""
    if not isolation.contained and mode is not IsolationMode.NONE:
        raise MachineError(
            f"grade runs code of strangers, and this machine does not contain it (tier {isolation.tier}: "
            f"{'; '.join(isolation.missing)}). Fix that, or accept it for submissions that you trust with "
            "--isolation=none"
        )


@dataclass(frozen=True, kw_only=True)
class Session:
    """The shared state of a grading's problems. remote: a cluster for the submissions; None: this machine."""

    host: Host
    store: Store
    options: GradingOptions
    languages: LanguageTable
    remote: Remote | None = None
    machine: Machine = field(default_factory=lambda: describe_machine(calibrate=True))

    @property
    def isolation(self) -> Isolation:
        """The isolation of submissions on the machines that run them."""
        return self.host.pool.isolation if self.remote is None else self.remote.isolation

    def begin(self, task: Task, package: Package, number: int) -> "ProblemGrading":
        """Collect the submissions of a task, and store the outline of its report under `number`."""
        options = self.options
        if task.asked is not None and task.asked.min_score is not None and not package.scoring:
            raise UsageError(f"{package.slug} gives no points: leave --min-score out, or min_score of a plan")
        collector = Collector(
            package=package, languages=self.languages, language=options.language, flat=options.flat
        )
        collection = collector.collect(task.submissions)
        judging = Judging(package=package, host=self.host, complete=options.complete)
        grading = self._grading(task, judging)
        jobs = grading.jobs(part(collection.entries, options.shard))
        problem = ProblemGrading(
            session=self,
            number=number,
            judging=judging,
            grading=grading,
            jobs=jobs,
            report=replace(
                self._empty_report(package, task),
                passed_over=collection.passed_over,
                shard=shard_of(options.shard, package, collection.entries),
            ),
        )
        problem.keep(problem.report)
        return problem

    def _grading(self, task: Task, judging: Judging) -> Grading:
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
            tools=self._tools,
        )

    def _tools(self, *programs: Program) -> Sequence[Path]:
        """Return the compilers and interpreters of programs on this machine; none if a cluster runs the submissions."""
        return self.host.builder.tools_of(programs) if self.remote is None else ()

    def _empty_report(self, package: Package, task: Task) -> Report:
        machines: Mapping[str, Machine] = self.remote.machines if self.remote is not None else {}
        return replace(
            report_of(package, self.isolation, machine=self.machine),
            asked=task.asked,
            workers=tuple(Worker(name=name, machine=machine) for name, machine in machines.items()),
        )


@dataclass(frozen=True, kw_only=True)
class ProblemGrading:
    """The grading of one problem. number: of the problem in the store. report: without results."""

    session: Session
    number: int
    judging: Judging
    grading: Grading
    jobs: Sequence[Job]
    report: Report
    _results: list[SubmissionResult] = field(default_factory=list, init=False)

    @property
    def paths(self) -> list[str]:
        """The paths of the submissions, in their order."""
        return [job.entry.program.path for job in self.jobs]

    @property
    def origins(self) -> dict[str, Path]:
        """The path of each submission on disk, by its path in the report."""
        return {job.entry.program.path: job.entry.program.origin for job in self.jobs}

    def run(self, observer: GradingObserver) -> Iterator[SubmissionResult]:
        """Grade; yield the results in order, each cut to what the feedback level allows."""
        for result in replace(self.grading, observer=observer).run(self.jobs):
            self._results.append(result)
            yield limited_submission(result, self.session.options.feedback)

    def finished(self) -> Report:
        """Return the report, cut to what the feedback level allows, once `run` has ended."""
        options, package = self.session.options, self.judging.package
        report = replace(self.report, shown=shown_cases(package, self._results, Feedback.FULL))
        self.keep(report)
        entries = [job.entry for job in self.jobs]
        if options.details:
            may_be_shown = partial(may_show, level=options.feedback)
            games, images = failure_details(self.judging, entries, self._results, may_be_shown)
            texts = tuple(sources(entries, package.root))
            report = replace(report, games=games, images=images, sources=texts)
        if options.feedback is Feedback.SHRUNK:
            examples = counterexamples(package, self.session.host, entries, self._results)
            report = replace(report, counterexamples=tuple(examples))
        if report.games or report.images or report.counterexamples or report.sources:
            self.keep(report)
        return limited(replace(report, submissions=tuple(self._results)), options.feedback)

    def keep(self, report: Report) -> None:
        """Store the outline of the report, for `merge`."""
        outline = outline_of(report, self.jobs, repeat=self.session.options.repeat)
        self.session.store.put_outline(self.number, outline)
