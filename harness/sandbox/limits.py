"""What one run of a program may use. The unit is in each name; no policy lives here."""

from harness.values import dataclass

KIB = 1024
MIB = 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The caps of one run. A run that meets a cap exactly is within it.

    cpu_s: user + system time of the whole process tree.
    wall_s: time on the clock that is spent asleep (with less than a tenth of a core used and none asked for);
        ten times that in all for what uses less than a hundredth of a core.
    memory_bytes: peak memory of the whole tree; this one is over when it is reached.
    output_bytes: standard output, standard error and written files, together and each.
    written_bytes: all that is ever written, to files and pipes, also what is removed again (as far as the tier measures
        it, looked at now and then); None: no cap.
    stack_bytes: size of the main stack; None: DEFAULT_STACK_BYTES (for languages with managed stacks).
    cap_data_segment: hold private memory with RLIMIT_DATA (False for runtimes that reserve far more than they use).
    cap_address_space: hold what page tables could grow to (False for AddressSanitizer, which reserves 16 TiB; page
        tables count as memory then, as far as the tier measures them).
    threads: how many processes and threads may exist at once.
    may_fork: False where a program needs threads but no further process.
    shared_once: memory that processes of the run share counts once, also while all of it is far below the limit.
        Looking is dear: False where nobody asks more of the memory than that it keeps the limit.
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


# For whoever may write files: each is held by `output_bytes`, and many of them fill a disk.
MOST_WRITTEN_BYTES = 2048 * MIB


def wall_limit_s(cpu_s: float) -> float:
    """The wall limit that goes with a CPU limit: generous, for it is there against sleepers only."""
    return max(2 * cpu_s + 1, cpu_s + 3)


# Linux's own default. The judge's `ulimit -s` is never used: threads get stacks of this size too, and where it is large
# no thread would start within the limit on memory.
DEFAULT_STACK_BYTES = 8 * MIB

# The C library gives every thread a stack as large as the main stack may grow; it is reserved, not used, and counts
# as data. So many of them must fit beside the data proper.
THREAD_STACKS = 8
DATA_SLACK_BYTES = 64 * MIB


def data_segment_bytes(limits: Limits) -> int:
    """RLIMIT_DATA for these limits: a backstop against wild allocation, the measured memory decides."""
    return limits.memory_bytes + DATA_SLACK_BYTES + THREAD_STACKS * (limits.stack_bytes or 0)
