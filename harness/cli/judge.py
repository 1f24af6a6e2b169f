"""harness judge: run submissions on a package's data and say what they got."""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from harness.build import Built, CompileFailure
from harness.cli.again import on_every_save
from harness.cli.binary import binary_entry, is_binary
from harness.cli.command import TakesCommand, command_entry, command_of, named_files
from harness.cli.common import console, host, jobs_option, package_folder, show_warnings
from harness.cli.generate import show_build_warnings, tell
from harness.cli.programs import own_or_strange, split
from harness.cli.progress import Counter
from harness.cli.replaying import replay_of, show
from harness.cli.resultfile import result_file, write_result
from harness.cli.samples import show_samples
from harness.errors import JudgeError, UsageError
from harness.expect import rules_for
from harness.generate import load_built
from harness.host import Host
from harness.judge import Entry, Judging, Observer, infer_time_limit
from harness.machine import describe_machine
from harness.package import Package
from harness.package.workspace import RECIPE
from harness.report import tables, words
from harness.results import (
    CaseResult,
    Report,
    SubmissionResult,
    header_as_json,
    submission_as_json,
)
from harness.verdict import Verdict

ALL_AS_EXPECTED, NOT_AS_EXPECTED, COULD_NOT_JUDGE = 0, 1, 2


@click.command("judge", cls=TakesCommand)
@click.argument("arguments", nargs=-1, metavar="[PROBLEM] [SUBMISSION]...")
@click.option(
    "--language", help="The submissions' language, where the file name does not tell (harness doctor lists)."
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0.001, max=86400),
    help="CPU seconds a case, instead of the package's.",
)
@click.option("--memory", type=click.IntRange(min=4, max=1 << 24), help="Memory in MiB, instead of the package's.")
@click.option("--all", "complete", is_flag=True, help="Run every case, also where the outcome is decided already.")
@click.option("--watch", is_flag=True, help="Again whenever a submission is saved.")
@click.option("--json", "json_file", metavar="FILE", help="Write the result there; -: JSON Lines to stdout.")
@click.option(
    "--replay",
    metavar="FILE",
    help="Write the first failed game of an interactive problem there; .html: its page, .svg: its image.",
)
@click.option("-q", "--quiet", is_flag=True, help="Only what is not as expected.")
@click.option("-v", "--verbose", is_flag=True, help="Every case of every submission.")
@jobs_option
@click.pass_context
def command(
    context: click.Context,
    arguments: tuple[str, ...],
    *,
    language: str | None,
    time_limit: float | None,
    memory: int | None,
    complete: bool,
    watch: bool,
    json_file: str | None,
    replay: str | None,
    quiet: bool,
    verbose: bool,
    jobs: int,
    isolation: str,
) -> int:
    """Judge SUBMISSIONs (files or folders) on PROBLEM; without any, all of the package's own.

    The package's submissions are held against what its submissions.yaml says of them; for yours, 0 means accepted.

    A submission may be a compiled program; behind `--` stands any command, and the files that it names are copied.

    Examples: harness judge sokoban my.cpp, harness judge sokoban -- python3 my.py fast,
    harness judge sokoban, harness judge (inside a package's folder)
    """
    own_command = command_of(context)
    problem, paths = split(arguments)
    root = package_folder(problem)
    if own_command and paths:
        raise UsageError("submissions, or one command behind `--`, not both")
    watched = [*named_files(own_command).values(), *paths]
    if watch and not watched:
        raise UsageError("--watch needs the program that you are writing: harness judge PROBLEM my.cpp --watch")
    target = result_file(json_file)
    with host(jobs, isolation) as opened:
        package = with_limits(built_package(root, opened), time_limit, memory)
        show_warnings(package)
        package = timed_package(package, opened, quiet=quiet)

        def once() -> int:
            own = command_entry(own_command, opened) if own_command else None
            entries = [own] if own else _entries(package, paths, language, opened)
            view = View(package=package, json_lines=json_file == "-", quiet=quiet, total=len(entries))
            judging = Judging(package=package, host=opened, complete=complete)
            results = view.watch(judging, entries)
            shown = None if quiet and replay is None else replay_of(judging, entries, results, replay)
            report = report_of(package, opened, results, calibrate=json_file is not None)
            view.conclude(report, verbose=verbose)
            if not quiet:
                show_samples(package, results, console(stderr=json_file == "-"))
            if shown is not None:
                show(shown, console(stderr=json_file == "-"), file=replay)
            write_result(report, target)
            return exit_code(report)

        return on_every_save(watched, once) if watch else once()


