"""What holds for every judge program (input validator, output validator, interactor): exit codes and limits."""

from harness.package.model import ProblemLimits
from harness.sandbox.limits import MIB, Limits

ACCEPT, REJECT = 42, 43
_SLEEP_S = 5.0  # how much longer than its CPU time it may take, asleep


def judge_program_limits(limits: ProblemLimits) -> Limits:
    """Return what one run of a judge program of a package may use."""
    return Limits(
        cpu_s=limits.validation_time_s,
        wall_s=limits.validation_time_s + _SLEEP_S,
        memory_bytes=limits.validation_memory_mib * MIB,
        output_bytes=limits.validation_output_mib * MIB,
    )
