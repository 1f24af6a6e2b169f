"""Live progress of a grading (a matrix on a terminal, lines in a log), and its reports at the end."""

import json
import shutil
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from harness.cli.ci_output import SUMMARY_BYTES, GithubOutput
from harness.cli.console import console
from harness.cli.grade_options import Views
from harness.errors import counted
from harness.files import atomic
from harness.report import diagnostics, grades
from harness.report.escape import one_line, one_name
from harness.report.gradebooks import check_gradescope, gradescope, spreadsheet
from harness.report.grades import progress_line
from harness.report.junit import junit
from harness.report.markdown import markdown
from harness.report.page import html
from harness.report.tables import isolation_line, verdict_marks, verdict_text
from harness.results.as_json import end_line, report_line, reports_as_json, submission_line, without_measurements
from harness.results.model import CaseResult, Report, SubmissionResult
from harness.results.verdict import Verdict
from harness.rules.outcomes import grading_exit_code

_NAME_WIDTH = 30
_ROWS_KEPT_FREE = 6
_FIRST_LINE_S, _RARER, _RAREST_S = 5.0, 1.3, 60.0


class GradingScreen:
    """A row for each submission, a mark for each case: live on a terminal, else one line for each submission."""

    def __init__(
        self, problem: str, paths: Sequence[str], cases: Sequence[str], *, repeat: int = 1, quiet: bool = False
    ) -> None:
        self._console = Console(stderr=True, highlight=False, emoji=False)
        self._problem = problem
        self._paths = tuple(paths)
        self._column = {name: index for index, name in enumerate(cases)}
        self._marks: dict[str, dict[int, Verdict]] = {}
        self._done: dict[str, SubmissionResult] = {}
        self._repeat = repeat
        self._finished_cases: Counter[str] = Counter()  # by submission; run, or from the store
        self.stored_cases = 0  # results that came from the store
        self._started_s = self._shown_s = time.monotonic()
        self._pause_s = _FIRST_LINE_S
        self._quiet = quiet
        self._watched = self._console.is_terminal and not quiet
        self._live = Live(
            self, console=self._console, transient=True, auto_refresh=self._watched, refresh_per_second=8
        )

    def __enter__(self) -> "GradingScreen":
        if self._watched:
            self._live.start()
        elif not self._quiet:
            times = f", {self._repeat} times" if self._repeat > 1 else ""
            submissions, cases = counted(len(self._paths), "submission"), counted(len(self._column), "case")
            self.say(f"{self._problem}: {submissions}, {cases} each{times}")
        return self

    def __exit__(self, *_: object) -> None:
        if self._watched:
            self._live.stop()

    def case(self, path: str, result: CaseResult) -> None:
        """Note a finished case."""
        self._marks.setdefault(path, {})[self._column.get(result.name, 0)] = result.verdict
        self._finished_cases[path] += 1
        if not self._watched and not self._quiet and time.monotonic() - self._shown_s >= self._pause_s:
            self._show_progress()

    def _show_progress(self) -> None:
        """Print a line of progress in a log: first after some seconds, then less and less often."""
        self._shown_s, self._pause_s = time.monotonic(), min(self._pause_s * _RARER, _RAREST_S)
        each = len(self._column) * self._repeat
        done = sum(each if path in self._done else min(self._finished_cases[path], each) for path in self._paths)
        self.say(
            f"{done} of {each * len(self._paths)} cases, {len(self._done)} of {len(self._paths)} submissions "
            f"after {self._shown_s - self._started_s:.0f} s"
        )

    def stored(self, path: str, cases: int) -> None:
        """Note the number of stored results of a submission."""
        self._finished_cases[path] += cases
        self.stored_cases += cases

    def submission(self, result: SubmissionResult) -> None:
        """Note a finished submission. Submissions finish in order."""
        self._done[result.path] = result
        self._marks.pop(result.path, None)
        if not self._watched and not self._quiet:
            self._console.print(
                f"[{len(self._done)}/{len(self._paths)}] {progress_line(result)}", markup=False, soft_wrap=True
            )

    def say(self, line: str) -> None:
        """Print a line above the live part."""
        self._console.print(line, markup=False, soft_wrap=True)

    def __rich__(self) -> Table:
        size = shutil.get_terminal_size()
        table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), show_header=True, header_style="bold")
        for title in (f"{self._problem}: {len(self._done)} of {len(self._paths)}", "", "cases"):
            table.add_column(title, no_wrap=True)
        for path in self._rows(max(size.lines - _ROWS_KEPT_FREE, 3)):
            verdict = self._done[path].verdict if path in self._done else None
            width = max(size.columns - _NAME_WIDTH - 12, 10)
            table.add_row(
                one_line(one_name(path), _NAME_WIDTH),
                verdict_text(verdict) if verdict else "",
                self._row(path, width),
            )
        return table

    def _rows(self, most: int) -> list[str]:
        """Return the running submissions, then those that finished last, as many as fit."""
        under_way = [path for path in self._marks if path not in self._done][:most]
        return under_way + list(reversed(self._done))[: max(most - len(under_way), 0)]

    def _row(self, path: str, width: int) -> Text:
        marks = self._marks.get(path) or {}
        if path in self._done:
            marks = {self._column.get(case.name, 0): case.verdict for case in self._done[path].cases}
        return verdict_marks([marks.get(column) for column in range(len(self._column))], width)