def exit_code(report: Report) -> int:
    """0 all as expected (a stranger: accepted), 1 something is not, 2 something could not be judged."""
    if any(submission.verdict is Verdict.JUDGE_ERROR for submission in report.submissions):
        return COULD_NOT_JUDGE
    judged = [submission for submission in report.submissions if not submission.unavailable]
    if not judged:
        return COULD_NOT_JUDGE
    return ALL_AS_EXPECTED if all(map(_as_expected, judged)) else NOT_AS_EXPECTED


def _as_expected(submission: SubmissionResult) -> bool:
    if submission.expected is not None:
        return submission.expected.met
    return submission.verdict is Verdict.ACCEPTED


def built_package(root: Path, opened: Host) -> Package:
    """The package at `root`, its data brought up to date."""
    with Counter("building data", unit="files") as counter:
        built = load_built(root, opened, progress=counter.step)
    report = built.report
    if report is None:
        return built.package
    if report.drift:
        tell(report, root)
        raise JudgeError(f"{root}: the data is not what its lock says; nothing was judged")
    show_build_warnings(report)
    if report.made and report.overlaid:
        line = f"{words.counted(report.cases, 'test case')} built from {RECIPE}; the package is left as it was"
        console(stderr=True).print(line, markup=False, soft_wrap=True)
    return built.package


def with_limits(package: Package, time_limit: float | None, memory: int | None) -> Package:
    """The package with limits from the command line in the place of its own."""
    limits = package.limits
    return replace(
        package,
        limits=replace(
            limits,
            time_limit_s=limits.time_limit_s if time_limit is None else time_limit,
            memory_mib=limits.memory_mib if memory is None else memory,
        ),
    )


def timed_package(package: Package, opened: Host, *, quiet: bool) -> Package:
    """The package with a time limit: its own, or else the one that its submissions give, which is then said."""
    if package.limits.time_limit_s is not None:
        return package
    with Counter(f"timing {package.slug}", unit="cases") as counter:
        observer = Observer(case=lambda path, result: counter.step(f"{path} {result.name}"))
        inferred = infer_time_limit(package, opened, observer=observer)
    if not quiet:
        line = words.inferred_limit(inferred.limits, package.limits.ac_to_time_limit)
        console(stderr=True).print(line, markup=False, soft_wrap=True)
    return inferred.package


def _entries(package: Package, paths: Sequence[Path], language: str | None, opened: Host) -> list[Entry]:
    if paths:
        return [_entry(package, path, language, opened) for path in paths]
    if not package.submissions:
        raise UsageError(f"{package.slug} has no submissions of its own: name yours")
    return [Entry(program=one, rules=rules_for(one.path, package.rules)) for one in package.submissions]


def _entry(package: Package, path: Path, language: str | None, opened: Host) -> Entry:
    """A submission by path. One of the package's own keeps what the package demands of it, if it demands anything."""
    if language is None and is_binary(path):
        return binary_entry(path, opened)
    program, is_own = own_or_strange(package, path, language)
    return Entry(program=program, rules=(rules_for(program.path, package.rules) or None) if is_own else None)


def report_of(package: Package, opened: Host, results: Sequence[SubmissionResult], *, calibrate: bool) -> Report:
    """The results with all that a reader needs to trust them."""
    return Report(
        problem=package.slug,
        title=package.title,
        time_limit_s=package.limits.time_limit_s or 0.0,
        memory_limit_mib=package.limits.memory_mib,
        isolation=opened.pool.isolation,
        machine=describe_machine(calibrate=calibrate),
        submissions=tuple(results),
    )


