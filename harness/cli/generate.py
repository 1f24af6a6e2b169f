"""harness generate: build a package's test data from its recipe."""

from pathlib import Path

import click
from rich.filesize import decimal

from harness.cli.common import console, host, jobs_option, package_folder
from harness.cli.progress import Counter
from harness.generate import DataReport, generate_data, mends
from harness.package.workspace import LOCK
from harness.report import words
from harness.report.escape import printable

SHOWN = 10


@click.command("generate")
@click.argument("problem", required=False)
@click.option("--relock", is_flag=True, help="Accept what the recipe now makes and write its hashes to the lock.")
@click.option("--force", is_flag=True, help="Overwrite also files that were edited since the recipe made them.")
@jobs_option
def command(problem: str | None, *, relock: bool, force: bool, jobs: int, isolation: str) -> int:
    """Build PROBLEM's secret data: generators, input validation, answers, hash lock.

    Only what changed is made again. Without --relock the lock is never rewritten: a file that differs is an error.
    Without --force no file is overwritten that somebody edited since it was made: the call names it and ends.

    Example: harness generate sokoban
    """
    root = package_folder(problem, to_change="generate")
    with host(jobs, isolation) as opened, Counter("building", unit="files") as counter:
        report = generate_data(root, opened, relock=relock, force=force, progress=counter.step)
    return tell(report, root)


def tell(report: DataReport, root: Path, *, stderr: bool = False) -> int:
    """Print what a build did; 0 when it agrees with the lock."""
    out = console(stderr=stderr)
    show_build_warnings(report)
    made = words.counted(report.made, "file")
    out.print(f"{words.counted(report.cases, 'case')}, {decimal(report.bytes)}; {made} made anew")
    for name in report.removed:
        out.print(f"removed, no longer in the recipe: {name}", markup=False)
    if report.locked:
        out.print(f"locked: {root / LOCK}", markup=False)
    elif report.lock is not None and not report.drift:
        out.print(f"every sum is as in {report.lock}", markup=False)
    drift = [f"{kind} against the lock: {name}" for kind, name in report.drift.items()]
    for line in drift[:SHOWN]:
        out.print(line, markup=False, style="bold red")
    if len(drift) > SHOWN:
        out.print(f"… and {len(drift) - SHOWN} more", style="bold red")
    if report.drift:
        for line in mends(root):
            out.print(printable(line), markup=False, style="bold", soft_wrap=True)
    return 1 if report.drift else 0


def show_build_warnings(report: DataReport) -> None:
    """What the package's author should mend, on standard error."""
    for warning in report.warnings:
        console(stderr=True).print(printable(f"warning: {warning}"), markup=False, style="yellow", soft_wrap=True)
