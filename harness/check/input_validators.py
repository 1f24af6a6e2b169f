"""Check inputs with a package's input validators: all must accept, with exit code 42."""

import re
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from harness.build.executable import CompileFailure, Executable, Unavailable
from harness.check.validator_call import ACCEPT, judge_program_limits
from harness.errors import JudgeError
from harness.files import untrusted
from harness.host.host import Host, executable_of
from harness.host.warm_programs import RunFolders
from harness.package import Case, Package, Program
from harness.package.model import CaseSettings
from harness.sandbox.facts import Limits, RunResult, Sandbox
from harness.values import dataclass

MESSAGE_BYTES = 2000
_TRACE = "Traceback (most recent call last):\n"
_TRACE_LINE = re.compile(r'File "([^"\n]+)", line (\d+)')
_UNKNOWN = re.compile(r"NameError: name '(\w+)' is not defined")


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """An input validator that does not accept an input, and its message."""

    validator: str
    message: str


@dataclass(frozen=True, kw_only=True)
class InputValidators:
    """The built input validators of a package and the limits of one run."""

    executables: Sequence[Executable]
    limits: Limits
    host: Host

    def refusals(self, sandbox: Sandbox, case: Case, data: bytes | None = None) -> tuple[Refusal, ...]:
        """Run all validators on an input; return the refusals. A failed assertion (SIGABRT) is a refusal, too.

        data: an input that replaces the case's own; the case's settings and files stay. Raises JudgeError for a
        validator that is stopped or crashes.
        """
        data = case.input.in_memory if data is None else data
        with self.host.work_folder(sandbox) as work, _on_disk(case, data, work) as path:
            answers = [self._run(case, path, sandbox, validator, work) for validator in self.executables]
        return tuple(refusal for refusal in answers if refusal is not None)

    def _run(
        self, case: Case, input_file: Path, sandbox: Sandbox, validator: Executable, work: Path
    ) -> Refusal | None:
        """Run a validator on an input file; return its refusal, or None."""
        stdout, stderr = work / "stdout", work / "stderr"
        with input_file.open("rb") as stdin, stdout.open("wb") as out, stderr.open("wb") as err:
            streams = {"stdin": stdin.fileno(), "stdout": out.fileno(), "stderr": err.fileno()}
            result = self._result(sandbox, validator, case, streams)
        aborted = result.signal == signal.SIGABRT and result.killed_for is None
        if (result.killed_for is not None or result.signal is not None) and not aborted:
            message = f"{validator.program.shown}: the input validator failed on {case.name}: {result.ending}"
            raise JudgeError(message, crashed=result.ended_by_itself)
        if result.exit_code == ACCEPT:
            return None
        message = _shortened(validator, _message(stdout, stderr)) or (
            "aborted" if aborted else _unexplained(result.exit_code)
        )
        return Refusal(validator=validator.program.path, message=message)

    def _result(
        self, sandbox: Sandbox, validator: Executable, case: Case, streams: Mapping[str, int]
    ) -> RunResult:
        """Run the validator in a folder with its own files and the case's `.files` (2025-09, "Working directory")."""
        arguments = arguments_for(case.settings, validator.program.path)
        collided = case.extra_files.keys() & validator.program.files.keys()
        if collided:
            message = f"a file of its own is called `{min(collided)}`, as one in {case.name}.files: rename one"
            raise JudgeError(f"{validator.program.shown}: {message}")
        if not case.extra_files:
            folders = RunFolders(directory=validator.directory)
            ready = self.host.warm(validator, sandbox, self.limits)
            return ready.start(arguments, folders, wall_s=self.limits.wall_s, **streams).wait()
        with self.host.boxes.box(validator, case.extra_files, sandbox, writable=False) as box:
            command = box.command(self.limits.memory_bytes, arguments)
            return sandbox.start(command, validator.fit(self.limits), **streams).wait()


def _unexplained(exit_code: int | None) -> str:
    if exit_code == 0:
        return "exit code 0, but 42 is that of a valid input, and 43 of any other (docs/packages.md)"
    return f"exit code {exit_code}, without a word: let it say why"


def input_validators_for(
    package: Package, host: Host, failed: Callable[[Program, CompileFailure | Unavailable], object] = executable_of
) -> InputValidators:
    """Build the input validators of a package. failed: called for a validator that cannot be built and is left out.

    By default that raises MachineError without a compiler, JudgeError if the program does not compile.
    """
    executables, programs = [], package.input_validators
    for program, built in zip(programs, host.try_judge_programs(programs, package.limits), strict=True):
        if isinstance(built, Executable):
            executables.append(built)
        else:
            failed(program, built)
    return InputValidators(executables=executables, limits=judge_program_limits(package.limits), host=host)


@contextmanager
def _on_disk(case: Case, data: bytes | None, work: Path) -> Iterator[Path]:
    if data is None:
        with case.input.path() as path:
            yield path
        return
    path = work / "case.in"
    path.write_bytes(data)
    yield path


def arguments_for(settings: CaseSettings, validator: str) -> tuple[str, ...]:
    """Return a validator's arguments: its own if the settings name validators, then the case's `args`."""
    arguments = settings.input_validator_args
    if isinstance(arguments, Mapping):
        file = PurePosixPath(validator)
        arguments = arguments.get(file.name, arguments.get(file.stem, ()))
    return (*arguments, *settings.args)


def _shortened(validator: Executable, message: str) -> str:
    """Return the message; shorten a Python traceback to its last line in the program, the error and the cause."""
    message = validator.as_in_package(message)
    if _TRACE not in message:
        return message
    lines = _TRACE_LINE.findall(message)
    error = message.rpartition("\n")[2]
    unknown = _UNKNOWN.search(error)
    if unknown and any(
        f"{{{{{unknown[1]}}}}}".encode() in file.read() for file in validator.program.files.values()
    ):
        error += f" (problem.yaml has no constant `{unknown[1]}`)"
    before = message.partition(_TRACE)[0].strip()
    position = f"{lines[-1][0]}:{lines[-1][1]}: " if lines else ""
    return f"{before}\n{position}{error}".strip()


def _message(*streams: Path) -> str:
    texts = (untrusted.first_text(stream, MESSAGE_BYTES).strip() for stream in streams)
    return "\n".join(filter(None, texts))
