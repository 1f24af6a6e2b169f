"""The report of a judging: its results with what a reader needs to trust them."""

from collections.abc import Sequence

from harness.host.machine import describe_machine
from harness.package import Package
from harness.results.model import Machine, Report, SubmissionResult
from harness.sandbox.facts import Isolation


def report_of(
    package: Package,
    isolation: Isolation,
    results: Sequence[SubmissionResult] = (),
    *,
    machine: Machine | None = None,
) -> Report:
    """Make the report. isolation: of the runs. machine: where a calibration was made; None: not calibrated."""
    return Report(
        problem=package.slug,
        title=package.title,
        time_limit_s=package.limits.time_limit_s or 0.0,
        memory_limit_mib=package.limits.memory_mib,
        isolation=isolation,
        machine=machine or describe_machine(calibrate=False),
        submissions=tuple(results),
    )
