"""Prepare a package for judging: build its data, set its limits, infer a missing time limit."""

from collections.abc import Callable
from dataclasses import field, replace
from pathlib import Path

from harness.errors import JudgeError, UsageError
from harness.generate.data import DataReport
from harness.generate.overlay import load_built
from harness.host.host import Host
from harness.judge.judging import Judging, Observer
from harness.judge.submission_result import Entry
from harness.package import Package, Rule
from harness.package.model import rules_for
from harness.results.verdict import Verdict
from harness.rules.time_limit import TimeLimits, time_limits
from harness.values import dataclass

CAP_S = 60.0
_CHECKED_TIME, _CHECKED_MEMORY = 10, 4  # factors on the limits for programs with checks


@dataclass(frozen=True, kw_only=True)
class PrepareObserver:
    """Observes the preparation of a package, in the calling thread.

    data_file: a data file was built. data: all data was built; gets the report. judging: observes the timing runs.
    time_limit: a time limit was inferred.
    """

    data_file: Callable[[str], None] = lambda _: None
    data: Callable[[DataReport], None] = lambda _: None
    judging: Observer = field(default_factory=Observer)
    time_limit: Callable[[TimeLimits], None] = lambda _: None


def build_package(root: Path, host: Host, observer: PrepareObserver) -> Package:
    """Bring the data of the package at `root` up to date and load it.

    Raises JudgeError if the data differs from the package's lock.
    """
    built = load_built(root, host, progress=observer.data_file)
    if built.report is not None:
        observer.data(built.report)
        if built.report.drift:
            raise JudgeError(f"{root}: the data is not what its lock says; nothing was judged")
    return built.package


def with_limits(package: Package, time_limit_s: float | None, memory_mib: int | None) -> Package:
    """Return the package with these limits; None keeps its own."""
    limits = package.limits
    limits = replace(
        limits,
        time_limit_s=limits.time_limit_s if time_limit_s is None else time_limit_s,
        memory_mib=limits.memory_mib if memory_mib is None else memory_mib,
    )
    return replace(package, limits=limits)


def with_checks(package: Package) -> Package:
    """Return the package with limits for programs that are compiled with run-time checks, which are slower."""
    time_limit_s, memory_mib = package.limits.time_limit_s, package.limits.memory_mib
    return with_limits(package, time_limit_s and time_limit_s * _CHECKED_TIME, memory_mib * _CHECKED_MEMORY)


def with_time_limit(package: Package, host: Host, observer: PrepareObserver) -> Package:
    """Return the package with a time limit: its own, or else the inferred one. Raises as `infer_time_limit`."""
    if package.limits.time_limit_s is not None:
        return package
    inferred = infer_time_limit(package, host, observer=observer.judging)
    observer.time_limit(inferred.limits)
    return inferred.package


@dataclass(frozen=True, kw_only=True)
class Inferred:
    """A package with its inferred time limit, and the basis of the inference."""

    package: Package
    limits: TimeLimits


def infer_time_limit(package: Package, host: Host, *, cap_s: float = CAP_S, observer: Observer) -> Inferred:
    """Infer the time limit: run every submission that must be accepted on every case. cap_s: the longest run.

    By the format, submissions that must be wrong or crash may bound the limit, too; but they may run for any time, so
    only `harness verify` checks these.

    Raises UsageError if no submission can be timed, JudgeError if a validator fails.
    """
    bounding = [
        (program, rules)
        for program in package.submissions
        if (rules := tuple(filter(_must_be_accepted, rules_for(program.path, package.rules))))
    ]
    capped = with_limits(package, cap_s, None)
    entries = [Entry(program=program, rules=rules) for program, rules in bounding]
    results = Judging(package=capped, host=host, complete=True, observer=observer).run(entries)
    for result in results:
        if result.verdict is Verdict.JUDGE_ERROR:
            broken = result.first_failure()
            where, message = ("", "") if broken is None else (f" on {broken.name}", broken.message)
            raise JudgeError(f"no time limit could be found: {result.path}{where}: {result.message or message}")
    judged = [(result, rules) for result, (_, rules) in zip(results, bounding, strict=True)]
    limits = time_limits(judged, package.limits, cap_s=cap_s)
    if limits.default_s is None:
        why = limits.faults[0] if limits.faults else "no submission could be timed"
        raise UsageError(f"{package.slug} has no time_limit, and none follows: {why}; give --time-limit SECONDS")
    timed = with_limits(package, limits.default_s, None)
    return Inferred(package=timed, limits=limits)


def _must_be_accepted(rule: Rule) -> bool:
    stated = rule.use_for_time_limit == "lower"
    return rule.bounds_from_below and (stated or rule.permitted == frozenset({"AC"}))
