"""Judges submissions with live progress, then prints tables, remarks and samples and writes the result."""

import importlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from harness.build.model import Built, CompileFailure
from harness.cli.console import Counter, console
from harness.cli.options import CiOptions, Function, ci_options, folded, with_options
from harness.cli.output_files import write_json
from harness.host.host import Host
from harness.judge.judging import Judging, Observer
from harness.judge.report import describe_machine, report_of
from harness.judge.submission_result import Entry
from harness.package import Case, Package, ProblemType
from harness.report import tables, words
from harness.report.differences import HINT, agree_nearly, difference_table
from harness.report.escape import last_lines, lines_of, one_name
from harness.results.as_json import header_as_json, report_as_json, submission_as_json
from harness.results.model import CaseResult, Report, SubmissionResult
from harness.results.verdict import Verdict
from harness.rules.outcomes import judging_exit_code
from harness.values import dataclass

SHOWN = 2
_INPUT_LINES = 12
_STDERR_LINES, _ALL_LINES = 10, 2000


@dataclass(frozen=True, kw_only=True)
class JudgingViews:
    """What a judging is to print and write.

    skip_missing: submissions without a compiler here do not count. calibrate: measure the machine for the JSON.
    may_tolerate: the command has --float-tolerance, and it was not given.
    """

    ci: CiOptions = CiOptions()
    quiet: bool = False
    verbose: bool = False
    skip_missing: bool = False
    calibrate: bool = False
    may_tolerate: bool = False

    @property
    def out(self) -> Console:
        """Where people read."""
        return console(stderr=self.ci.json_lines)


def view_options(function: Function) -> Function:
    """--quiet, --verbose and those of `ci_options`, as one argument `views`."""
    options = with_options(
        click.option("-q", "--quiet", is_flag=True, help="Only what is not as expected."),
        click.option("-v", "--verbose", is_flag=True, help="Every case, and all of a sample's standard error."),
    )
    return ci_options(options(folded("views", ("ci", "quiet", "verbose"), _views)(function)))


def _views(ci: CiOptions, *, quiet: bool, verbose: bool) -> JudgingViews:
    return JudgingViews(ci=ci, quiet=quiet or ci.short, verbose=verbose)


@contextmanager
def ci_output(options: CiOptions, entries: Sequence[Entry]) -> Iterator[Callable[[Report], None]]:
    """Begin the output for CI before anything untrusted is printed; what is yielded takes the report at the end."""
    if not options.wanted:
        yield lambda _: None
        return
    # Loading it takes as long as judging some cases.
    output = importlib.import_module("harness.cli.ci_output").CiOutput(options)
    reports: list[Report] = []
    yield reports.append
    for report in reports:
        output.judging(report, {entry.program.path: entry.program.origin for entry in entries})


def judge_and_show(judging: Judging, entries: Sequence[Entry], views: JudgingViews) -> Report:
    """Judge the entries with live progress; print and write the result. On Ctrl-C print the verdicts so far."""
    screen = _Screen(judging.package, judging.host, views, total=len(entries))
    with screen.live(entries) as observer:
        results = replace(judging, observer=observer).run(entries)
    machine = describe_machine(calibrate=views.calibrate and views.ci.json_file is not None)
    report = report_of(judging.package, judging.host.pool.isolation, results, machine=machine)
    if not views.ci.short:
        screen.conclude(report)
    if not views.quiet and not views.ci.short:
        show_samples(judging.package, results, views.out, verbose=views.verbose, may_tolerate=views.may_tolerate)
    if isinstance(views.ci.json_file, Path):
        write_json(views.ci.json_file, report_as_json(report))
    return report


