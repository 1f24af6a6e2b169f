"""Runs the programs of a recipe in the sandbox: generators, solutions, and what looks for patterns in their files."""

import shutil
import threading
from collections.abc import Sequence
from dataclasses import field, replace
from pathlib import Path

from harness.build import Executable
from harness.errors import JudgeError
from harness.host.host import Host
from harness.package import Program
from harness.package.model import ProblemLimits
from harness.sandbox import Sandbox
from harness.sandbox.limits import MIB, Limits
from harness.values import dataclass

GENERATOR_TIME_S = 60.0
INPUT_BYTES = 1024 * MIB


@dataclass(frozen=True, kw_only=True)
class ProgramCall:
    """A run of a generator, a solution or the matcher. writes_files: it may leave files in a folder of its own."""

    program: Program
    stdin: Path
    arguments: tuple[str, ...] = ()
    time_s: float = GENERATOR_TIME_S
    writes_files: bool = False


@dataclass(frozen=True, kw_only=True)
class PackagePrograms:
    """Builds each program once and runs it. limits: those of the package. Shared by the workers."""

    host: Host
    limits: ProblemLimits
    _built: dict[str, Executable] = field(default_factory=dict)
    _building: threading.Lock = field(default_factory=threading.Lock)

    def run(self, sandbox: Sandbox, call: ProgramCall, name: str, work: Path) -> Path:
        """Run a program; standard output goes to `work / "stdout"`.

        Returns the folder in which it ran: a copy of its own if it may write files. Raises JudgeError where it fails.
        name: the file that it makes, for the message.
        """
        executable = self._executable(sandbox, call.program)
        memory_bytes = max(self.limits.memory_mib, 1024) * MIB
        limits = Limits(
            cpu_s=call.time_s, wall_s=2 * call.time_s, memory_bytes=memory_bytes, output_bytes=INPUT_BYTES
        )
        stdout, stderr = work / "stdout", work / "stderr"
        command = executable.command(memory_bytes, *call.arguments)
        if call.writes_files:
            folder = _own_copy(executable, work / "made")
            command = replace(
                command.reading(executable.directory),
                argv=(*_placed(executable.argv, command.argv, folder), *call.arguments),
                directory=folder,
                writable_directory=True,
            )
        result = sandbox.run(command, executable.fit(limits), stdin=call.stdin, stdout=stdout, stderr=stderr)
        if result.exit_code != 0 or result.killed_for is not None:
            words = " ".join((call.program.path, *call.arguments))
            ended = result.killed_for or f"exit code {result.exit_code}, signal {result.signal}"
            said = stderr.read_bytes()[:2000].decode(errors="replace")
            raise JudgeError(f"{call.program.origin}: `{words}` failed for {name}: {ended}\n{said}".strip())
        return command.directory

    def _executable(self, sandbox: Sandbox, program: Program) -> Executable:
        with self._building:
            if program.path not in self._built:
                self._built[program.path] = self.host.build_judge_program(program, self.limits, sandbox)
            return self._built[program.path]


def _own_copy(executable: Executable, place: Path) -> Path:
    """The program's files in a fresh folder of its name: some seed themselves with the name of their folder."""
    shutil.rmtree(place, ignore_errors=True)  # of a run that failed
    folder = place / executable.program.path.rpartition("/")[2]
    shutil.copytree(executable.directory, folder, symlinks=True)
    for made in (place, folder):
        made.chmod(0o755)
    return folder


def _placed(own: Sequence[str], argv: Sequence[str], folder: Path) -> list[str]:
    """The program's own part of a command line, with the files that it starts in `folder`."""
    started = argv[: len(own)]
    return [
        str(folder / part) if part and not part.startswith("-") and (folder / part).is_file() else part
        for part in started
    ]
