"""A package made ready for judging: its data brought up to date, its limits known."""

from dataclasses import replace
from pathlib import Path

from harness.cli.common import console
from harness.cli.generate import show_build_warnings, tell
from harness.cli.progress import Counter
from harness.errors import JudgeError
from harness.generate import load_built
from harness.host.host import Host
from harness.judge import Observer, infer_time_limit
from harness.package import Package
from harness.package.workspace import RECIPE
from harness.report import words

_SLOWER, _LARGER = 10, 4  # how much more time and memory a program with checks gets


def built_package(root: Path, opened: Host) -> Package:
    """The package at `root`, its data brought up to date."""
    with Counter("building data", unit="files") as counter:
        built = load_built(root, opened, progress=counter.step)
    report = built.report
    if report is None:
        return built.package
    if report.drift:
        tell(report, root, stderr=True)
        raise JudgeError(f"{root}: the data is not what its lock says; nothing was judged")
    show_build_warnings(report)
    if report.made and report.overlaid:
        line = f"{words.counted(report.cases, 'test case')} built from {RECIPE}; the package is left as it was"
        console(stderr=True).print(line, markup=False, soft_wrap=True)
    return built.package


def with_limits(package: Package, time_limit: float | None, memory: int | None) -> Package:
    """The package with limits from the command line in the place of its own."""
    limits = package.limits
    return replace(
        package,
        limits=replace(
            limits,
            time_limit_s=limits.time_limit_s if time_limit is None else time_limit,
            memory_mib=limits.memory_mib if memory is None else memory,
        ),
    )


def with_checks(package: Package) -> Package:
    """The package with the time and the memory that programs need that are compiled with checks."""
    limit_s, memory_mib = package.limits.time_limit_s, package.limits.memory_mib
    return with_limits(package, limit_s and limit_s * _SLOWER, memory_mib * _LARGER)


def timed_package(package: Package, opened: Host, *, quiet: bool) -> Package:
    """The package with a time limit: its own, or else the one that its submissions give, which is then said."""
    if package.limits.time_limit_s is not None:
        return package
    with Counter(f"timing {package.slug}", unit="cases") as counter:
        observer = Observer(case=lambda path, result: counter.step(f"{path} {result.name}"))
        inferred = infer_time_limit(package, opened, observer=observer)
    if not quiet:
        line = words.inferred_limit(inferred.limits, package.limits.ac_to_time_limit)
        console(stderr=True).print(line, markup=False, soft_wrap=True)
    return inferred.package