class _Screen:
    def __init__(self, package: Package, host: Host, views: JudgingViews, *, total: int) -> None:
        self._host = host
        self._views = views
        self._alone = total == 1
        self._out = views.out
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
                self._out.print(words.judged_so_far(path, list(cases.values())), markup=False, soft_wrap=True)
            raise

    def conclude(self, report: Report) -> None:
        """Print the tables and what is wrong, then how far the result can be trusted."""
        if self._views.ci.json_lines:
            self._emit_lines(report)
        if not self._views.quiet:
            self._tables(report)
        for line in tables.remarks(report, partial(self._host.builder.offers, "pypy3")):
            self._out.print(line, soft_wrap=True)
        self._summary(report)
        style = None if report.isolation.contained else "bold yellow"
        self._out.print(words.isolation_banner(report.isolation), style=style, markup=False, soft_wrap=True)

    def _tables(self, report: Report) -> None:
        if self._alone or self._views.verbose:
            for submission in report.submissions:
                self._show_submission(report, submission)
        if not self._alone:
            self._out.print(tables.matrix(report))

    def _show_submission(self, report: Report, submission: SubmissionResult) -> None:
        """A submission's groups, then its failing cases, or all of them."""
        if not submission.cases:
            return
        self._out.print(one_name(submission.path), markup=False, style="bold")
        self._out.print(tables.group_table(submission))
        cases = submission.cases if self._views.verbose else submission.failed_cases()
        if cases:
            self._out.print(tables.case_table(report, cases))

    def _summary(self, report: Report) -> None:
        if self._alone:
            [only] = report.submissions
            if only.verdict is Verdict.COMPILE_ERROR or only.unavailable:
                return  # said already, with the compiler's own words, or what to install
            self._out.print(words.summary(only), markup=False, style="bold")
            return
        self._out.print(words.summary_of_all(report, skip_missing=self._views.skip_missing), style="bold")

    def _emit_lines(self, report: Report) -> None:
        header = {"schema_version": 1, "kind": "report", **header_as_json(report)}
        submissions = map(submission_as_json, report.submissions)
        lines = [header, *({"kind": "submission", **values} for values in submissions)]
        code = judging_exit_code(report, skip_missing=self._views.skip_missing)
        for line in [*lines, {"kind": "end", "exit_code": code}]:
            click.echo(json.dumps(line, ensure_ascii=False))
        sys.stdout.flush()

    def _built(self, path: str, built: Built) -> None:
        if isinstance(built, CompileFailure) and not self._alone and not self._views.ci.short:
            self._live.say(f"{one_name(path)}: does not compile")

    def _case(self, path: str, result: CaseResult) -> None:
        self._so_far[path][result.name] = result
        self._live.step(one_name(f"{path} {result.name} {result.verdict}"))


def show_samples(
    package: Package,
    results: Sequence[SubmissionResult],
    out: Console,
    *,
    verbose: bool = False,
    may_tolerate: bool = False,
) -> None:
    """The first samples that failed: the input, the output beside what is expected, the end of standard error.

    verbose: all that failed, and all of standard error, of the other samples too. A game has its transcript elsewhere.
    may_tolerate: the command has --float-tolerance, and it was not given.
    """
    if len(results) != 1:
        return
    cases = {case.name: case for case in package.sample.all_cases()}
    judged = [case for case in results[0].cases if case.name in cases and case.judged]
    failed = [case for case in judged if case.verdict is not Verdict.ACCEPTED]
    is_game = ProblemType.INTERACTIVE in package.types
    for result in failed if verbose else failed[:SHOWN]:
        if not is_game:
            _show_case(cases[result.name], result, out, may_tolerate=may_tolerate)
        _show_stderr(result, out, _ALL_LINES if verbose else _STDERR_LINES)
    if verbose:
        for result in judged:
            if result not in failed:
                _show_stderr(result, out, _ALL_LINES)


def _show_case(case: Case, result: CaseResult, out: Console, *, may_tolerate: bool) -> None:
    out.print()
    _show_block(f"{result.name}, the input:", list(lines_of(case.input.read(), _INPUT_LINES)), out)
    if result.difference is not None:
        out.print(difference_table(result.difference))
    elif result.output:
        printed = result.output.encode(errors="backslashreplace")
        _show_block("it printed:", list(lines_of(printed, _INPUT_LINES)), out)
    answer = case.answer.read().decode(errors="replace") if case.answer is not None and may_tolerate else ""
    if result.verdict is Verdict.WRONG_ANSWER and answer and agree_nearly(answer, result.output):
        out.print(Text(HINT, style="yellow"), soft_wrap=True)


def _show_stderr(result: CaseResult, out: Console, most: int) -> None:
    lines = list(last_lines(result.stderr, most))
    if lines:
        _show_block(f"{result.name}, standard error:", lines, out)


def _show_block(title: str, lines: Sequence[str], out: Console) -> None:
    out.print(Text(title, style="bold"))
    for line in lines:
        out.print(Text(f"    {line}"), soft_wrap=True)
