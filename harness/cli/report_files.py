"""The reports that `grade` and `merge` write: the options that ask for them, and the writing."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import click

from harness.cli.ci_output import GithubOutput
from harness.cli.console import console
from harness.cli.options import CiOptions, Function, folded, github_option, json_option, junit_option, with_options
from harness.cli.output_files import OUTPUT, JsonTarget
from harness.errors import UsageError
from harness.files import atomic
from harness.grade.plan import parse_asked
from harness.report import github, grades, words
from harness.report.gradescope import gradescope
from harness.report.junit import junit
from harness.report.markdown import markdown
from harness.report.page import html
from harness.report.spreadsheet import spreadsheet
from harness.results.as_json import header_as_json, reports_as_json, submission_as_json, without_measurements
from harness.results.model import Feedback, Report, SubmissionResult
from harness.rules.outcomes import grading_exit_code
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Views:
    """The file of each report; None: none. measurements: False leaves out what differs from run to run."""

    json_file: JsonTarget = None
    junitxml: Path | None = None
    html: Path | None = None
    markdown: Path | None = None
    csv: Path | None = None
    gradescope: Path | None = None
    github: bool = False
    quiet: bool = False
    measurements: bool = True

    def __post_init__(self) -> None:
        CiOptions(github=self.github, json_file=self.json_file)

    @property
    def json_lines(self) -> bool:
        """Whether standard output is for JSON Lines; people then read standard error."""
        return self.json_file == "-"


_VIEWS = ("json_file", "junitxml", "html", "markdown", "csv", "gradescope", "github", "quiet", "measurements")
_FILES = (
    json_option,
    junit_option,
    click.option("--html", metavar="FILE", type=OUTPUT, help="A self-contained page there."),
    click.option("--markdown", metavar="FILE", type=OUTPUT, help="Markdown there."),
    click.option("--csv", metavar="FILE", type=OUTPUT, help="A line a submission there, for a spreadsheet."),
    click.option(
        "--gradescope", metavar="FILE", type=OUTPUT, help="Gradescope's results.json there (one submission)."
    ),
    github_option,
    click.option("-q", "--quiet", is_flag=True, help="No table, no progress."),
    click.option(
        "--measurements/--no-measurements",
        default=True,
        show_default=True,
        help="Whether times, memory and calibration are in the reports; without them two runs give the same bytes.",
    ),
)


def view_options(function: Function) -> Function:
    """The options that name the views, as one argument `views`."""
    return with_options(*_FILES)(folded("views", _VIEWS, Views)(function))


def asked_options(function: Function) -> Function:
    """--require and --min-score, as one argument `asked`; None: neither was given."""
    options = with_options(
        click.option(
            "--require", metavar="VERDICT", multiple=True, help="Exit 1 unless every submission gets it (AC,…)."
        ),
        click.option("--min-score", type=float, help="Exit 1 unless every submission gets so many points."),
    )
    return options(folded("asked", ("require", "min_score"), parse_asked)(function))


def feedback_option(text: str) -> Callable[[Function], Function]:
    """--feedback as an argument of type Feedback. text: its help."""
    return click.option(
        "--feedback",
        type=click.Choice([level.value for level in Feedback]),
        default=Feedback.SAMPLES.value,
        show_default=True,
        callback=lambda _context, _param, value: Feedback(value),
        help=text,
    )


class GradingOutput:
    """Everything that a grading prints and writes, in the order in which it may be printed."""

    def __init__(self, views: Views) -> None:
        self._views = views
        self._out = console(stderr=views.json_lines)
        # From here on untrusted text is printed.
        self._github = GithubOutput(wanted=views.github)

    def begin(self, report: Report) -> None:
        """Write what stands before the submissions of a problem."""
        if self._views.json_lines:
            self._line({"schema_version": 1, "kind": "report", **header_as_json(self._shown(report))})

    def submission(self, report: Report, submission: SubmissionResult) -> None:
        """Write a finished submission; they come in their order."""
        if self._views.json_lines:
            [shown] = self._shown(replace(report, submissions=(submission,))).submissions
            self._line({"kind": "submission", **submission_as_json(shown)})

    def conclude(self, reports: Sequence[Report]) -> int:
        """Write every view; return the exit code."""
        shown = [self._shown(report) for report in reports]
        self._write(shown)
        self._tables(shown)
        if self._views.github:
            self._github.conclude(github.annotations(shown), github.step_summary(shown))
        code = grading_exit_code(reports)
        if self._views.json_lines:
            self._line({"kind": "end", "exit_code": code})
        return code

    def _shown(self, report: Report) -> Report:
        return report if self._views.measurements else without_measurements(report)

    def _line(self, value: object) -> None:
        click.echo(json.dumps(value))  # a pipe may close, a reader may wait: each line goes out whole and at once

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
