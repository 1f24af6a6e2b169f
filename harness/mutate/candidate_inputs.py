"""A place for inputs that no test case holds yet: are they valid, what is their answer, whom do they tell apart?"""

from collections.abc import Sequence
from dataclasses import field, replace

from harness.build import Executable
from harness.check.input_validators import InputValidators, arguments_for
from harness.host.host import Host
from harness.judge.judge_case import CaseJudge
from harness.mutate.judge_mutants import kill_of, standard_of
from harness.mutate.run_helper import run_batch
from harness.mutate.validity import QuickValidators
from harness.package import Case, Group, Package
from harness.package.files import File
from harness.results.model import CaseResult
from harness.results.verdict import Verdict
from harness.sandbox import Sandbox
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Arena:
    """Judges programs on new inputs.

    validators: all, asked one input at a time; quick: those for many. solution: what makes answers; None: answers are
    empty, and programs are judged in conversations (interactive and multi-pass problems).
    """

    package: Package
    judge: CaseJudge
    validators: InputValidators
    quick: QuickValidators
    solution: Executable | None
    _answers: dict[bytes, bytes] = field(default_factory=dict, init=False)

    @property
    def host(self) -> Host:
        """Where programs run."""
        return self.judge.host

    def templates(self) -> list[tuple[Group, Case]]:
        """For each way to ask the input validators the first group that has it, with a case; the last way first."""
        found: dict[tuple[tuple[str, ...], ...], tuple[Group, Case]] = {}
        for group in self.package.secret.holders():
            case = group.cases[0]
            asked = tuple(tuple(arguments_for(case, one.path)) for one in self.package.input_validators)
            found.setdefault(asked, (group, case))
        return list(reversed(found.values()))

    def group_of(self, sandbox: Sandbox, data: bytes) -> tuple[Group, Case] | None:
        """A group in which the input is valid, the first of the package; with a case of it."""
        for group, case in reversed(self.templates()):
            if not self._refused(sandbox, data, case):
                return group, case
        return None

    def is_valid(self, sandbox: Sandbox, data: bytes) -> bool:
        """Whether all validators accept it in some group, also those that are too slow to be asked often."""
        return bool(self.valid(sandbox, [data])) and self.group_of(sandbox, data) is not None

    def valid(self, sandbox: Sandbox, inputs: Sequence[bytes]) -> list[bytes]:
        """The inputs that are valid in some group, as far as the quick validators tell."""
        left, found = list(range(len(inputs))), set[int]()
        for _, case in self.templates():
            ok = self.quick.accepted(sandbox, [inputs[number] for number in left], case)
            found |= {number for number, fine in zip(left, ok, strict=True) if fine}
            left = [number for number in left if number not in found]
        return [inputs[number] for number in sorted(found)]

    def _refused(self, sandbox: Sandbox, data: bytes, case: Case) -> bool:
        folder = self.host.stage.folder("candidate")
        path = folder / "input"
        path.write_bytes(data)
        path.chmod(0o644)
        return bool(self.validators.refusals(case, path, sandbox))

    def result(self, sandbox: Sandbox, executable: Executable, data: bytes) -> CaseResult:
        """What a program gets on an input."""
        *_, group = self.package.secret.holders()  # which mostly allows most
        template = group.cases[0]
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
