"""Input validators: every one must accept (exit 42) every input, and reject every invalid input at least once."""

import re
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from harness.build import Executable
from harness.check.judge_programs import ACCEPT
from harness.errors import JudgeError
from harness.host.host import Host
from harness.host.warm_programs import Place
from harness.package import Case
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

    def refusals(self, case: Case, input_file: Path, sandbox: Sandbox) -> tuple[Refusal, ...]:
        """The validators that do not accept the input: a failed assertion (SIGABRT) is a no, too, as elsewhere.

        Raises JudgeError for one that is stopped or crashes.
        """
        with self.host.work_folder(sandbox) as work:
            found = [self._run(case, input_file, sandbox, validator, work) for validator in self.executables]
        return tuple(refusal for refusal in found if refusal is not None)

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
        arguments = arguments_for(case, validator.program.path)
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


def arguments_for(case: Case, validator: str) -> tuple[str, ...]:
    """The arguments of one validator: its own where the settings name validators, then the case's `args`."""
    given = case.settings.input_validator_args
    if isinstance(given, Mapping):
        file = PurePosixPath(validator)
        given = given.get(file.name, given.get(file.stem, ()))
    return (*given, *case.settings.args)


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
