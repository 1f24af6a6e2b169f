"""Print and write the reports of `grade` and `merge`."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from harness.cli.ci_output import GithubOutput
from harness.cli.console import console
from harness.cli.report_options import Views
from harness.errors import UsageError
from harness.files import atomic
from harness.report import github, grades, words
from harness.report.gradescope import gradescope
from harness.report.junit import junit
from harness.report.markdown import markdown
from harness.report.page import html
from harness.report.spreadsheet import spreadsheet
from harness.results.as_json import end_line, report_line, reports_as_json, submission_line, without_measurements
from harness.results.model import Report, SubmissionResult
from harness.rules.outcomes import grading_exit_code


class GradingOutput:
    """Prints and writes the results of a grading. Call `begin` and `submission` for each problem, then `conclude`."""

    def __init__(self, views: Views) -> None:
        self._views = views
        self._out = console(stderr=views.json_lines)
        # From here on untrusted text is printed.
        self._github = GithubOutput(wanted=views.github)

    def begin(self, report: Report) -> None:
        """Write the header of a problem."""
        if self._views.json_lines:
            click.echo(report_line(self._shown(report)))

    def submission(self, report: Report, submission: SubmissionResult) -> None:
        """Write a finished submission. Call it in the order of the submissions."""
        if self._views.json_lines:
            [shown] = self._shown(replace(report, submissions=(submission,))).submissions
            click.echo(submission_line(shown))

    def conclude(self, reports: Sequence[Report]) -> int:
        """Write every view; return the exit code."""
        shown = [self._shown(report) for report in reports]
        self._write(shown)
        self._tables(shown)
        if self._views.github:
            self._github.conclude(github.annotations(shown), github.step_summary(shown))
        code = grading_exit_code(reports)
        if self._views.json_lines:
            click.echo(end_line(code))
        return code

    def _shown(self, report: Report) -> Report:
        return report if self._views.measurements else without_measurements(report)

    def _write(self, reports: Sequence[Report]) -> None:
        views = self._views
        if isinstance(views.json_file, Path):
            atomic.deliver(views.json_file, reports_as_json(reports).encode())
        files = ((views.junitxml, junit), (views.markdown, markdown), (views.html, html), (views.csv, spreadsheet))
        for path, text in files:
            if path is not None:
                atomic.deliver(path, text(reports).encode())
        if views.gradescope is not None:
            if len(reports) != 1:
                raise UsageError(f"Gradescope takes one problem at a time, here are {len(reports)}")
            atomic.deliver(views.gradescope, json.dumps(gradescope(reports[0]), indent=1).encode())

    def _tables(self, reports: Sequence[Report]) -> None:
        for report in reports:
            if not self._views.quiet:
                self._out.print(f"{report.title} ({report.problem})", markup=False, style="bold")
                self._out.print(grades.grade_table(report))
                for text in grades.details(report):
                    self._out.print(text, markup=False, soft_wrap=True)
            style = None if report.isolation.contained else "bold yellow"
            self._out.print(words.isolation_banner(report.isolation), style=style, markup=False, soft_wrap=True)
        self._out.print(grades.summary(reports), markup=False, style="bold")
