"""Resolve the PROBLEM of a command and prepare its package for judging, with progress and warnings."""

from pathlib import Path

import click

from harness.cli.console import Counter, console, show
from harness.errors import UsageError
from harness.generate.data import DataReport
from harness.host.host import Host
from harness.judge.judging import Observer
from harness.judge.prepare import PrepareObserver, build_package, with_time_limit
from harness.package import Package
from harness.package.archive import opened
from harness.package.find import find_package
from harness.report import data, words
from harness.rules.time_limit import TimeLimits


def package_folder(problem: str | None, base: Path | None = None, *, to_change: str = "") -> Path:
    """Return the folder of PROBLEM, resolved from `base` or the current folder; unpack an archive for this call.

    to_change: the option that writes into the package; it raises UsageError for an archive.
    """
    path = find_package(problem, base or Path.cwd())
    if to_change and not path.is_dir():
        raise UsageError(f"{path}: {to_change} writes into the package: unpack the archive first")
    return click.get_current_context().with_resource(opened(path))


def package_or_hint(problem: str | None, hint: str, *, to_change: str = "") -> Path:
    """Return the folder of PROBLEM; if there is none, the error contains `hint`: what works without a package."""
    try:
        return package_folder(problem, to_change=to_change)
    except UsageError as error:
        if problem is not None:
            raise
        raise UsageError(f"{error}\nwithout a package: {hint}") from error


def built_package(root: Path, opened: Host) -> Package:
    """Build the package at `root` with live progress; print warnings for its author."""
    reports: list[DataReport] = []
    try:
        with Counter("building data", unit="files") as counter:
            return build_package(root, opened, PrepareObserver(data_file=counter.step, data=reports.append))
    finally:
        for report in reports:
            _show_data(report, root)


def _show_data(report: DataReport, root: Path) -> None:
    if report.drift:
        show_data_report(report, root, stderr=True)
        return
    _show_build_warnings(report)
    if report.made and report.overlaid:
        line = f"{words.counted(report.cases, 'test case')} built; the package is left as it was"
        console(stderr=True).print(line, markup=False, soft_wrap=True)


def timed_package(package: Package, opened: Host, *, quiet: bool) -> Package:
    """Return the package with a time limit; print an inferred limit."""
    if package.limits.time_limit_s is not None:
        return package
    inferred: list[TimeLimits] = []
    with Counter(f"timing {package.slug}", unit="cases") as counter:
        judging = Observer(case=lambda path, result: counter.step(f"{path} {result.name}"))
        observer = PrepareObserver(judging=judging, time_limit=inferred.append)
        timed = with_time_limit(package, opened, observer)
    for limits in inferred if not quiet else ():
        line = words.inferred_limit(limits, package.limits.ac_to_time_limit)
        console(stderr=True).print(line, markup=False, soft_wrap=True)
    return timed


def show_data_report(report: DataReport, root: Path, *, stderr: bool = False) -> None:
    """Print what a build did, and where it differs from the lock."""
    _show_build_warnings(report)
    show(console(stderr=stderr), data.report_lines(report, root))


def _show_build_warnings(report: DataReport) -> None:
    show(console(stderr=True), data.warning_lines(report))
