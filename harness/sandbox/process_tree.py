"""Poll a process tree with psutil: CPU time, memory, time asleep, time spent waiting for a core."""

import contextlib
import resource
import sys
import time
from dataclasses import field
from pathlib import Path

import psutil

from harness.values import dataclass

WINDOW_S = 0.2


_SHOWS_SLEEPERS = sys.platform == "linux"  # elsewhere nearly every process is reported as running


@dataclass(kw_only=True)
class TreeUsage:
    """The use of a process tree, as polled so far. spent_before_s: CPU time that the harness used before exec."""

    spent_before_s: float
    cpu_s: float = 0.0
    memory_bytes: int = 0

    window_s: float = field(default_factory=time.monotonic)
    window_cpu_s: float = 0.0
    idle_s: float = 0.0
    runnable: bool = False
    delay_s: float = 0.0
    window_starved_s: float = 0.0
    starved_s: float = 0.0

    def asleep_s(self) -> float:
        """Return how long it slept: windows in which it used less than a tenth of a core and waited for none."""
        now_s = time.monotonic()
        window_s = now_s - self.window_s
        wanted_s = self.cpu_s - self.window_cpu_s + self.starved_s - self.window_starved_s
        idle = wanted_s * 10 < window_s and not self.runnable
        asleep_s = self.idle_s + (window_s if idle else 0)
        if window_s >= WINDOW_S:
            self.idle_s, self.window_s, self.window_cpu_s = asleep_s, now_s, self.cpu_s
            self.window_starved_s = self.starved_s
        return asleep_s

    def poll(self, root: psutil.Process) -> None:
        """Poll the tree below `root` once."""
        cpu_s, memory_bytes, delay_s, self.runnable = 0.0, 0, 0.0, False
        for process in processes_of(root):
            delay_s += _delay_s(process.pid)
            with contextlib.suppress(psutil.Error), process.oneshot():
                self.runnable |= _SHOWS_SLEEPERS and process.status() == psutil.STATUS_RUNNING
                times = process.cpu_times()
                cpu_s += times.user + times.system
                memory_bytes += process.memory_info().rss or _bytes_of_threads(process.pid)
        self.cpu_s = max(self.cpu_s, cpu_s)
        self.memory_bytes = max(self.memory_bytes, memory_bytes)
        self.starved_s += max(delay_s - self.delay_s, 0.0)
        self.delay_s = delay_s


def _delay_s(pid: int) -> float:
    """Return how long the main thread of a process waited for a core; 0 if the kernel does not say."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text("ascii").split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def processes_of(root: psutil.Process | int) -> list[psutil.Process]:
    """Return a process and all below it; none if it has ended."""
    try:
        process = psutil.Process(root) if isinstance(root, int) else root
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return []


def _bytes_of_threads(pid: int) -> int:
    """Return resident memory as the threads report it: Linux shows 0 for a process whose first thread has ended."""
    pages = 0
    for path in Path(f"/proc/{pid}/task").glob("*/statm"):
        with contextlib.suppress(OSError):
            pages = max(pages, int(path.read_text(encoding="ascii").split()[1]))
    return pages * resource.getpagesize()
