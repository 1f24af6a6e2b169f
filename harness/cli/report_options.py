"""The options of `grade` and `merge`: which reports to write, and what they show."""

from collections.abc import Callable
from pathlib import Path

import click

from harness.cli.ci_options import CiOptions, github_option, json_option, junit_option
from harness.cli.options import Function, folded, with_options
from harness.cli.output_files import OUTPUT, JsonTarget
from harness.grade.plan import parse_asked
from harness.results.model import Feedback
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Views:
    """The file of each report; None: not written. measurements: False omits values that differ from run to run."""

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
        """Return whether standard output is for JSON Lines; texts then go to standard error."""
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
    """Add the options that name the reports to a command, as one argument `views`."""
    return with_options(*_FILES)(folded("views", _VIEWS, Views)(function))


def asked_options(function: Function) -> Function:
    """Add --require and --min-score to a command, as one argument `asked`; None: neither was given."""
    options = with_options(
        click.option(
            "--require", metavar="VERDICT", multiple=True, help="Exit 1 unless every submission gets it (AC,…)."
        ),
        click.option("--min-score", type=float, help="Exit 1 unless every submission gets so many points."),
    )
    return options(folded("asked", ("require", "min_score"), parse_asked)(function))


def feedback_option(text: str) -> Callable[[Function], Function]:
    """Return the option --feedback, of type Feedback. text: its help."""
    return click.option(
        "--feedback",
        type=click.Choice([level.value for level in Feedback]),
        default=Feedback.SAMPLES.value,
        show_default=True,
        callback=lambda _context, _param, value: Feedback(value),
        help=text,
    )