class View:
    """What is shown while judging and after. People read standard output, or standard error beside JSON Lines."""

    def __init__(self, *, package: Package, json_lines: bool, quiet: bool, total: int) -> None:
        self._package = package
        self._json_lines = json_lines
        self._quiet = quiet
        self._alone = total == 1
        self._out = console(stderr=json_lines)
        self._live = Counter(f"judging {package.slug}", unit="cases")

    def watch(self, judging: Judging, entries: Sequence[Entry]) -> list[SubmissionResult]:
        """Judge with live progress."""
        observer = Observer(built=self._built, case=self._case)
        with self._live:
            return replace(judging, observer=observer).run(entries)

    def conclude(self, report: Report, *, verbose: bool) -> None:
        """The tables and what is wrong, then how far the result can be trusted."""
        if self._json_lines:
            self._emit_lines(report)
        if not self._quiet:
            self._tables(report, verbose=verbose)
        for line in tables.remarks(report):
            self._out.print(line, soft_wrap=True)
        self._summary(report)
        style = None if report.isolation.contained else "bold yellow"
        self._out.print(words.isolation_banner(report.isolation), style=style, markup=False, soft_wrap=True)

    def _tables(self, report: Report, *, verbose: bool) -> None:
        if self._alone or verbose:
            for submission in report.submissions:
                self._one(report, submission, verbose=verbose)
        if not self._alone:
            self._out.print(tables.matrix(report))

    def _one(self, report: Report, submission: SubmissionResult, *, verbose: bool) -> None:
        """A submission's groups, then its failing cases, or all of them."""
        if not submission.cases:
            return
        self._out.print(submission.path, markup=False, style="bold")
        self._out.print(tables.group_table(submission))
        cases = submission.cases if verbose else tables.failing_cases(submission)
        if cases:
            self._out.print(tables.case_table(report, cases))

    def _summary(self, report: Report) -> None:
        if self._alone:
            [only] = report.submissions
            if only.verdict is Verdict.COMPILE_ERROR:
                return  # said already, with the compiler's own words
            self._out.print(_one_summary(only), markup=False, style="bold")
            return
        met = sum(_as_expected(one) and not (one.expected and one.expected.nothing) for one in report.submissions)
        missing = sum(submission.unavailable for submission in report.submissions)
        free = sum(bool(one.expected and one.expected.nothing) for one in report.submissions)
        tail = f", {missing} not judged for want of a compiler" if missing else ""
        tail = f"{tail}; of {free} nothing is expected" if free else tail
        strangers = all(submission.expected is None for submission in report.submissions)
        what = "accepted" if strangers else "as expected"
        self._out.print(f"{met} of {len(report.submissions)} submissions {what}{tail}", style="bold")

    def _emit_lines(self, report: Report) -> None:
        header = {"schema_version": 1, "kind": "report", **header_as_json(report)}
        lines = [header, *({"kind": "submission", **submission_as_json(one)} for one in report.submissions)]
        for line in [*lines, {"kind": "end", "exit_code": exit_code(report)}]:
            click.echo(json.dumps(line, ensure_ascii=False))
        sys.stdout.flush()

    def _built(self, path: str, built: Built) -> None:
        if isinstance(built, CompileFailure) and not self._alone:
            self._live.say(f"{path}: does not compile")

    def _case(self, path: str, result: CaseResult) -> None:
        self._live.step(f"{path} {result.name} {result.verdict}")


def _one_summary(submission: SubmissionResult) -> str:
    slowest = submission.slowest()
    parts = [f"{submission.path}: {submission.verdict.words}"]
    if submission.score is not None:
        parts.append(f"{words.points(submission.score)} points")
    if slowest is not None:
        parts.append(f"slowest {words.seconds(slowest.cpu_s)} on {slowest.name}")
        parts.append(f"peak memory {words.mebibytes(submission.peak_memory_bytes())}")
    trouble = words.first_trouble(submission)
    if trouble is not None:
        parts.append(f"first failure on {trouble.name}")
    if submission.expected is not None:
        parts.append(words.outcome(submission))
    return ", ".join(parts)
