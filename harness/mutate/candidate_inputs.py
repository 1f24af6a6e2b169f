"""Judge new inputs, which are no test cases: are they valid, what is the answer, which programs do they kill?"""

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace

from harness.build.executable import Executable
from harness.check.batch_checks import ManyInputs
from harness.check.input_validators import InputValidators, arguments_for, input_validators_for
from harness.errors import JudgeError, MachineError, UsageError
from harness.generate.recipe import read_recipe
from harness.host.host import Host, judge_build_limits
from harness.host.run_many import Programs, Runnable, build_one
from harness.judge.judge_case import CaseJudge
from harness.mutate.building import MutantProgram
from harness.mutate.judge_mutants import kill_of, original_result
from harness.mutate.mutants import UnsearchableError
from harness.package import GroupCase, Package, ProblemType, Program
from harness.package.files import File
from harness.package.model import CONVERSATIONS
from harness.package.workspace import SHAPE_FILE
from harness.results.model import CaseResult
from harness.results.verdict import Verdict
from harness.sandbox.facts import MIB, Command, Limits, Sandbox
from harness.search.choose_references import answering_programs
from harness.search.target import declared_shape, guessed_shape
from harness.shapes import Shape
from harness.values import dataclass

_BATCH_S = 1800.0
_WALL_PER_CPU = 4  # other work may keep the machine busy


class UnansweredError(JudgeError):
    """The package's own solution fails on an input."""


@dataclass(frozen=True, kw_only=True)
class InputJudge:
    """Judges programs on new inputs.

    validators: all of them, for few inputs; quick: only those that can check thousands of inputs in seconds. solution:
    makes the answers; None: answers are empty (interactive and multi-pass problems).
    """

    package: Package
    judge: CaseJudge
    validators: InputValidators
    quick: ManyInputs
    solution: Executable | None
    _answers: dict[tuple[bytes, tuple[str, ...]], bytes] = field(default_factory=dict, init=False)

    @property
    def host(self) -> Host:
        """The host that runs the programs."""
        return self.judge.host

    def representatives(self) -> list[GroupCase]:
        """Return the first group and case for each set of validator arguments, in reverse order of the package."""
        first: dict[tuple[tuple[str, ...], ...], GroupCase] = {}
        for group in self.package.secret.holders():
            case = group.cases[0]
            arguments = tuple(
                tuple(arguments_for(case.settings, program.path)) for program in self.package.input_validators
            )
            first.setdefault(arguments, (group, case))
        return list(reversed(first.values()))

    def group_of(self, sandbox: Sandbox, data: bytes) -> GroupCase | None:
        """Return the first group of the package in which the input is valid, and a case of that group."""
        for group, case in reversed(self.representatives()):
            if not self.validators.refusals(sandbox, case, data):
                return group, case
        return None

    def is_valid(self, sandbox: Sandbox, data: bytes) -> bool:
        """Return whether all validators, also the slow ones, accept the input in some group."""
        return bool(self.valid(sandbox, [data])) and self.group_of(sandbox, data) is not None

    def valid(self, sandbox: Sandbox, inputs: Sequence[bytes]) -> list[bytes]:
        """Return the inputs that the quick validators accept in some group."""
        settings = [case.settings for _, case in self.representatives()]
        valid = self.quick.first_settings(sandbox, inputs, settings)
        return [data for data, accepted in zip(inputs, valid, strict=True) if accepted is not None]

    def result(self, sandbox: Sandbox, executable: Executable, data: bytes) -> CaseResult:
        """Judge a program on an input. Raises UnansweredError."""
        *_, group = self.package.secret.holders()  # the last group usually has the widest bounds
        template = group.cases[0]
        content = self.answer(sandbox, data, template.settings.args)
        answer = File(origin=template.input.origin, content=content)
        input_file = File(origin=template.input.origin, content=data)
        case = replace(template, name="search/input", input=input_file, answer=answer)
        return self.judge.judge(sandbox, executable, group, case)

    def kills(self, sandbox: Sandbox, built: MutantProgram, number: int, data: bytes) -> bool:
        """Return whether the original is accepted on an input and the mutant is not, or gets fewer points."""
        try:
            result = self.result(sandbox, built.as_mutant(number), data)
        except UnansweredError:
            return False
        if result.verdict is Verdict.ACCEPTED and not self.package.scoring:
            return False
        original = self.result(sandbox, built.as_mutant(0), data)
        return (
            original.verdict is Verdict.ACCEPTED
            and kill_of(result, {original.name: original_result(original)}) is not None
        )

    def answer(self, sandbox: Sandbox, data: bytes, arguments: tuple[str, ...]) -> bytes:
        """Return the answer that the package's own solution prints for an input. Raises UnansweredError.

        arguments: those of programs in the group of the input.
        """
        if self.solution is None:
            return b""
        if (data, arguments) not in self._answers:
            command = self.solution.command(self.judge.limits.memory_bytes, *arguments)
            try:
                answer = run_batch(
                    self.host, sandbox, self.solution, command, data, cpu_s=self.validators.limits.cpu_s
                )
            except JudgeError as error:
                raise UnansweredError(str(error)) from error
            self._answers[data, arguments] = answer
        return self._answers[data, arguments]


