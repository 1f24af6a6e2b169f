"""harness grade: grade many submissions of strangers, for a CI job or a teacher."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from harness.cli.cluster_option import cluster_module, opened_cluster
from harness.cli.common import host, jobs_option, language_table, package_folder
from harness.cli.grading_screen import Matrix
from harness.cli.prepare_package import built_package
from harness.cli.program_arguments import split
from harness.cli.report_files import Shell, Views, asked_options, view_options
from harness.errors import MachineError, UsageError
from harness.grade.batches import Grading, Job, LocalEngine, Watcher
from harness.grade.collect import Collector
from harness.grade.counterexamples import counterexamples
from harness.grade.failure_details import Closer, look_closer
from harness.grade.feedback import limited, limited_submission, may_show, shown_cases
from harness.grade.plan import Task, read_plan
from harness.grade.result_keys import conditions_digest
from harness.grade.shards import parse_shard, part
from harness.grade.stored_head import outline_of
from harness.host.host import Host
from harness.host.machine import describe_machine
from harness.judge import Entry, Judging
from harness.judge.prepare import with_limits
from harness.package import Package, Program, find_package, slug_of
from harness.results.model import Asked, Counterexample, Feedback, Machine, Report, Shard, SubmissionResult, Worker
from harness.sandbox import Isolation, IsolationMode
from harness.store import Store, open_store
from harness.values import dataclass

STORE_FOLDER = ".harness"


@dataclass(frozen=True, kw_only=True)
class Options:
    """What holds for every problem of a grading."""

    language: str | None
    time_limit: float | None
    memory: int | None
    complete: bool
    flat: bool
    repeat: int
    shard: Shard | None
    feedback: Feedback


@click.command("grade")
@click.argument("arguments", nargs=-1, metavar="[PROBLEM] [SUBMISSION]...")
@click.option("--plan", metavar="FILE", type=click.Path(path_type=Path), help="Several problems: a TOML file.")
@click.option("--flat", is_flag=True, help="Every file below a folder is a submission of its own.")
@click.option(
    "--store",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Where results are kept. [.harness/<problem>.sqlite]",
)
@click.option("--fresh", is_flag=True, help="Forget what the store knows and begin anew.")
@asked_options
@click.option(
    "--feedback",
    type=click.Choice([level.value for level in Feedback]),
    default=Feedback.SAMPLES.value,
    show_default=True,
    help="What the reports tell of the cases: those who are graded may read them.",
)
@click.option(
    "--repeat",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    help="Judge each so often; a flip is reported.",
)
@click.option("--shard", metavar="I/N", help="Only each N-th submission, from the I-th; see harness merge.")
@click.option("--language", help="The submissions' language, where file names do not tell.")
@click.option("--time-limit", type=click.FloatRange(min=0.001, max=86400), help="CPU seconds, not the package's.")
@click.option("--memory", type=click.IntRange(min=4, max=1 << 24), help="Memory in MiB, not the package's.")
@click.option("--cluster", metavar="URL", help="Run the cases on a Dask cluster: tls://HOST:PORT.")
@click.option("--tls-ca", type=click.Path(path_type=Path), metavar="FILE", help="For tls://: the authority.")
@click.option("--tls-cert", type=click.Path(path_type=Path), metavar="FILE", help="For tls://: our certificate.")
@click.option("--tls-key", type=click.Path(path_type=Path), metavar="FILE", help="For tls://: its key.")
@click.option("--all", "complete", is_flag=True, help="Run every case, also where the outcome is decided already.")
@view_options
@jobs_option
def command(
    arguments: tuple[str, ...],
    *,
    plan: Path | None,
    store: Path | None,
    fresh: bool,
    asked: Asked | None,
    shard: str | None,
    feedback: str,
    views: Views,
    jobs: int,
    isolation: str,
    language: str | None,
    time_limit: float | None,
    memory: int | None,
    complete: bool,
    flat: bool,
    repeat: int,
    cluster: str | None,
    tls_ca: Path | None,
    tls_cert: Path | None,
    tls_key: Path | None,
) -> int:
    """Grade SUBMISSIONs (files, or folders that hold some) on PROBLEM; without any, the package's own.

    Results are kept as they come: killed at any moment, the same command goes on where it was. Programs of strangers
    are refused where they cannot be contained.

    Exit code 0 whatever the verdicts are, unless --require or --min-score asks for something, or the package of its own
    submissions: then 1 where that is not so; 2 where something could not be judged.

    \b
    Examples:
      harness grade sokoban hand-ins/ --junitxml out.xml
      harness grade sokoban my.cpp --require AC
    """
    options = Options(
        language=language,
        time_limit=time_limit,
        memory=memory,
        complete=complete,
        flat=flat,
        repeat=repeat,
        shard=parse_shard(shard) if shard else None,
        feedback=Feedback(feedback),
    )
    tls = (tls_ca, tls_cert, tls_key)
    tasks = _plan_tasks(plan, arguments, asked is not None) if plan else [_task(arguments, asked)]
    with host(jobs, isolation, in_report=True) as opened, opened_cluster(cluster, tls, isolation) as workers:
        refuse_uncontained(opened.pool.isolation if workers is None else workers.isolation, isolation)
        kept = store or Path(STORE_FOLDER) / f"{plan.stem if plan else _slug(tasks[0])}.sqlite"
        with open_store(kept, fresh=fresh) as opened_store:
            session = _Session(
                host=opened, store=opened_store, options=options, shell=Shell(views), views=views, cluster=workers
            )
            try:
                return session.run(tasks)
            except KeyboardInterrupt as error:
                raise MachineError(
                    f"interrupted; {kept} keeps what was found, the same command goes on"
                ) from error


def _task(arguments: Sequence[str], asked: Asked | None) -> Task:
    problem, paths = split(arguments)
    return Task(problem=problem, submissions=tuple(paths), asked=asked, base=Path.cwd())


def _plan_tasks(plan: Path, arguments: Sequence[str], asked: bool) -> list[Task]:
    if arguments or asked:
        raise UsageError(
            "a plan names problems, submissions and what is asked of them: leave them out of the call"
        )
    return read_plan(plan)


def _slug(task: Task) -> str:
    return slug_of(find_package(task.problem, task.base))


def refuse_uncontained(found: Isolation, isolation: str) -> None:
    """Raises MachineError where programs of strangers would not be contained, unless the caller accepts that."""
    if not found.contained and isolation != IsolationMode.NONE.value:
        raise MachineError(
            f"grade runs code of strangers, and this machine does not contain it (tier T{int(found.tier)}: "
            f"{'; '.join(found.missing)}). Mend that, or accept it for submissions that you trust with --isolation=none"
        )


@dataclass(frozen=True, kw_only=True)
class _Session:
    """One call: the problems one after the other, over the same workers and the same store."""

    host: Host
    store: Store
    options: Options
    shell: Shell
    views: Views
    cluster: Any = None  # harness.cluster.remote.Cluster, which is there with the extra `cluster` only

    def run(self, tasks: Sequence[Task]) -> int:
        """Grade, write every view; the exit code."""
        self.shell.begin()
        self.store.forget_outlines()
        machine = describe_machine(calibrate=True)
        reports = [self._graded(task, machine, place) for place, task in enumerate(tasks)]
        return self.shell.conclude([limited(report, self.options.feedback) for report in reports])

    def _graded(self, task: Task, machine: Machine, place: int) -> Report:
        options = self.options
        root = package_folder(task.problem, task.base)
        package = with_limits(built_package(root, self.host), options.time_limit, options.memory)
        languages = language_table()
        collector = Collector(package=package, languages=languages, language=options.language, flat=options.flat)
        collection = collector.collect(task.submissions)
        entries = part(collection.entries, options.shard)
        validators = self._tools(*package.output_validators)
        conditions = conditions_digest(package, self._isolation, languages, validators)
        judging = Judging(package=package, host=self.host, complete=options.complete)
        runner = None if self.cluster is None else cluster_module().RemoteRunner(self.cluster, package)
        grading = Grading(
            engine=LocalEngine(replace(judging, runner=runner)),
            store=self.store,
            conditions=conditions,
            complete=options.complete,
            repeat=options.repeat,
            asked=task.asked,
            tools=self._tools,
        )
        jobs = grading.jobs(entries)
        report = self._empty_report(package, task, machine)
        self.store.put_outline(place, outline_of(report, jobs, repeat=options.repeat))
        self.shell.head(limited(report, options.feedback))
        results = self._watched(grading, jobs, package, report, collection.passed_over)
        report = replace(report, shown=shown_cases(package, results, Feedback.FULL))
        self.store.put_outline(place, outline_of(report, jobs, repeat=options.repeat))
        closer = look_closer(judging, entries, results, self._may_show) if self.views.html else Closer()
        found = self._counterexamples(package, entries, results)
        report = replace(report, games=closer.games, images=closer.images, counterexamples=tuple(found))
        if report.games or report.images or report.counterexamples:  # for `merge`
            self.store.put_outline(place, outline_of(report, jobs, repeat=options.repeat))
        return replace(report, submissions=tuple(results))

    def _tools(self, *programs: Program) -> Sequence[Path]:
        """What they are built and run with here; nobody asks the workers of a cluster."""
        return self.host.builder.tools_of(programs) if self.cluster is None else ()

    def _counterexamples(
        self, package: Package, entries: Sequence[Entry], results: Sequence[SubmissionResult]
    ) -> list[Counterexample]:
        if self.options.feedback is not Feedback.SHRUNK:
            return []
        return list(counterexamples(package, self.host, entries, results))

    def _may_show(self, case: str) -> bool:
        return may_show(case, self.options.feedback)

    def _watched(
        self, grading: Grading, jobs: Sequence[Job], package: Package, report: Report, passed_over: Sequence[str]
    ) -> list[SubmissionResult]:
        paths = [job.entry.program.path for job in jobs]
        cases = [case.name for case in package.judged_cases()]
        results = []
        with Matrix(package.slug, paths, cases, repeat=self.options.repeat, quiet=self.views.quiet) as matrix:
            for name in passed_over:
                matrix.say(f"passed over, no program of a known language: {name}")
            watched = replace(grading, watcher=Watcher(case=matrix.case, known=matrix.known))
            for one in watched.run(jobs):
                results.append(one)
                told = limited_submission(one, self.options.feedback)
                matrix.submission(told)
                self.shell.submission(report, told)
            if matrix.known_cases and not self.views.quiet:
                matrix.say(f"{matrix.known_cases} results were in {self.store.path} already")
        return results

    def _empty_report(self, package: Package, task: Task, machine: Machine) -> Report:
        machines = self.cluster.machines if self.cluster is not None else {}
        return Report(
            problem=package.slug,
            title=package.title,
            time_limit_s=package.limits.time_limit_s or 0.0,
            memory_limit_mib=package.limits.memory_mib,
            isolation=self._isolation,
            machine=machine,
            submissions=(),
            asked=task.asked,
            shard=self.options.shard,
            workers=tuple(Worker(name=name, machine=machine) for name, machine in machines.items()),
        )

    @property
    def _isolation(self) -> Isolation:
        found: Isolation = self.host.pool.isolation if self.cluster is None else self.cluster.isolation
        return found
