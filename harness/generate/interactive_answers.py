"""Make answers of interactive problems: the file that testlib's interactor writes (`tout`) while the solution plays."""

from dataclasses import replace
from pathlib import Path, PurePosixPath

from harness.build.executable import Executable
from harness.check.interact import Player, interact
from harness.check.validator_call import ValidatorCall, judge_program_limits
from harness.errors import JudgeError
from harness.files import untrusted
from harness.package import Package, Program
from harness.package.headers import C_LIKE, ORIGINAL
from harness.package.model import ProblemLimits
from harness.results.verdict import Verdict
from harness.sandbox.facts import Limits, Sandbox
from harness.values import dataclass

_WRITTEN = "tout.txt"  # as testlib_adapter.h names it


def interactor_alone(package: Package) -> Program | None:
    """Return the interactor without its checker; None if no checker compares what the interactor writes."""
    program = package.output_validator
    if program is None or ORIGINAL not in program.files:
        return None
    stems = {PurePosixPath(name).stem for name in program.files if name.endswith(C_LIKE)}
    if stems != {"interactor", "checker"}:
        return None
    files = {
        name: file
        for name, file in program.files.items()
        if name not in ("build", "run") and PurePosixPath(name).stem != "checker"
    }
    return replace(program, path=f"{program.path}/interactor", files=files)


@dataclass(frozen=True, kw_only=True)
class AnswerGame:
    """The two sides of a game that makes an answer. solution_limits: of the solution. limits: of the package."""

    interactor: Executable
    solution: Executable
    solution_limits: Limits
    limits: ProblemLimits

    def answer(self, sandbox: Sandbox, case_input: Path, work: Path) -> bytes:
        """Play on the input; return the file that the interactor writes. Raises JudgeError if the solution loses."""
        input_file, answer = work / "case.in", work / "case.ans"
        input_file.write_bytes(case_input.read_bytes())
        answer.write_bytes(b"")
        call = ValidatorCall(
            validator=self.interactor,
            limits=judge_program_limits(self.limits),
            input=input_file,
            answer=answer,
            folder=work / "feedback",
            keep=True,
        )
        player = Player(
            command=self.solution.command(self.solution_limits.memory_bytes),
            limits=self.solution_limits,
            generous=self.solution_limits,
        )
        try:
            judgement = interact(sandbox, player, call, work).judgement
            if judgement.verdict is not Verdict.ACCEPTED:
                message = judgement.message or judgement.verdict
                raise JudgeError(f"{self.solution.program.shown}: its game makes no answer: {message}")
            return untrusted.first_bytes(work / "feedback" / _WRITTEN, self.limits.output_mib << 20) or b""
        finally:
            call.end()
