"""Is an input valid? And what does a generator make of these arguments?"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from harness.build import Executable
from harness.errors import JudgeError, MachineError, PackageError
from harness.generate import Invocation, generator_program
from harness.limits import MIB, Limits
from harness.package import Case
from harness.package.files import File
from harness.package.model import CaseSettings
from harness.sandbox import Sandbox
from harness.search.programs import Programs, output_of
from harness.search.target import Target
from harness.validate import VALID, arguments_for

INPUT_BYTES = 256 * MIB
GENERATOR_S = 10.0


@dataclass(frozen=True, kw_only=True)
class Guard:
    """The input validators; without any, every input is valid."""

    programs: Programs
    validators: Sequence[Executable]
    settings: Sequence[CaseSettings]
    limits: Limits

    def valid_under(self, sandbox: Sandbox, given: Path) -> CaseSettings | None:
        """The first settings under which every input validator accepts; None: the input is not valid."""
        return next((one for one in self.settings if self._accepted(sandbox, given, one)), None)

    def _accepted(self, sandbox: Sandbox, given: Path, settings: CaseSettings) -> bool:
        case = Case(name="candidate", input=File(origin=given), answer=None, settings=settings)
        for validator in self.validators:
            arguments = arguments_for(case, validator.program.path)
            run = self.programs.run(sandbox, validator, arguments, given=given, limits=self.limits)
            if run.killed_for is not None or run.exit_code != VALID:
                return False
        return True


@dataclass(kw_only=True)
class Makers:
    """The generators of a target, built when first called."""

    target: Target
    programs: Programs
    limits: Limits
    _built: dict[str, Executable | None] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._generous = replace(self.limits, cpu_s=GENERATOR_S, wall_s=2 * GENERATOR_S, output_bytes=INPUT_BYTES)

    def make(self, sandbox: Sandbox, invocation: Invocation) -> bytes | None:
        """What a generator prints; None where it fails: an argument may be beyond it."""
        executable = self._executable(sandbox, invocation.generator)
        if executable is None:
            return None
        nothing = Path("/dev/null")
        run = self.programs.run(sandbox, executable, invocation.arguments, given=nothing, limits=self._generous)
        if run.killed_for is not None or run.exit_code != 0:
            return None
        return output_of(self.programs.folder(sandbox), INPUT_BYTES)

    def _executable(self, sandbox: Sandbox, name: str) -> Executable | None:
        with self._lock:
            if name not in self._built:
                self._built[name] = self._build(sandbox, name)
            return self._built[name]

    def _build(self, sandbox: Sandbox, name: str) -> Executable | None:
        if self.target.recipe is None:
            return None
        package = self.target.package
        try:
            program = generator_program(package, self.target.recipe, name)
            return self.programs.host.build_judge_program(program, package.limits, sandbox)
        except (PackageError, JudgeError, MachineError):
            return None  # a generator that cannot be built leaves the other sources