class GradingOutput:
    """Prints and writes the results of a grading. Call `begin` and `submission` for each problem, then `conclude`."""

    def __init__(self, views: Views) -> None:
        self._views = views
        self._out = console(stderr=views.ci.json_lines)
        # From here on untrusted text is printed.
        self._github = GithubOutput(wanted=views.ci.github)

    def begin(self, report: Report) -> None:
        """Write the header of a problem."""
        if self._views.ci.json_lines:
            click.echo(report_line(self._shown(report)))

    def submission(self, report: Report, submission: SubmissionResult) -> None:
        """Write a finished submission. Call it in the order of the submissions."""
        if self._views.ci.json_lines:
            [shown] = self._shown(replace(report, submissions=(submission,))).submissions
            click.echo(submission_line(shown))

    def conclude(self, reports: Sequence[Report], origins: Mapping[tuple[str, str], Path]) -> int:
        """Write every view; return the exit code. origins: see `diagnostics.annotations`."""
        shown = [self._shown(report) for report in reports]
        self._write(shown)
        self._tables(shown)
        if self._views.ci.github:
            self._github.conclude(diagnostics.annotations(shown, origins), markdown(shown, SUMMARY_BYTES))
        code = grading_exit_code(reports)
        if self._views.ci.json_lines:
            click.echo(end_line(code))
        return code

    def _shown(self, report: Report) -> Report:
        return report if self._views.measurements else without_measurements(report)

    def _write(self, reports: Sequence[Report]) -> None:
        views = self._views
        if views.gradescope is not None:
            check_gradescope(len(reports), sum(len(report.submissions) for report in reports))
        if isinstance(views.ci.json_file, Path):
            atomic.deliver(views.ci.json_file, reports_as_json(reports).encode())
        files = (
            (views.ci.junitxml, junit),
            (views.markdown, markdown),
            (views.html, html),
            (views.csv, spreadsheet),
        )
        for path, text in files:
            if path is not None:
                atomic.deliver(path, text(reports).encode())
        if views.gradescope is not None:
            atomic.deliver(views.gradescope, json.dumps(gradescope(reports[0]), indent=1).encode())

    def _tables(self, reports: Sequence[Report]) -> None:
        for report in reports:
            if not self._views.quiet:
                self._out.print(f"{report.title} ({report.problem})", markup=False, style="bold")
                self._out.print(grades.grade_table(report))
                for text in grades.details(report):
                    self._out.print(text, markup=False)
            self._out.print(isolation_line(report.isolation))
        self._out.print(grades.summary(reports), markup=False, style="bold")