@contextmanager
def open_input_judge(package: Package, judge: CaseJudge) -> Iterator[InputJudge]:
    """Build the programs for judging new inputs. Raises UnsearchableError if there is no quick validator."""
    host = judge.host
    if any(case.extra_files for case in package.judged_cases()):
        raise UnsearchableError("cases have files beside their inputs, which new inputs would lack")
    try:
        validators = input_validators_for(package, host)
    except MachineError as error:
        raise UnsearchableError(str(error).partition("\n")[0]) from error

    def build(sandbox: Sandbox, program: Program) -> Runnable:
        return build_one(host.judges, program, judge_build_limits(package.limits), sandbox)

    with Programs(host=host) as programs:
        built = list(host.pool.in_order(build, package.input_validators))
        quick = [runnable for runnable in built if runnable.serves or is_python(runnable.executable.program)]
        if not quick:
            need = "one in Python can be, one in C or C++ where programs are contained by namespaces"
            raise UnsearchableError(f"no input validator that can check thousands of inputs: {need}")
        yield InputJudge(
            package=package,
            judge=judge,
            validators=validators,
            quick=ManyInputs(programs=programs, validators=quick, limits=validators.limits),
            solution=None if package.types & CONVERSATIONS else _solution(package, host),
        )


def is_python(program: Program) -> bool:
    """Return whether a program is a single Python file."""
    [*names] = program.files
    return len(names) == 1 and names[0].endswith(".py")


def _solution(package: Package, host: Host) -> Executable:
    """Build the program that makes answers."""
    recipe = read_recipe(package.files, package.constants)
    for program in answering_programs(package, recipe):
        [built] = host.try_judge_programs([program], package.limits)
        if isinstance(built, Executable):
            return built
    raise UsageError(
        f"{package.slug}: no accepted submission that can be built: nothing makes answers for new inputs"
    )


def shape_of(package: Package) -> Shape | None:
    """Return the declared shape of the inputs, else a shape guessed from the cases; None if no guess fits."""
    return declared_shape(package) or guessed_shape(package, ())


def why_unsearched(package: Package) -> str:
    """Return why no new inputs can be searched for a package; empty if they can."""
    if ProblemType.SUBMIT_ANSWER in package.types:
        return "a problem of type submit-answer: only its data is judged on"
    has_answers = any(case.answer and case.answer.read().strip() for case in package.judged_cases())
    if package.types & CONVERSATIONS and has_answers:
        return "the interactor may read the answers, which are not empty here, and no program makes new ones"
    if not package.input_validators:
        return "no input validator: no program says which new inputs are valid"
    if shape_of(package) is None:
        return f"the cases show no shape that could be guessed: write {SHAPE_FILE}"
    return ""


def pack(inputs: Sequence[bytes]) -> bytes:
    """Join inputs in the format of batch programs: for each its length in 32 bits, then its bytes."""
    return b"".join(struct.pack("<I", len(data)) + data for data in inputs)


def run_batch(
    host: Host,
    sandbox: Sandbox,
    executable: Executable,
    command: Command,
    data: bytes,
    *,
    cpu_s: float = _BATCH_S,
    shares_memory: bool = False,
) -> bytes:
    """Run `command` of `executable` on the input `data`; return its output. Raises JudgeError if it fails.

    shares_memory: the program shares memory with its forks, which the sandbox allows only if it may write files.
    """
    limits = Limits(
        cpu_s=cpu_s, wall_s=_WALL_PER_CPU * cpu_s, memory_bytes=3072 * MIB, output_bytes=256 * MIB, threads=256
    )
    limits = replace(limits, stack_bytes=executable.fit(limits).stack_bytes)
    with host.work_folder(sandbox) as work:
        stdin, stdout, stderr = work / "batch.in", work / "stdout", work / "stderr"
        stdin.write_bytes(data)
        stdin.chmod(0o644)
        if shares_memory:
            (work / "own").mkdir()
            command = replace(command.reading(command.directory), directory=work / "own", writable_directory=True)
        result = sandbox.run(command, limits, stdin=stdin, stdout=stdout, stderr=stderr)
        if not result.succeeded:
            errors = stderr.read_bytes()[:1000].decode(errors="replace")
            raise JudgeError(f"{command.argv[-1]}: failed: {result.ending}\n{errors}".strip())
        return stdout.read_bytes()
