"""The PROBLEM of a command, and how its package is prepared for judging, with what is printed meanwhile."""

from collections.abc import Sequence
from pathlib import Path

import click
from rich.filesize import decimal

from harness.cli.console import Counter, console
from harness.errors import UsageError
from harness.generate.data import DataReport
from harness.generate.overlay import mends
from harness.host.host import Host
from harness.judge.judging import Observer
from harness.judge.prepare import PrepareObserver, build_package, with_time_limit
from harness.package import Package
from harness.package.ad_hoc import DEFAULT, StatedLimits
from harness.package.archive import opened
from harness.package.find import find_package
from harness.package.workspace import LOCK
from harness.report import words
from harness.report.escape import one_name, printable
from harness.rules.time_limit import TimeLimits

SHOWN = 10


def package_folder(problem: str | None, base: Path | None = None, *, to_change: str = "") -> Path:
    """The package that PROBLEM means, seen from `base` or where we are; an archive is unpacked for the call.

    to_change: what would write into the package. Raises UsageError then for an archive: it would be lost.
    """
    path = find_package(problem, base or Path.cwd())
    if to_change and not path.is_dir():
        raise UsageError(f"{path}: {to_change} writes into the package: unpack the archive first")
    return click.get_current_context().with_resource(opened(path))


def split(arguments: Sequence[str]) -> tuple[str | None, list[Path]]:
    """PROBLEM and the submissions behind it; where we stand in a package, PROBLEM may be left out.

    Raises UsageError where the first argument is neither a problem nor, in a package, perhaps a submission of it.
    """
    if not arguments:
        return None, []
    first, *rest = arguments
    try:
        find_package(first, Path.cwd())
    except UsageError:
        # A file cannot be a package; and within one, a name is of a submission.
        if not Path(first).is_file() and not within_a_package():
            raise
        return None, [Path(path) for path in arguments]
    return first, [Path(path) for path in rest]


def within_a_package() -> bool:
    """Whether the current folder lies in a problem package."""
    try:
        find_package(None, Path.cwd())
    except UsageError:
        return False
    return True


def package_or_hint(problem: str | None, hint: str, *, to_change: str = "") -> Path:
    """The package that PROBLEM means; where none was named and none is around, the error says what goes without."""
    try:
        return package_folder(problem, to_change=to_change)
    except UsageError as error:
        if problem is not None:
            raise
        raise UsageError(f"{error}\nwithout a package: {hint}") from error


def built_package(root: Path, opened: Host) -> Package:
    """Build the package at `root` with live progress, then print what its author should know."""
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
    show_build_warnings(report)
    if report.made and report.overlaid:
        line = f"{words.counted(report.cases, 'test case')} built; the package is left as it was"
        console(stderr=True).print(line, markup=False, soft_wrap=True)


def timed_package(package: Package, opened: Host, *, quiet: bool) -> Package:
    """Return the package with a time limit; one that had to be inferred is printed."""
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


def limits_line(limits: StatedLimits) -> str:
    """The limits in force and where they come from, in one line."""
    time, memory = f"{limits.time_limit_s:g} s", f"{limits.memory_mib} MiB"
    if limits.time_from == limits.memory_from:
        return f"limits: {time}, {memory} ({_source(limits.time_from)})"
    return f"limits: {time} ({_source(limits.time_from)}), {memory} ({_source(limits.memory_from)})"


def _source(name: str) -> str:
    return "the default" if name == DEFAULT else one_name(name)


def show_data_report(report: DataReport, root: Path, *, stderr: bool = False) -> None:
    """Print what a build did, and where it differs from the lock."""
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


def show_build_warnings(report: DataReport) -> None:
    """What the package's author should mend, on standard error."""
    for warning in report.warnings:
        console(stderr=True).print(printable(f"warning: {warning}"), markup=False, style="yellow", soft_wrap=True)
