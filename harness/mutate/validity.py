"""Which of many inputs are valid? Asks the input validators that answer thousands of times in seconds."""

import struct
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from harness.build import Executable
from harness.check.input_validators import ManyInputs, arguments_for
from harness.errors import JudgeError
from harness.host.host import judge_build_limits
from harness.host.run_many import Programs
from harness.host.runnable import Runnable, build_for_search
from harness.mutate.batch_run import run_batch
from harness.package import Case, Package, Program
from harness.package.model import CaseSettings
from harness.sandbox import Command, Sandbox
from harness.sandbox.limits import Limits
from harness.values import dataclass

_VALIDATING = Path(__file__).parent / "programs" / "validating.py"


@dataclass(frozen=True, kw_only=True)
class QuickValidators:
    """The input validators in Python, which take all inputs in one process, and those that fork for each one.

    No other is asked: a search has too many inputs for it. What is proposed in the end is asked of all of them.
    """

    programs: Programs
    validators: Sequence[Runnable]
    limits: Limits

    def accepted(self, sandbox: Sandbox, inputs: Sequence[bytes], case: Case) -> list[bool]:
        """Whether each input is valid with the settings of that case. Raises JudgeError where a validator stops."""
        fine = [True] * len(inputs)
        for validator in self.validators:
            left = [index for index, accepted in enumerate(fine) if accepted]
            answers = self._accepted(sandbox, validator, [inputs[index] for index in left], case.settings)
            for index, accepted in zip(left, answers, strict=True):
                fine[index] = accepted
        return fine

    def _accepted(
        self, sandbox: Sandbox, validator: Runnable, inputs: Sequence[bytes], settings: CaseSettings
    ) -> list[bool]:
        if is_python(validator.executable.program):
            arguments = arguments_for(settings, validator.executable.program.path)
            return self._together(sandbox, validator, arguments, inputs)
        forking = ManyInputs(programs=self.programs, validators=[validator], limits=self.limits)
        return forking.accepted(sandbox, inputs, settings)

    def _together(
        self, sandbox: Sandbox, validator: Runnable, arguments: Sequence[str], inputs: Sequence[bytes]
    ) -> list[bool]:
        packed = b"".join(struct.pack("<I", len(data)) + data for data in inputs)
        command = self._one_for_all(validator.executable, arguments)
        said = run_batch(self.programs.host, sandbox, command, packed).decode("ascii", errors="replace")
        if len(said) != len(inputs):
            origin = validator.executable.program.origin
            raise JudgeError(f"{origin}: stopped after {len(said)} of {len(inputs)} inputs")
        return [word == "1" for word in said]

    def _one_for_all(self, validator: Executable, arguments: Sequence[str]) -> Command:
        base = validator.command(self.limits.memory_bytes, *arguments)
        script = next(place for place, part in enumerate(base.argv) if part.endswith(".py"))
        helper = self.programs.host.stage.folder("helper") / _VALIDATING.name
        helper.write_bytes(_VALIDATING.read_bytes())
        helper.chmod(0o644)
        own = str(validator.directory / base.argv[script])
        return replace(
            base.reading(helper.parent), argv=(base.argv[0], str(helper), own, *base.argv[script + 1 :])
        )


def quick_validators(package: Package, programs: Programs, limits: Limits) -> QuickValidators:
    """Built, those of a package that can be asked often; there may be none."""
    host = programs.host
    built = build_for_search(host, host.judges, package.input_validators, judge_build_limits(package.limits))
    quick = [one for one in built if one.serves or is_python(one.executable.program)]
    return QuickValidators(programs=programs, validators=quick, limits=limits)


def is_python(program: Program) -> bool:
    """Whether a program is one file of Python."""
    return len(program.files) == 1 and all(name.endswith(".py") for name in program.files)
