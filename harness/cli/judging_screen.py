"""Judge submissions with live progress; print tables, remarks and samples; write the result. The options for it."""

import importlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import click
from rich.console import Console, RenderableType

from harness.build.executable import Built, CompileFailure
from harness.cli.console import Counter, console, show
from harness.cli.options import (
    CiOptions,
    isolation_option,
    jobs_option,
    language_option,
    nested,
    option,
    sanitize_option,
    shared,
    watch_option,
    write_json,
)
from harness.host.host import Host
from harness.judge.judging import Judging, Observer
from harness.judge.report import describe_machine, report_of
from harness.judge.submission_result import Entry
from harness.package import Package
from harness.report import tables, words
from harness.report.escape import one_name
from harness.report.tables import sample_details
from harness.results.as_json import end_line, report_as_json, report_line, submission_line
from harness.results.model import CaseResult, Report, SubmissionResult
from harness.results.verdict import Verdict
from harness.rules.outcomes import judging_exit_code
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class JudgingOptions:
    """The options that `judge` and `test` share, and what else decides what is shown.

    skip_missing: submissions without a compiler here do not count. calibrate: measure the machine for the JSON.
    may_hint: options of the command say how outputs are compared.
    """

    language: str | None = shared(language_option)
    watch: bool = shared(watch_option)
    sanitize: bool = shared(sanitize_option)
    ci: CiOptions = nested(CiOptions)
    quiet: bool = option("-q", "--quiet", is_flag=True, help="Print only what is not as expected.")
    verbose: bool = option(
        "-v", "--verbose", is_flag=True, help="Print every case, and all of a sample's standard error."
    )
    jobs: int = shared(jobs_option)
    isolation: str = shared(isolation_option)
    skip_missing: bool = False
    calibrate: bool = False
    may_hint: bool = False

    @property
    def shows_tables(self) -> bool:
        """Return whether more is printed than what is not as expected."""
        return not self.quiet and not self.ci.short

    @property
    def out(self) -> Console:
        """Return the console for people."""
        return console(stderr=self.ci.json_lines)


def judge_and_show(
    judging: Judging,
    entries: Sequence[Entry],
    options: JudgingOptions,
    *,
    heading: Iterable[RenderableType] = (),
    then: Callable[[Sequence[SubmissionResult]], None] = lambda _: None,
) -> int:
    """Judge the entries with live progress; print and write the result; return the exit code.

    On Ctrl-C print the verdicts so far. heading: printed first. then: called with the results once they are printed.
    """
    # Importing it takes as long as judging some cases. It begins before untrusted text is printed.
    ci = importlib.import_module("harness.cli.ci_output").CiOutput(options.ci) if options.ci.wanted else None
    if options.shows_tables:
        show(options.out, heading)
    screen = _Screen(judging.package, judging.host, options, total=len(entries))
    with screen.live(entries) as observer:
        results = replace(judging, observer=observer).run(entries)
    machine = describe_machine(calibrate=options.calibrate and options.ci.json_file is not None)
    report = report_of(judging.package, judging.host.pool.isolation, results, machine=machine)
    if not options.ci.short:
        screen.conclude(report)
    for result in results if len(results) == 1 and options.shows_tables else ():
        details = sample_details(judging.package, result, verbose=options.verbose, may_hint=options.may_hint)
        show(options.out, details)
    if isinstance(options.ci.json_file, Path):
        write_json(options.ci.json_file, report_as_json(report))
    then(results)
    if ci is not None:
        ci.judging(report, {entry.program.path: entry.program.origin for entry in entries})
    return judging_exit_code(report, skip_missing=options.skip_missing)


class _Screen:
    def __init__(self, package: Package, host: Host, options: JudgingOptions, *, total: int) -> None:
        self._host = host
        self._options = options
        self._alone = total == 1
        self._out = options.out
        self._so_far: dict[str, dict[str, CaseResult]] = {}
        self._live = Counter(f"judging {package.slug}", unit="cases")

    @contextmanager
    def live(self, entries: Sequence[Entry]) -> Iterator[Observer]:
        """Show progress. On Ctrl-C print the verdicts so far."""
        self._so_far = {entry.program.path: {} for entry in entries}
        try:
            with self._live:
                yield Observer(built=self._built, case=self._case)
        except KeyboardInterrupt:
            for path, cases in self._so_far.items():
                self._out.print(words.judged_so_far(path, list(cases.values())), markup=False)
            raise

    def conclude(self, report: Report) -> None:
        """Print the tables, the remarks, the summary, and how well the programs were isolated."""
        if self._options.ci.json_lines:
            self._emit_lines(report)
        if self._options.shows_tables:
            show(self._out, tables.judging_tables(report, verbose=self._options.verbose))
        for line in tables.remarks(report, partial(self._host.builder.offers, "pypy3")):
            self._out.print(line)
        self._summary(report)
        self._out.print(tables.isolation_line(report.isolation))

    def _summary(self, report: Report) -> None:
        if self._alone:
            [only] = report.submissions
            if only.verdict is Verdict.COMPILE_ERROR or only.unavailable:
                return  # already in the remarks, with the compiler's message, or what to install
            self._out.print(words.summary(only), markup=False, style="bold")
            return
        self._out.print(words.summary_of_all(report, skip_missing=self._options.skip_missing), style="bold")

    def _emit_lines(self, report: Report) -> None:
        code = judging_exit_code(report, skip_missing=self._options.skip_missing)
        for line in (report_line(report), *map(submission_line, report.submissions), end_line(code)):
            click.echo(line)
        sys.stdout.flush()

    def _built(self, path: str, built: Built) -> None:
        if isinstance(built, CompileFailure) and not self._alone and not self._options.ci.short:
            self._live.say(f"{one_name(path)}: does not compile")

    def _case(self, path: str, result: CaseResult) -> None:
        self._so_far[path][result.name] = result
        self._live.step(one_name(f"{path} {result.name} {result.verdict}"))
