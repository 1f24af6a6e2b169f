"""The contract of all tiers: commands, limits, facts of a run, the protocols Running and Sandbox. No judgement."""

import enum
import os
import signal
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Protocol

from harness.values import dataclass

_SIGNALLED = 128  # plus the number of a signal: an exit code
_FROM_OUTSIDE = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGKILL, signal.SIGTERM)
KIB = 1024
MIB = 1024 * 1024
# Python does not notice a signal that arrives just as the main thread begins to wait, until it wakes: Ctrl-C was lost.
WAKE_S = 0.5


class KillReason(enum.StrEnum):
    """Why the sandbox, not the program itself, ended a run."""

    CPU = "cpu"
    WALL = "wall"
    IDLE = "idle"
    MEMORY = "memory"
    OUTPUT = "output"
    REQUEST = "request"  # the caller ended it


@dataclass(frozen=True, kw_only=True)
class Command:
    """A program to run.

    argv: the first item is the absolute path of a real binary (no shim, no script without interpreter).
    directory: its own folder. Read-only for the program unless `writable_directory`.
    works_in: the working directory, among what it may read; None: `directory`.
    directory_is_lent: the directory belongs to the program's user already, and stays so (see Sandbox.lend).
    submission_rules: the program may write files, but has none of the further rights of a compiler.
    environment: everything the program gets; nothing is inherited.
    readable: further files and directories that it may read, beside the system's (/usr, /lib, …).
    """

    argv: tuple[str, ...]
    directory: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    readable: tuple[Path, ...] = ()
    works_in: Path | None = None
    writable_directory: bool = False
    directory_is_lent: bool = False
    submission_rules: bool = False

    def reading(self, *paths: Path) -> "Command":
        """Return the command with further readable paths."""
        return replace(self, readable=(*self.readable, *paths))


def runs_nothing(command: Command) -> str:
    """Return the fix if the program lies on a disk from which nothing may be executed; else ""."""
    try:
        noexec = os.statvfs(command.argv[0]).f_flag & getattr(os, "ST_NOEXEC", 0)
    except OSError:
        return ""
    return "its disk is mounted `noexec`: set TMPDIR to a folder on another one" if noexec else ""


