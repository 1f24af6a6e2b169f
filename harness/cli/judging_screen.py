"""What is shown while submissions are judged and after, and the exit code that follows."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import click

from harness.build import Built, CompileFailure
from harness.cli.common import console
from harness.cli.progress import Counter
from harness.host.host import Host
from harness.host.machine import describe_machine
from harness.judge import Entry, Observer
from harness.package import Package
from harness.report import tables, words
from harness.report.escape import one_name
from harness.results.as_json import header_as_json, submission_as_json
from harness.results.model import CaseResult, Report, SubmissionResult
from harness.results.verdict import Verdict

ALL_AS_EXPECTED, NOT_AS_EXPECTED, COULD_NOT_JUDGE = 0, 1, 2


def exit_code(report: Report, *, skip_missing: bool = False) -> int:
    """0 all as expected (a stranger: accepted), 1 something is not, 2 something could not be judged.

    skip_missing: submissions in a language that this machine lacks do not count, unless there is no other.
    """
    if any(submission.verdict is Verdict.JUDGE_ERROR for submission in report.submissions):
        return COULD_NOT_JUDGE
    judged = [submission for submission in report.submissions if not submission.unavailable]
    if not judged or (len(judged) < len(report.submissions) and not skip_missing):
        return COULD_NOT_JUDGE
    return ALL_AS_EXPECTED if all(map(_as_expected, judged)) else NOT_AS_EXPECTED


def _as_expected(submission: SubmissionResult) -> bool:
    if submission.expected is not None:
        return submission.expected.met
    return submission.verdict is Verdict.ACCEPTED


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

    def __init__(
        self, *, package: Package, json_lines: bool, quiet: bool, total: int, skip_missing: bool = False
    ) -> None:
        self._package = package
        self._skip_missing = skip_missing
        self._json_lines = json_lines
        self._quiet = quiet
        self._alone = total == 1
        self._out = console(stderr=json_lines)
        self._has_pypy: Callable[[], bool] = lambda: False
        self._so_far: dict[str, dict[str, CaseResult]] = {}
        self._live = Counter(f"judging {package.slug}", unit="cases")

    @contextmanager
    def live(self, opened: Host, entries: Sequence[Entry]) -> Iterator[Observer]:
        """Show the progress of a judging that has this observer. On Ctrl-C the verdicts so far are printed."""
        self._has_pypy = partial(opened.builder.offers, "pypy3")
        self._so_far = {entry.program.path: {} for entry in entries}
        try:
            with self._live:
                yield Observer(built=self._built, case=self._case)
        except KeyboardInterrupt:
            for path, cases in self._so_far.items():
                self._out.print(words.judged_so_far(path, list(cases.values())), markup=False, soft_wrap=True)
            raise

    def exit_code(self, report: Report) -> int:
        """The exit code of the command."""
        return exit_code(report, skip_missing=self._skip_missing)

    def conclude(self, report: Report, *, verbose: bool) -> None:
        """The tables and what is wrong, then how far the result can be trusted."""
        if self._json_lines:
            self._emit_lines(report)
        if not self._quiet:
            self._tables(report, verbose=verbose)
        for line in tables.remarks(report, self._has_pypy):
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
        self._out.print(one_name(submission.path), markup=False, style="bold")
        self._out.print(tables.group_table(submission))
        cases = submission.cases if verbose else tables.failing_cases(submission)
        if cases:
            self._out.print(tables.case_table(report, cases))

    def _summary(self, report: Report) -> None:
        if self._alone:
            [only] = report.submissions
            if only.verdict is Verdict.COMPILE_ERROR or only.unavailable:
                return  # said already, with the compiler's own words, or what to install
            self._out.print(_one_summary(only), markup=False, style="bold")
            return
        met = sum(_as_expected(one) and not (one.expected and one.expected.nothing) for one in report.submissions)
        missing = sum(submission.unavailable for submission in report.submissions)
        free = sum(bool(one.expected and one.expected.nothing) for one in report.submissions)
        mend = "" if self._skip_missing else " (harness doctor names it; or --skip-missing-languages)"
        tail = f", {missing} not judged for want of a compiler{mend}" if missing else ""
        tail = f"{tail}; of {free} nothing is expected" if free else tail
        strangers = all(submission.expected is None for submission in report.submissions)
        what = "accepted" if strangers else "as expected"
        self._out.print(f"{met} of {len(report.submissions)} submissions {what}{tail}", style="bold")

    def _emit_lines(self, report: Report) -> None:
        header = {"schema_version": 1, "kind": "report", **header_as_json(report)}
        lines = [header, *({"kind": "submission", **submission_as_json(one)} for one in report.submissions)]
        for line in [*lines, {"kind": "end", "exit_code": self.exit_code(report)}]:
            click.echo(json.dumps(line, ensure_ascii=False))
        sys.stdout.flush()

    def _built(self, path: str, built: Built) -> None:
        if isinstance(built, CompileFailure) and not self._alone:
            self._live.say(f"{one_name(path)}: does not compile")

    def _case(self, path: str, result: CaseResult) -> None:
        self._so_far[path][result.name] = result
        self._live.step(one_name(f"{path} {result.name} {result.verdict}"))


def _one_summary(submission: SubmissionResult) -> str:
    slowest = submission.slowest()
    parts = [f"{one_name(submission.path)}: {submission.verdict.words}"]
    if submission.score is not None:
        parts.append(f"{words.points(submission.score)} points")
    if slowest is not None:
        parts.append(f"slowest {words.seconds(slowest.cpu_s)} on {one_name(slowest.name)}")
        parts.append(f"peak memory {words.mebibytes(submission.peak_memory_bytes())}")
    trouble = words.first_trouble(submission)
    if trouble is not None:
        parts.append(f"first failure on {one_name(trouble.name)}")
    if submission.expected is not None:
        parts.append(words.outcome(submission))
    return ", ".join(parts)
