"""Make the report of a judging: its results with the limits, the isolation and the machine."""

import os
import platform
import time
from collections.abc import Callable, Sequence

from harness.package import Package
from harness.results.model import Machine, Report, SubmissionResult
from harness.sandbox.facts import Isolation
from harness.store.identity import processor_name

_STEPS = 200_000
_TABLE_BYTES = 1 << 26


def describe_machine(*, calibrate: bool) -> Machine:
    """Describe this machine. calibrate: also time two small computations (some 50 ms), to compare machines."""
    return Machine(
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        processor=processor_name(),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        python=platform.python_version(),
        calibration_integer_s=_timed(_integer_loop) if calibrate else None,
        calibration_memory_s=_timed(_pointer_chase) if calibrate else None,
    )


def _timed(work: Callable[[], object]) -> float:
    started_s = time.thread_time()
    work()
    return round(time.thread_time() - started_s, 6)


def _integer_loop() -> int:
    value = 1
    for step in range(_STEPS):
        value = (value * 1103515245 + step) & 0x7FFFFFFF
    return value


def _pointer_chase() -> int:
    # Each address depends on the byte read before, within 64 MiB, so the caches do not help.
    table, index = b"\x01" * _TABLE_BYTES, 1
    for _ in range(_STEPS // 4):
        index = (index * 1103515245 + table[index] + 12345) & (_TABLE_BYTES - 1)
    return index


def report_of(
    package: Package,
    isolation: Isolation,
    results: Sequence[SubmissionResult] = (),
    *,
    machine: Machine | None = None,
) -> Report:
    """Make the report. isolation: of the runs. machine: with a calibration; None: describe it without one."""
    return Report(
        problem=package.slug,
        title=package.title,
        time_limit_s=package.limits.time_limit_s or 0.0,
        memory_limit_mib=package.limits.memory_mib,
        isolation=isolation,
        machine=machine or describe_machine(calibrate=False),
        submissions=tuple(results),
    )
