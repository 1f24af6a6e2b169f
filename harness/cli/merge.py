"""harness merge: merge the reports of shards, or stores, into one report."""

from pathlib import Path

import click

from harness.cli.grade_options import Requirement, Views, feedback_option
from harness.cli.grading_screen import GradingOutput
from harness.cli.options import check_distinct, grouped
from harness.errors import UsageError
from harness.grade.feedback import limited
from harness.grade.shards import merged, reports_of
from harness.results.model import Feedback, Report
from harness.results.reading import read_reports
from harness.rules.outcomes import under_requirement
from harness.store.database import open_store

_SQLITE = b"SQLite format 3\0"


@click.command("merge")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@grouped("requirement", Requirement)
@feedback_option("What the reports show of the cases; never more than the files hold.")
@grouped("views", Views)
def command(files: tuple[Path, ...], *, feedback: Feedback, requirement: Requirement, views: Views) -> int:
    """Make one report of FILES: what `harness grade --shard` wrote with --json, or their stores.

    The outcome and the exit code are those of a grading without shards. --require and --min-score replace those of the
    gradings. All shards must be there.

    \b
    Example:
      harness merge shard1.sqlite shard2.sqlite --require AC --html report.html
    """
    check_distinct({**{str(path): path for path in files}, **views.files})
    asked, output = requirement.asked, GradingOutput(views)
    reports = merged([report for path in files for report in _reports(path)])
    if asked is not None:
        if asked.min_score is not None and not any(report.scored for report in reports):
            raise UsageError(f"{reports[0].problem} gives no points: leave --min-score out")
        reports = [under_requirement(report, asked) for report in reports]
    shown = [limited(report, feedback) for report in reports]
    for report in shown:
        output.begin(report)
        for submission in report.submissions:
            output.submission(report, submission)
    return output.conclude(shown, {})


def _reports(path: Path) -> list[Report]:
    try:
        with path.open("rb") as file:
            is_store = file.read(len(_SQLITE)) == _SQLITE
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    if is_store:
        with open_store(path, read_only=True) as store:
            return reports_of(store)
    return read_reports(path.read_bytes(), str(path))
