"""Keep judge programs ready, so that their runs start faster: each worker has a sandbox for each of a few programs.

A Python program has an interpreter there that forks for every run (fork_server.py is the other end): starting
CPython costs 15 to 30 ms, ten times a small submission. Any other program is started for every run, in a sandbox whose
file system rules stay: setting them up for each run costs as much as the run. The interface is still that of the
format: argv, standard streams, exit code, feedback folder.
"""

import contextlib
import itertools
import json
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from harness.build.executable import Executable
from harness.build.stage import Stage
from harness.errors import HarnessError, MachineError
from harness.files import untrusted
from harness.package import Program
from harness.sandbox.facts import MIB, Activity, Command, KillReason, Limits, Running, RunResult, Sandbox
from harness.values import dataclass

FORK_SERVER = Path(__file__).with_name("fork_server.py")
_MESSAGE_BYTES = 1 << 16
_END = b"end"
_GRACE_S = 5.0
CHECK_S = 1.0  # between checks of a server that has not answered
_BUSY = 0.01  # of a core: a server that uses less counts as asleep
_FOREVER_S = 1e6
_COMMAND_LINE = b"/proc/self/cmdline"
_SLACK_BYTES = 256 * MIB  # memory of a server besides its run's
_DEAD = "the warm interpreter ended"
_SLOTS = tuple(f"warm {number}" for number in range(4))  # partners of a worker's sandbox, one program each


@dataclass(frozen=True, kw_only=True)
class RunFolders:
    """The folders of a run. directory: created if missing. works_in: the working folder; None: `directory`."""

    directory: Path
    works_in: Path | None = None


class Patience:
    """Bounds the wait for a server, which normally enforces the limits of its runs, unless a run has stopped it.

    asleep_s: most wall-clock time in which the server and its runs use hardly any CPU time. cpu_s: most CPU time.
    """

    def __init__(self, *, asleep_s: float, cpu_s: float) -> None:
        self._asleep_left_s, self._cpu_left_s = asleep_s, cpu_s
        self._cpu_s: float | None = None
        self._checked_s = 0.0

    def ends(self, activity: Activity | None, now_s: float) -> bool:
        """Return whether the wait has lasted too long. The first call starts it. activity: of the server, now."""
        if activity is None:
            return False  # the server has ended: its socket shows that
        if self._cpu_s is not None:
            passed_s, used_s = now_s - self._checked_s, activity.cpu_s - self._cpu_s
            self._asleep_left_s -= passed_s if used_s < _BUSY * passed_s else 0.0
            self._cpu_left_s -= used_s
        self._cpu_s, self._checked_s = activity.cpu_s, now_s
        return min(self._asleep_left_s, self._cpu_left_s) < 0


class Scratch:
    """The folder that the runs of a program may write to. Each run gets a subfolder; emptied subfolders are reused.

    The subfolders belong to the sandbox's user.
    """

    def __init__(self, stage: Stage) -> None:
        self.folder = stage.folder("scratch")
        self._numbers = itertools.count()
        self._free: list[Path] = []

    def take(self) -> Path:
        """Return a folder for a run: an empty one that was given back, or one that the run makes."""
        return self._free.pop() if self._free else self.folder / str(next(self._numbers))

    def give_back(self, folder: Path) -> None:
        """Empty a folder from `take` for reuse; remove it if it cannot be emptied."""
        if untrusted.emptied(folder):
            self._free.append(folder)
        else:
            untrusted.remove(folder)


