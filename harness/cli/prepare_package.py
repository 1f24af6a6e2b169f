"""Shows how a package is prepared for judging: progress, what its data's build says, an inferred time limit."""

from pathlib import Path

from harness.cli.common import console
from harness.cli.generate import show_build_warnings, tell
from harness.cli.progress import Counter
from harness.generate import DataReport
from harness.host.host import Host
from harness.judge import Observer
from harness.judge.prepare import PrepareObserver, build_package, with_time_limit
from harness.package import Package
from harness.report import words
from harness.rules.time_limit import TimeLimits


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
        tell(report, root, stderr=True)
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
