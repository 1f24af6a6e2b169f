"""A place for inputs that no test case holds yet: are they valid, what is their answer, whom do they tell apart?"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from harness.build import Executable, Stage
from harness.errors import JudgeError
from harness.host import Host
from harness.judge.case import CaseJudge
from harness.limits import MIB, Limits
from harness.mutate.trial import kill_of, standard_of
from harness.package import Case, Group, Package, Program
from harness.package.files import File
from harness.results import CaseResult
from harness.sandbox import Command, Sandbox
from harness.validate import InputValidators, arguments_for
from harness.verdict import Verdict

_VALIDATING = Path(__file__).parent / "programs" / "validating.py"
_BATCH_S = 1800.0
_BATCH_WALL_S = 4 * _BATCH_S  # other work may keep the machine busy


@dataclass(frozen=True, kw_only=True)
class Arena:
    """Judges programs on new inputs. solution: what makes answers; None: answers are empty (an interactive problem)."""

    package: Package
    judge: CaseJudge
    validators: InputValidators
    solution: Executable | None
    _answers: dict[bytes, bytes] = field(default_factory=dict, init=False)

    @property
    def host(self) -> Host:
        """Where programs run."""
        return self.judge.host

    def templates(self) -> list[tuple[Group, Case]]:
        """A case of every group, for its settings: the last group, which mostly allows most, first."""
        groups = list(self.package.secret.holders())
        return [(group, group.cases[0]) for group in reversed(groups)]

    def group_of(self, sandbox: Sandbox, data: bytes) -> tuple[Group, Case] | None:
        """A group in which the input is valid, the first of the package; with a case of it."""
        for group, case in reversed(self.templates()):
            if not self._refused(sandbox, data, case):
                return group, case
        return None

    def valid(self, sandbox: Sandbox, inputs: Sequence[bytes]) -> list[bytes]:
        """The inputs that are valid in some group."""
        left, found = list(range(len(inputs))), set[int]()
        for _, case in self.templates():
            ok = self._valid_as(sandbox, [inputs[number] for number in left], case)
            found |= {number for number, fine in zip(left, ok, strict=True) if fine}
            left = [number for number in left if number not in found]
        return [inputs[number] for number in sorted(found)]

    def _valid_as(self, sandbox: Sandbox, inputs: Sequence[bytes], case: Case) -> list[bool]:
        """By the validators in Python, many inputs at once; by the others only an input that comes alone."""
        fine = [True] * len(inputs)
        for validator in self.validators.executables:
            if is_python(validator.program):
                said = self._many(sandbox, validator, arguments_for(case, validator.program.path), inputs)
                fine = [one and word == "1" for one, word in zip(fine, said, strict=True)]
            elif len(inputs) == 1 and fine[0]:
                fine = [not self._refused(sandbox, inputs[0], case)]
        return fine

    def _refused(self, sandbox: Sandbox, data: bytes, case: Case) -> bool:
        folder = self.host.stage.folder("candidate")
        path = folder / "input"
        path.write_bytes(data)
        path.chmod(0o644)
        return bool(self.validators.refusals(case, path, sandbox))

    def _many(
        self, sandbox: Sandbox, validator: Executable, arguments: Sequence[str], inputs: Sequence[bytes]
    ) -> str:
        """A Python validator on many inputs at once."""
        base = validator.command(self.validators.limits.memory_bytes, *arguments)
        script = next(place for place, part in enumerate(base.argv) if part.endswith(".py"))
        helper = _helper(self.host.stage)
        command = replace(
            base.reading(helper.parent),
            argv=(
                base.argv[0],
                str(helper),
                str(validator.directory / base.argv[script]),
                *base.argv[script + 1 :],
            ),
        )
        packed = b"".join(struct.pack("<I", len(data)) + data for data in inputs)
        said = run_batch(self.host, sandbox, command, packed).decode("ascii", errors="replace")
        if len(said) != len(inputs):
            raise JudgeError(f"{validator.program.origin}: stopped after {len(said)} of {len(inputs)} inputs")
        return said

    def result(self, sandbox: Sandbox, executable: Executable, data: bytes) -> CaseResult:
        """What a program gets on an input."""
        group, template = self.templates()[0]
        answer = File(origin=template.input.origin, content=self.answer(sandbox, data))
        given = File(origin=template.input.origin, content=data)
        case = replace(template, name="search/input", input=given, answer=answer)
        return self.judge.judge(sandbox, executable, group, case)

    def tells_apart(self, sandbox: Sandbox, original: Executable, mutant: Executable, data: bytes) -> bool:
        """Whether an input kills a mutant: the original is accepted, the mutant is not, or gets fewer points."""
        found = self.result(sandbox, mutant, data)
        if found.verdict is Verdict.ACCEPTED and not self.package.scoring:
            return False
        wanted = self.result(sandbox, original, data)
        return (
            wanted.verdict is Verdict.ACCEPTED and kill_of(found, {wanted.name: standard_of(wanted)}) is not None
        )

    def answer(self, sandbox: Sandbox, data: bytes) -> bytes:
        """The answer of an input, from the package's own solution."""
        if self.solution is None:
            return b""
        if data not in self._answers:
            limits = self.judge.limits
            command = self.solution.command(limits.memory_bytes)
            self._answers[data] = run_batch(self.host, sandbox, command, data)
        return self._answers[data]


def is_python(program: Program) -> bool:
    """Whether a program is one file of Python."""
    return len(program.files) == 1 and all(name.endswith(".py") for name in program.files)


def run_batch(host: Host, sandbox: Sandbox, command: Command, given: bytes, *, shares: bool = False) -> bytes:
    """Run one of our own helpers on much input. Raises JudgeError when it fails.

    shares: it shares memory with its forks, which the sandbox grants only to who may write files, so it gets a folder.
    """
    limits = Limits(
        cpu_s=_BATCH_S, wall_s=_BATCH_WALL_S, memory_bytes=3072 * MIB, output_bytes=256 * MIB, threads=256
    )
    with host.work_folder(sandbox) as work:
        stdin, stdout, stderr = work / "batch.in", work / "stdout", work / "stderr"
        stdin.write_bytes(given)
        stdin.chmod(0o644)
        if shares:
            (work / "own").mkdir()
            command = replace(command.reading(command.directory), directory=work / "own", writable_directory=True)
        result = sandbox.run(command, limits, stdin=stdin, stdout=stdout, stderr=stderr)
        if result.exit_code != 0:
            said = stderr.read_bytes()[:1000].decode(errors="replace")
            ended = result.killed_for or f"exit code {result.exit_code}, signal {result.signal}"
            raise JudgeError(f"{command.argv[-1]}: failed: {ended}\n{said}".strip())
        return stdout.read_bytes()


def _helper(stage: Stage) -> Path:
    path = stage.folder("helper") / _VALIDATING.name
    path.write_bytes(_VALIDATING.read_bytes())
    path.chmod(0o644)
    return path