class WarmRun:
    """A run of a warm program; see Running. One that is dropped or interrupted ends the interpreter.

    Else the next run would take its reply.
    """

    def __init__(self, program: "WarmProgram", wall_s: float) -> None:
        self._program = program
        self._patience = Patience(asleep_s=wall_s + _GRACE_S, cpu_s=program.cpu_limit_s + _GRACE_S)
        self._facts: RunResult | None = None
        self._reason: KillReason | None = None

    def fileno(self) -> int:
        """Return a descriptor that becomes readable when the run has ended."""
        return self._program.channel.fileno()

    def activity(self) -> Activity | None:
        """Return what the server and its run do now; the server itself only waits."""
        return self._program.server.activity()

    def kill(self, reason: KillReason = KillReason.REQUEST) -> None:
        """End the run. No effect on the result of a run that has ended already."""
        if self._facts is not None:
            return
        self._reason = self._reason or reason
        try:
            self._program.channel.send(_END)
        except OSError:
            return

    def wait(self) -> RunResult:
        """Wait until the run has ended; return its facts, or those of the interpreter if that has ended, too."""
        if self._facts is None:
            try:
                message = self._answer()
            except BaseException:
                self._program.close()
                raise
            self._facts = self._result(json.loads(message)) if message else self._program.final_facts()
        return self._facts

    def __del__(self) -> None:
        if self._facts is None:
            with contextlib.suppress(HarnessError, OSError):  # its sandbox may be closed
                self._program.close()

    def _answer(self) -> bytes:
        """Return the interpreter's answer; b"" if it died, or was killed because it did not answer."""
        poll = select.poll()
        try:
            poll.register(self._program.channel, select.POLLIN)
            while not poll.poll(CHECK_S * 1000):
                if self._patience.ends(self._program.server.activity(), time.monotonic()):
                    self._program.server.kill(KillReason.WALL)
                    return b""
            return self._program.channel.recv(_MESSAGE_BYTES)
        except (OSError, ValueError):
            return b""

    def _result(self, reply: dict[str, float]) -> RunResult:
        if reply["last"]:
            self._program.final_facts()
        reasons = {"wall": KillReason.WALL, "cpu": KillReason.CPU, "request": self._reason}
        return run_result(
            int(reply["status"]), reasons.get(str(reply["killed"])), reply["cpu_s"], int(reply["memory_bytes"])
        )


def run_result(
    status: int, killed_for: KillReason | None, cpu_s: float, memory_bytes: int, output_bytes: int = 0
) -> RunResult:
    """Return the facts of a run by a server. status: as wait(2) gives it. The wall time is not known."""
    code = os.waitstatus_to_exitcode(status)
    return RunResult(
        cpu_s=cpu_s,
        wall_s=0.0,
        memory_bytes=memory_bytes,
        exit_code=code if code >= 0 else None,
        signal=-code if code < 0 else None,
        killed_for=KillReason.OUTPUT if code == -signal.SIGXFSZ else killed_for,
        output_bytes=output_bytes,
    )


class WarmProgram:
    """A program with a running interpreter. One run at a time. scratch: where its runs may write."""

    def __init__(
        self, executable: Executable, sandbox: Sandbox, limits: Limits, readable: Sequence[Path], stage: Stage
    ):
        self.scratch = Scratch(stage)
        self.executable = executable
        self.channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.cpu_limit_s = limits.cpu_s
        command = fork_server_command(executable, limits.memory_bytes, stage).reading(*readable)
        command = replace(command, directory=self.scratch.folder, writable_directory=True)
        with theirs, Path(os.devnull).open("r+b") as null:
            streams = {"stdout": null.fileno(), "stderr": null.fileno()}
            self.server: Running = sandbox.start(command, server_limits(limits), stdin=theirs.fileno(), **streams)

    def start(
        self,
        arguments: Sequence[str],
        folders: RunFolders,
        *,
        wall_s: float,
        stdin: int,
        stdout: int,
        stderr: int,
    ) -> WarmRun:
        """Start a run with these descriptors, which the caller closes."""
        order = {
            "arguments": list(arguments),
            "directory": str(folders.works_in or folders.directory),
            "makes": None if folders.directory.exists() else str(folders.directory),
            "wall_s": wall_s,
            "cpu_s": self.cpu_limit_s,
        }
        run = WarmRun(self, wall_s)
        try:
            socket.send_fds(self.channel, [json.dumps(order).encode()], [stdin, stdout, stderr])
        except OSError as error:
            raise MachineError(f"{_DEAD}: {error.strerror}") from error
        return run

    def final_facts(self) -> RunResult:
        """Close an interpreter that has ended; return its facts."""
        self.channel.close()
        return self.server.wait()

    def close(self) -> None:
        """End the interpreter."""
        if self.channel.fileno() >= 0:
            self.channel.close()
            self.server.kill()
            self.server.wait()

    @property
    def alive(self) -> bool:
        """Return whether runs can still be started."""
        return self.channel.fileno() >= 0


