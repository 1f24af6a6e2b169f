"""Limits of a run. The unit is in each name."""

from harness.values import dataclass

KIB = 1024
MIB = 1024 * 1024


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
