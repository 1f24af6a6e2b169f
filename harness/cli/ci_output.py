"""Write findings for editors and CI: short lines, JUnit XML, annotations of GitHub."""

import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from harness.cli.options import CiOptions
from harness.errors import MachineError
from harness.files import atomic
from harness.report import diagnostics
from harness.report.diagnostics import Diagnostic, short_line
from harness.report.grades import summary
from harness.report.junit import JunitSuite, junit_xml, suites_of
from harness.report.markdown import markdown
from harness.results.model import Asked, Report
from harness.results.verdict import Verdict
from harness.rules.outcomes import with_outcome

SUMMARY_VARIABLE = "GITHUB_STEP_SUMMARY"
SUMMARY_BYTES = 1000 * 1024  # GitHub accepts 1 MiB per step
_ACCEPTED = Asked(require=(Verdict.ACCEPTED,))


class GithubOutput:
    """Writes commands to GitHub Actions. Untrusted text printed between them cannot act as a command."""

    def __init__(self, *, wanted: bool) -> None:
        self._wanted = wanted
        self._token = secrets.token_hex(16)
        if wanted:
            click.echo(f"::stop-commands::{self._token}")

    def conclude(self, commands: Sequence[str], summary_text: str) -> None:
        """Print the commands, and add the text to the summary of the step."""
        if not self._wanted:
            return
        click.echo(f"::{self._token}::")
        for line in commands:
            click.echo(line)
        path = os.environ.get(SUMMARY_VARIABLE)
        if path:
            _append(Path(path), summary_text)


class CiOutput:
    """Writes the output that `CiOptions` asks for. Create it before judging: it begins the output."""

    def __init__(self, options: CiOptions) -> None:
        self._options = options
        self._github = GithubOutput(wanted=options.github)

    def conclude(
        self, findings: Sequence[Diagnostic], suites: Sequence[JunitSuite], notice: str, text: str = ""
    ) -> None:
        """Write everything. notice: the result in a line. text: the summary of the step, in Markdown."""
        findings = [replace(diagnostic, path=_from_here(diagnostic.path)) for diagnostic in findings]
        if self._options.short:
            for diagnostic in findings:
                click.echo(short_line(diagnostic))
        if self._options.junitxml is not None:
            atomic.deliver(self._options.junitxml, junit_xml(suites).encode())
        self._github.conclude(diagnostics.workflow_commands(findings, notice), text or f"{notice}\n")

    def judging(self, report: Report, origins: Mapping[str, Path]) -> None:
        """Write the report of a judging. origins: see `diagnostics.of_judging`."""
        submissions = tuple(
            with_outcome(submission, None if submission.expected is not None else _ACCEPTED)
            for submission in report.submissions
        )
        report = replace(report, submissions=submissions)
        findings = list(diagnostics.of_judging(report, origins))
        self.conclude(findings, suites_of([report]), summary([report]), markdown([report], SUMMARY_BYTES))


def _from_here(path: str) -> str:
    """Return the path relative to the current folder, if the file is below it, as editors and CI expect."""
    absolute = Path(path).absolute()
    return str(absolute.relative_to(Path.cwd())) if absolute.is_relative_to(Path.cwd()) else path


def _append(path: Path, text: str) -> None:
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise MachineError(f"{path} (${SUMMARY_VARIABLE}) cannot be written: {error.strerror}") from error