@dataclass(frozen=True, kw_only=True)
class RunResult:
    """The facts of one finished run.

    exit_code is None exactly when `signal` is set. `killed_for` is set when the sandbox ended the run, or when the
    kernel did so for a limit that the sandbox had set (SIGXFSZ; at the plain tier SIGXCPU).
    asleep_s: the part of wall_s, in stretches of a fifth of a second, in which the run neither used nor waited for a
    tenth of a core; this is what the wall limit holds. None: not measured.
    starved_s: how long its threads waited for a core, summed, as far as the kernel counts it; less than 0.05 s may be
    left out.
    memory_bytes: peak resident memory; at the plain tier never below `memory_floor_bytes`, the memory of the
    launcher, which cannot be subtracted.
    output_bytes: what lies in standard output and standard error after the run; where standard output is a pipe, all
    that was ever written, as far as the tier measures it.
    """

    cpu_s: float
    wall_s: float
    memory_bytes: int
    exit_code: int | None
    signal: int | None
    killed_for: KillReason | None
    output_bytes: int
    memory_floor_bytes: int = 0
    asleep_s: float | None = None
    starved_s: float = 0.0

    @property
    def succeeded(self) -> bool:
        """Return whether the program ended by itself with exit code 0."""
        return self.exit_code == 0 and self.killed_for is None

    @property
    def ending(self) -> str:
        """Describe how the program ended, as words after a colon."""
        stopped = {
            KillReason.CPU: f"stopped at its limit, after {self.cpu_s:.1f} s of CPU time",
            KillReason.WALL: f"stopped at its limit, after {self.wall_s:.1f} s",
            KillReason.IDLE: f"stopped at its limit, after {self.wall_s:.1f} s in which it mostly slept",
            KillReason.MEMORY: f"stopped at its limit of memory, with {self.memory_bytes / MIB:.0f} MiB",
            KillReason.OUTPUT: f"stopped at its limit of output, with {self.output_bytes} bytes",
        }
        if self.killed_for is not None:
            return stopped.get(self.killed_for, "stopped")
        return f"signal {self.signal}" if self.signal is not None else f"exit code {self.exit_code}"

    @property
    def ended_by_itself(self) -> bool:
        """Return whether neither the sandbox nor another process ended the program: it would end so again."""
        return self.killed_for is None and not self.ended_from_outside

    @property
    def ended_from_outside(self) -> bool:
        """Return whether a signal from another process, not from the sandbox, ended the program.

        The kernel sends one if the machine is short of memory, an operator by mistake. A program that sends it to
        itself does so in every run. Shells and Java report it as the exit code 128 + signal.
        """
        code = self.signal or (self.exit_code or 0) - _SIGNALLED
        return self.killed_for is None and code in _FROM_OUTSIDE


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The limits of a run. A run that uses exactly a limit is within it.

    cpu_s: user + system time of the whole process tree.
    wall_s: wall-clock time spent asleep (less than a tenth of a core used, and no thread waiting for a core); for a run
        that uses less than a hundredth of a core, also ten times this wall-clock time in all.
    memory_bytes: peak memory of the whole tree. The exception: this limit is exceeded when it is reached.
    output_bytes: standard output and standard error together, and each written file.
    written_bytes: all bytes ever written to files and pipes, removed ones too (as far as the tier measures it, polled);
        None: no limit.
    stack_bytes: size of the main stack; None: DEFAULT_STACK_BYTES (for languages with managed stacks).
    cap_data_segment: limit private memory with RLIMIT_DATA (False for runtimes that reserve far more than they use).
    cap_address_space: limit the address space, and so the page tables (False for AddressSanitizer, which reserves
        16 TiB; page tables then count as memory, as far as the tier measures them).
    threads: most processes and threads at once.
    may_fork: whether the program may start processes, not only threads.
    shared_once: count memory that processes share once, also far below the limit. Expensive: set False if only the
        limit matters, not the exact peak.
    """

    cpu_s: float
    wall_s: float
    memory_bytes: int
    output_bytes: int
    written_bytes: int | None = None
    stack_bytes: int | None = None
    cap_data_segment: bool = True
    cap_address_space: bool = True
    threads: int = 64
    may_fork: bool = True
    shared_once: bool = True


# For programs that may write files: `output_bytes` limits each file, and many files fill a disk.
MOST_WRITTEN_BYTES = 2048 * MIB


def wall_limit_s(cpu_s: float) -> float:
    """Return the wall limit for a CPU limit. It is generous, as it only stops sleeping programs."""
    return max(2 * cpu_s + 1, cpu_s + 3)


# Linux's own default. The judge's `ulimit -s` is never used: threads get stacks of this size too, and where it is large
# no thread would start within the limit on memory.
DEFAULT_STACK_BYTES = 8 * MIB

# The C library reserves for each thread a stack as large as the main stack may grow, which counts as data. RLIMIT_DATA
# leaves room for so many thread stacks.
THREAD_STACKS = 8
DATA_SLACK_BYTES = 64 * MIB


def data_segment_bytes(limits: Limits) -> int:
    """Return RLIMIT_DATA for these limits: a backstop against huge allocations; the measured memory decides."""
    return limits.memory_bytes + DATA_SLACK_BYTES + THREAD_STACKS * (limits.stack_bytes or 0)


@dataclass(frozen=True, kw_only=True)
class Activity:
    """What a run does now.

    running: threads that run or wait for a disk. reading: threads that wait in a read of standard input.
    sleeping: threads in a timed sleep, where the sandbox can see it. cpu_s: CPU time of the whole tree so far.
    """

    running: int
    reading: int
    cpu_s: float
    sleeping: int = 0

    @property
    def asleep(self) -> bool:
        """Return whether the run only sleeps for a time: input would not wake it."""
        return self.sleeping > 0 and self.reading == 0


class Running(Protocol):
    """A running program. Call `wait`: it frees the sandbox for the next run."""

    def fileno(self) -> int:
        """Return a descriptor that becomes readable when the run has ended; for poll and select only."""

    def activity(self) -> Activity | None:
        """Return what the run does now; None if it has ended."""

    def kill(self, reason: KillReason = KillReason.REQUEST) -> None:
        """End the run; its result names the reason, unless the run had already ended."""

    def wait(self) -> RunResult:
        """Wait until every process of the run has ended; return the facts."""


class Tier(enum.StrEnum):
    """How well a run is contained, in rising order; docs/sandbox.md says what each stops and what it does not."""

    PLAIN = "T0"
    FILTERED = "T1"
    LOCKED = "T2"
    NAMESPACED = "T3"


@dataclass(frozen=True, kw_only=True)
class Isolation:
    """The tier of this machine, and what is missing for a better one (each with its fix)."""

    tier: Tier
    missing: tuple[str, ...] = ()

    @property
    def contained(self) -> bool:
        """Return whether untrusted code may be run."""
        return self.tier >= Tier.LOCKED


class Sandbox(Protocol):
    """Runs one program at a time; one sandbox a worker."""

    @property
    def isolation(self) -> Isolation:
        """Return the isolation of this sandbox's runs."""

    def run(self, command: Command, limits: Limits, *, stdin: Path, stdout: Path, stderr: Path) -> RunResult:
        """Run to the end, within limits. `stdout` and `stderr` are created or truncated.

        Raises MachineError if the program could not be started and is not to blame.
        """

    def start(self, command: Command, limits: Limits, *, stdin: int, stdout: int, stderr: int) -> Running:
        """Start with these descriptors, which the caller closes. Raises as `run` does."""

    def lend(self, directory: Path) -> None:
        """Give a directory and all in it to the user that programs run as, for several runs."""

    def partner(self, name: str) -> "Sandbox":
        """Return a further sandbox of the same kind, started by the first call with this name, closed with this one.

        A sandbox runs one program at a time, so each program that stays under way needs a partner of its own.
        """

    def close(self) -> None:
        """End whatever the sandbox still holds."""
