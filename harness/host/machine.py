"""What this machine is, and how fast on two fixed pieces of work: figures by which two reports can be compared."""

import os
import platform
import time
from collections.abc import Callable
from pathlib import Path

from harness.results.model import Machine

_STEPS = 200_000
_TABLE_BYTES = 1 << 26


def describe_machine(*, calibrate: bool) -> Machine:
    """Describe, and calibrate if asked to, which takes some 50 ms."""
    return Machine(
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        processor=_processor(),
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
    # Each step's address depends on the byte that the last one read, over 64 MiB: the caches do not help.
    table, place = b"\x01" * _TABLE_BYTES, 1
    for _ in range(_STEPS // 4):
        place = (place * 1103515245 + table[place] + 12345) & (_TABLE_BYTES - 1)
    return place


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
