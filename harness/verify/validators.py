"""The input validators of a package, built and ready."""

from harness.limits import MIB, Limits
from harness.validate import InputValidators
from harness.verify.setting import Setting


def open_validators(setting: Setting) -> InputValidators:
    """All of them. Raises JudgeError for one that does not compile."""
    limits = setting.package.limits
    return InputValidators(
        executables=setting.host.build_judge_programs(setting.package.input_validators, limits),
        limits=Limits(
            cpu_s=limits.validation_time_s,
            wall_s=2 * limits.validation_time_s,
            memory_bytes=limits.validation_memory_mib * MIB,
            output_bytes=limits.validation_output_mib * MIB,
        ),
        host=setting.host,
    )
