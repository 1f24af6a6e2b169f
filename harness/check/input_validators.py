"""Is this input valid? Asks the input validators of a package: every one must accept it, with exit code 42."""

import re
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from harness.build import Executable
from harness.check.judge_programs import ACCEPT
from harness.errors import JudgeError
from harness.host.batches import Call
from harness.host.host import Host
from harness.host.run_many import Programs
from harness.host.runnable import Runnable
from harness.host.warm_programs import Place
from harness.package import Case
from harness.package.model import CaseSettings
from harness.sandbox import RunResult, Sandbox
from harness.sandbox.limits import Limits
from harness.values import dataclass

MESSAGE_BYTES = 2000
_TRACE = "Traceback (most recent call last):\n"
_PLACE = re.compile(r'File "([^"\n]+)", line (\d+)')
_UNKNOWN = re.compile(r"NameError: name '(\w+)' is not defined")


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """An input validator's no: which one, and what it said."""

    validator: str
    message: str


@dataclass(frozen=True, kw_only=True)
class InputValidators:
    """The built input validators of a package and what a run of one may use."""

    executables: Sequence[Executable]
    limits: Limits
    host: Host

    def refusals(self, sandbox: Sandbox, case: Case, data: bytes | None = None) -> tuple[Refusal, ...]:
        """Return the refusals of the validators that do not accept an input; a failed assertion (SIGABRT) is one, too.

        data: an input in the place of the case's own, with the case's settings.
        Raises JudgeError for a validator that is stopped or crashes.
        """
        data = case.input.in_memory if data is None else data
        with self.host.work_folder(sandbox) as work, _on_disk(case, data, work) as path:
            answers = [self._run(case, path, sandbox, validator, work) for validator in self.executables]
        return tuple(refusal for refusal in answers if refusal is not None)

    def _run(
        self, case: Case, input_file: Path, sandbox: Sandbox, validator: Executable, work: Path
    ) -> Refusal | None:
        stdout, stderr = work / "stdout", work / "stderr"
        with input_file.open("rb") as given, stdout.open("wb") as out, stderr.open("wb") as err:
            streams = {"stdin": given.fileno(), "stdout": out.fileno(), "stderr": err.fileno()}
            result = self._result(sandbox, validator, case, streams)
        aborted = result.signal == signal.SIGABRT and result.killed_for is None
        if (result.killed_for is not None or result.signal is not None) and not aborted:
            how = (
                f"stopped for its {result.killed_for}"
                if result.killed_for
                else f"killed by signal {result.signal}"
            )
            raise JudgeError(f"{validator.program.origin}: the input validator was {how} on {case.name}")
        if result.exit_code == ACCEPT:
            return None
        message = _worded(validator, _said(stdout, stderr)) or (
            "aborted" if aborted else f"exit code {result.exit_code}, without a word: let it say why"
        )
        return Refusal(validator=validator.program.path, message=message)

    def _result(
        self, sandbox: Sandbox, validator: Executable, case: Case, streams: Mapping[str, int]
    ) -> RunResult:
        """Run it among its own files and the case's `.files` (2025-09, "Working directory")."""
        arguments = arguments_for(case.settings, validator.program.path)
        collided = case.extra_files.keys() & validator.program.files.keys()
        if collided:
            message = f"a file of its own is called `{min(collided)}`, as one in {case.name}.files: rename one"
            raise JudgeError(f"{validator.program.origin}: {message}")
        warm = self.host.warm(validator, sandbox, self.limits) if not case.extra_files else None
        if warm is not None:
            place = Place(directory=validator.directory)
            return warm.start(arguments, place, wall_s=self.limits.wall_s, **streams).wait()
        with self.host.boxes.box(validator, case.extra_files, sandbox, writable=False) as box:
            command = box.command(self.limits.memory_bytes, arguments)
            return sandbox.start(command, validator.fit(self.limits), **streams).wait()


@contextmanager
def _on_disk(case: Case, data: bytes | None, work: Path) -> Iterator[Path]:
    if data is None:
        with case.input.path() as path:
            yield path
        return
    path = work / "case.in"
    path.write_bytes(data)
    yield path


@dataclass(frozen=True, kw_only=True)
class ManyInputs:
    """Asks input validators about many inputs, in few processes. Only the exit code counts; messages are not read."""

    programs: Programs
    validators: Sequence[Runnable]
    limits: Limits

    def accepted(self, sandbox: Sandbox, inputs: Sequence[bytes], settings: CaseSettings) -> list[bool]:
        """Return for each input whether every validator accepts it with the arguments in `settings`."""
        left = list(range(len(inputs)))
        for validator in self.validators:
            arguments = arguments_for(settings, validator.executable.program.path)
            calls = [Call(given=inputs[index], arguments=arguments) for index in left]
            results = [ran.result for ran in self.programs.run(sandbox, validator, calls, self.limits)]
            left = [
                index
                for index, result in zip(left, results, strict=True)
                if result.killed_for is None and result.exit_code == ACCEPT
            ]
        accepted = set(left)
        return [index in accepted for index in range(len(inputs))]


def arguments_for(settings: CaseSettings, validator: str) -> tuple[str, ...]:
    """Return the arguments of a validator: its own where the settings name validators, then the case's `args`."""
    given = settings.input_validator_args
    if isinstance(given, Mapping):
        file = PurePosixPath(validator)
        given = given.get(file.name, given.get(file.stem, ()))
    return (*given, *settings.args)


def _worded(validator: Executable, said: str) -> str:
    """What it said; of the trace of a Python program the last place in it and the error, and why, where we know."""
    said = validator.as_in_package(said)
    if _TRACE not in said:
        return said
    places = _PLACE.findall(said)
    error = said.rpartition("\n")[2]
    unknown = _UNKNOWN.search(error)
    if unknown and any(
        f"{{{{{unknown[1]}}}}}".encode() in file.read() for file in validator.program.files.values()
    ):
        error += f" (problem.yaml has no constant `{unknown[1]}`)"
    before = said.partition(_TRACE)[0].strip()
    place = f"{places[-1][0]}:{places[-1][1]}: " if places else ""
    return f"{before}\n{place}{error}".strip()


def _said(*streams: Path) -> str:
    texts = []
    for stream in streams:
        with stream.open("rb") as file:
            texts.append(file.read(MESSAGE_BYTES).decode(errors="replace").strip())
    return "\n".join(text for text in texts if text)
