"""The input validators of a package, built and ready."""

from harness.check import judge_program_limits
from harness.check.input_validators import InputValidators
from harness.package import Program
from harness.verify.context import Setting
from harness.verify.findings import Findings


def open_validators(setting: Setting, findings: Findings | None = None) -> InputValidators:
    """All that this machine has the tools for; of the others `findings` hears. Raises JudgeError for one that does not
    compile."""
    missing = {program.path: _missing_tools(setting, program) for program in setting.package.input_validators}
    if findings is not None:
        for path, why in missing.items():
            if why is not None:
                findings.warning(path, f"not run: {why}")
    limits = setting.package.limits
    programs = [program for program in setting.package.input_validators if missing[program.path] is None]
    return InputValidators(
        executables=setting.host.build_judge_programs(programs, limits),
        limits=judge_program_limits(limits),
        host=setting.host,
    )


def _missing_tools(setting: Setting, program: Program) -> str | None:
    """What its language lacks here; None where it has all, or the program says itself how it is built."""
    language = setting.host.builder.language(program)
    if language is None or program.files.keys() & {"build", "run"}:
        return None
    toolchain = setting.host.builder.toolchain(language)
    return None if toolchain.available else toolchain.explanation
