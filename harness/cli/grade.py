"""harness grade: grade many submissions of strangers, for a CI job or a teacher."""

import os
from pathlib import Path
from typing import Any

import click

from harness.cli.console import show_warnings
from harness.cli.environment import built_package, cache_folder, judge_host, language_table, package_folder
from harness.cli.grade_options import ClusterOptions, Requirement, Views, feedback_option, open_remote
from harness.cli.grading_screen import GradingOutput, GradingScreen
from harness.cli.options import (
    FILE,
    NumberType,
    check_distinct,
    every_case_option,
    grouped,
    host_options,
    language_option,
    limit_options,
)
from harness.errors import MachineError
from harness.grade.feedback import limited
from harness.grade.grading import GradingObserver
from harness.grade.plan import tasks_of
from harness.grade.session import GradingOptions, ProblemGrading, Session, refuse_uncontained
from harness.grade.shards import parse_shard
from harness.judge.prepare import with_limits
from harness.report.escape import one_name, printable
from harness.report.gradebooks import check_gradescope
from harness.results.model import Report
from harness.rules.score import own_case_names
from harness.sandbox.opening import IsolationMode
from harness.store.database import default_store, open_store, remove_old_stores


@click.command("grade")
@click.argument("arguments", nargs=-1, metavar="[PROBLEM] [SUBMISSION]...")
@click.option(
    "--plan",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Grade several problems, listed in a TOML file (docs/grading.md).",
)
@click.option("--flat", is_flag=True, help="Every file below a folder is a submission of its own.")
@click.option("--store", metavar="FILE", type=FILE, help="Where results are kept. [a file in your cache]")
@click.option("--fresh", is_flag=True, help="Empty the store first.")
@grouped("requirement", Requirement)
@feedback_option("What the reports show of the cases: those who are graded may read them.")
@grouped("views", Views)
@click.option(
    "--repeat",
    type=NumberType(int, 1, 1000),
    default=1,
    show_default=True,
    help="How often to judge each submission; a verdict that changes is reported.",
)
@click.option("--shard", metavar="I/N", help="Only each N-th submission, from the I-th; see harness merge.")
@language_option
@limit_options
@every_case_option
@grouped("cluster", ClusterOptions)
@host_options
def command(
    arguments: tuple[str, ...],
    *,
    plan: Path | None,
    store: Path | None,
    fresh: bool,
    requirement: Requirement,
    shard: str | None,
    cluster: ClusterOptions,
    views: Views,
    jobs: int,
    isolation: str,
    time_limit: float | None,
    memory: int | None,
    **options: Any,
) -> int:
    """Grade SUBMISSIONs (files, or folders that hold some) on PROBLEM. Without SUBMISSIONs, grade the package's own.

    Each result is stored at once: a grading that was killed continues with the same command. If this machine cannot
    contain programs, grade refuses to run them.

    Exit code 0: graded, whatever the verdicts are. 1: a submission does not meet --require or --min-score, or one of
    the package's own is not as expected. 2: something could not be judged.

    \b
    Examples:
      harness grade sokoban hand-ins/ --junitxml out.xml
      harness grade sokoban my.cpp --require AC
    """
    part = parse_shard(shard) if shard else None
    mode = 0o666 & ~_umask()  # of the user's shell; the judge of root has another one
    settings = GradingOptions(shard=part, details=views.html is not None, **options)
    tasks = tasks_of(plan, arguments, requirement.asked, Path.cwd())
    with judge_host(jobs, isolation, in_report=True) as host, open_remote(cluster.address, isolation) as remote:
        refuse_uncontained(host.pool.isolation if remote is None else remote.isolation, IsolationMode(isolation))
        kept = store or default_store(cache_folder(), Path.cwd(), plan.stem if plan else tasks[0].slug)
        submissions = {f"submission {path}": path for task in tasks for path in task.submissions}
        check_distinct({**submissions, "--store": kept, **views.files})
        with open_store(kept, fresh=fresh, mode=mode) as results:
            if store is None:
                remove_old_stores(kept.parent)
            session = Session(
                host=host, store=results, options=settings, languages=language_table(), remote=remote
            )
            try:
                output, reports = GradingOutput(views), []
                origins: dict[tuple[str, str], Path] = {}
                results.forget_outlines()
                for number, task in enumerate(tasks):
                    root = package_folder(task.problem, task.base)
                    package = with_limits(built_package(root, host), time_limit, memory)
                    if not task.submissions:
                        show_warnings(package.warnings)  # its own submissions are graded, so its author reads this
                    problem = session.begin(task, package, number)
                    if views.gradescope is not None:
                        check_gradescope(len(tasks), len(problem.jobs))
                    reports.append(_graded(problem, output, quiet=views.quiet))
                    origins |= {(package.slug, path): origin for path, origin in problem.origins.items()}
                if store is None and not views.quiet:
                    click.echo(printable(f"results are kept in {kept}"), err=True)
                return output.conclude(reports, origins)
            except KeyboardInterrupt as error:
                raise MachineError(f"interrupted; {kept} keeps the results, the same command goes on") from error


def _umask() -> int:
    os.umask(umask := os.umask(0o077))
    return umask


def _graded(problem: ProblemGrading, output: GradingOutput, *, quiet: bool) -> Report:
    """Grade one problem with live progress; return its report."""
    options, package = problem.session.options, problem.judging.package
    output.begin(limited(problem.report, options.feedback))
    groups = (*package.sample.holders(), *package.secret.holders())
    cases = [name for group in groups for name in own_case_names(group)]
    with GradingScreen(package.slug, problem.paths, cases, repeat=options.repeat, quiet=quiet) as screen:
        for name in problem.report.passed_over:
            screen.say(f"skipped, no program of a known language: {one_name(name)}")
        for result in problem.run(GradingObserver(case=screen.case, stored=screen.stored)):
            screen.submission(result)
            output.submission(problem.report, result)
        if screen.stored_cases and not quiet:
            screen.say(f"{screen.stored_cases} results were in {problem.session.store.path} already")
    return problem.finished()