class NativeProgram:
    """A program that is started for every run. One run at a time. scratch: where its runs may write."""

    alive = True

    def __init__(
        self, executable: Executable, sandbox: Sandbox, limits: Limits, readable: Sequence[Path], stage: Stage
    ):
        self.scratch = Scratch(stage)
        self.executable = executable
        self._sandbox = sandbox
        self._limits = limits
        self._command = replace(
            executable.command(limits.memory_bytes, elsewhere=True).reading(*readable),
            directory=self.scratch.folder,
            writable_directory=True,
            directory_is_lent=True,
        )
        sandbox.lend(self.scratch.folder)

    def start(
        self,
        arguments: Sequence[str],
        folders: RunFolders,
        *,
        wall_s: float,
        stdin: int,
        stdout: int,
        stderr: int,
    ) -> Running:
        """Start a run with these descriptors, which the caller closes."""
        if not folders.directory.exists():
            folders.directory.mkdir()
            self._sandbox.lend(folders.directory)
        command = replace(
            self._command, argv=(*self._command.argv, *arguments), works_in=folders.works_in or folders.directory
        )
        limits = replace(self._limits, wall_s=wall_s)
        return self._sandbox.start(command, limits, stdin=stdin, stdout=stdout, stderr=stderr)

    def close(self) -> None:
        """Do nothing: no process is kept between the runs."""


ReadyProgram = WarmProgram | NativeProgram


def can_fork(executable: Executable) -> bool:
    """Return whether fork_server.py can run a program: a single Python file, on Linux with pidfds."""
    is_file = executable.language.code == "python3" and executable.argv[-1].endswith(".py")
    return is_file and sys.platform == "linux" and not reads_command_line(executable.program)


def reads_command_line(program: Program) -> bool:
    """Return whether the program reads /proc/self/cmdline: a fork of a server has the server's command line there."""
    return any(_COMMAND_LINE in file.read() for file in program.files.values())


def fork_server_command(executable: Executable, memory_bytes: int, stage: Stage, *options: str) -> Command:
    """Return the command of fork_server.py for a program that it `can_fork`. options: further arguments."""
    folder = stage.folder("server")
    server = folder / FORK_SERVER.name
    server.write_bytes(FORK_SERVER.read_bytes())
    command = executable.command(memory_bytes)
    argv = (command.argv[0], str(server), str(executable.directory / command.argv[-1]), *options)
    return replace(command.reading(folder, executable.directory), argv=argv)


def server_limits(limits: Limits) -> Limits:
    """Return the limits of a server: no time limit, since each order limits its run; memory for server and run."""
    return replace(
        limits,
        cpu_s=_FOREVER_S,
        wall_s=_FOREVER_S,
        memory_bytes=limits.memory_bytes + _SLACK_BYTES,
        written_bytes=None,
        may_fork=True,
        shared_once=False,
    )


class WarmPrograms:
    """The few programs that each worker keeps ready; the least recently used is replaced."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._programs: dict[int, dict[str, ReadyProgram]] = {}

    def get(
        self, executable: Executable, sandbox: Sandbox, limits: Limits, readable: Sequence[Path]
    ) -> ReadyProgram:
        """Return `executable`, ready for the worker with this sandbox."""
        kept = self._programs.setdefault(id(sandbox), {})
        slot = next((slot for slot, program in kept.items() if program.executable is executable), None)
        if slot is None:
            slot = next((slot for slot in _SLOTS if slot not in kept), next(iter(kept), _SLOTS[0]))
        warm = kept.pop(slot, None)
        if warm is None or not warm.alive or warm.executable is not executable:
            if warm is not None:
                warm.close()
            kind = WarmProgram if can_fork(executable) else NativeProgram
            partner, fitted = sandbox.partner(slot), executable.fit(limits)
            warm = kind(executable, partner, fitted, readable=readable, stage=self._stage)
        kept[slot] = warm  # at the end: replaced last
        return warm
