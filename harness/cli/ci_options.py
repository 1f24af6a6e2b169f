"""The options for programs, editors and CI: --json, --format, --junitxml and --github."""

from pathlib import Path

import click

from harness.cli.options import Function, folded, with_options
from harness.cli.output_files import OUTPUT, JsonTarget, OutputFile
from harness.errors import UsageError
from harness.values import dataclass

json_option = click.option(
    "--json",
    "json_file",
    type=OutputFile(stream=True),
    metavar="FILE",
    is_flag=False,
    flag_value="-",
    help="Write the result there as JSON; -: to standard output.",
)


@dataclass(frozen=True, kw_only=True)
class CiOptions:
    """What to write for programs, editors and CI. Raises UsageError if two options want standard output.

    json_file: `-` is standard output. form: "short" prints a line for each finding and nothing else on stdout.
    """

    json_file: JsonTarget = None
    form: str = "text"
    junitxml: Path | None = None
    github: bool = False

    @property
    def wanted(self) -> bool:
        """Return whether anything is written for editors or CI."""
        return self.short or self.github or self.junitxml is not None

    @property
    def short(self) -> bool:
        """Return whether standard output is for the lines of findings."""
        return self.form == "short"

    @property
    def json_lines(self) -> bool:
        """Return whether standard output is for JSON; texts then go to standard error."""
        return self.json_file == "-"

    def __post_init__(self) -> None:
        if self.json_lines and (self.short or self.github):
            other = "--format short" if self.short else "--github"
            raise UsageError(f"{other} and --json - both want standard output: write the JSON to a file")


format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "short"]),
    default="text",
    show_default=True,
    help="short: nothing but a line for each finding, file:line:col: error: text (docs/editors.md).",
)
junit_option = click.option("--junitxml", metavar="FILE", type=OUTPUT, help="JUnit XML there.")
github_option = click.option(
    "--github", is_flag=True, help="Annotations on stdout and a summary in $GITHUB_STEP_SUMMARY."
)


def ci_options(function: Function) -> Function:
    """Add --json, --format, --junitxml and --github to a command, as one argument `ci`."""
    options = with_options(json_option, format_option, junit_option, github_option)
    return options(folded("ci", ("json_file", "form", "junitxml", "github"), CiOptions)(function))
