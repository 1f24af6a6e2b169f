"""Run programs through the launcher (tiers T1 to T3). docs/sandbox.md says what each tier stops."""

import contextlib
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from harness.errors import HarnessError, MachineError
from harness.files import untrusted
from harness.sandbox.facts import Activity, Command, Isolation, KillReason, Limits, RunResult, Tier, runs_nothing
from harness.sandbox.launcher import LauncherGoneError, MessageKind, Reply, Server, launcher_binary
from harness.sandbox.streams import open_emptied

_FIXES = {
    "exec": "is it there, executable, and open to every user? A toolchain elsewhere goes into `readable`",
    "working directory": "it must be open to every user (mode 0755)",
    "standard input": "it must be reachable by its path",
}


class Run:
    """A running program. Call `wait`: it frees the sandbox for the next run.

    A run that is dropped before, as Ctrl-C may drop it, ends and frees the sandbox, too.
    """

    def __init__(self, server: Server, command: Command, release: Callable[[bool], None]) -> None:
        """release: called once; its argument is whether the launcher is still alive."""
        self._server = server
        self._command = command
        self._release = release
        self._reply: Reply | None = None
        self._released = False

    def fileno(self) -> int:
        """Return a descriptor that becomes readable when the run has ended; for poll and select only."""
        return self._server.socket.fileno()

    def kill(self, reason: KillReason = KillReason.REQUEST) -> None:
        """End the run. No effect on the result of a run that has ended already."""
        if self._reply is None:
            self._server.send(MessageKind.KILL_PROGRAM, reason)

    def activity(self) -> Activity | None:
        """Return what the run does now; None if it has ended."""
        if self._reply is not None:
            return None
        self._server.send(MessageKind.ASK_ACTIVITY)
        if self._server.peek().kind is MessageKind.RESULT:  # leave it there: `fileno` must stay readable
            return None
        reply = self._server.receive()
        return Activity(running=reply.running, reading=reply.reading, sleeping=reply.sleeping, cpu_s=reply.cpu_s)

    def wait(self) -> RunResult:
        """Wait until every process of the run has ended; return the facts.

        Raises MachineError if the sandbox failed or the program could not be executed.
        """
        while self._reply is None:
            try:
                reply = self._server.receive()
            except BaseException:  # Ctrl-C, too: the next run gets a new launcher
                self._end(alive=False)
                raise
            if reply.kind is MessageKind.RESULT:
                self._reply = reply
        self._end(alive=True)
        return _result(self._command, self._reply)

    def __del__(self) -> None:
        with contextlib.suppress(HarnessError, OSError):  # its folder may be gone
            self._end(alive=False)

    def _end(self, *, alive: bool) -> None:
        if not self._released:
            self._released = True
            self._release(alive)


class ContainedSandbox:
    """A sandbox with a launcher of its own. It runs one program at a time; a second caller waits for the first."""

    def __init__(
        self, tier: Tier, worker: int = 0, *, cache: Path | None = None, missing: tuple[str, ...] = ()
    ) -> None:
        """Start the launcher. Raises MachineError if this machine does not support the tier.

        worker: programs of different workers run as different users, if we are root.
        cache: the folder of the compiled launcher; by default ~/.cache/harness.
        missing: what a better tier needs, for reports.
        """
        self._isolation = Isolation(tier=tier, missing=missing)
        self._worker = worker
        self._binary = launcher_binary(cache)
        self._busy = threading.Lock()
        self._server: Server | None = Server(self._binary, tier, worker)
        self._closed = False
        self._cache = cache
        self._partners: dict[str, ContainedSandbox] = {}
        self._making = threading.Lock()  # guards _partners and _closed: no partner is made after `close`

    @property
    def isolation(self) -> Isolation:
        """Return the isolation of this sandbox's runs."""
        return self._isolation

    @property
    def landlock_abi(self) -> int:
        """Return the Landlock ABI in use; 0 without Landlock."""
        return self._server.landlock_abi if self._server else 0

    def start(self, command: Command, limits: Limits, *, stdin: int, stdout: int, stderr: int) -> Run:
        """Start a program with these descriptors, which the caller closes.

        A regular file as `stdin` is opened again, read-only and at its first byte.
        """
        self._busy.acquire()
        try:
            server = self._ready_server()
            stdin_path = os.readlink(f"/proc/self/fd/{stdin}") if _is_file(stdin) else ""  # noqa: PTH115
            if command.writable_directory and server.uid and not _has(command, server.uid):
                untrusted.change_owner(command.directory, server.uid)
            server = self._send(server, command, limits, (stdin, stdout, stderr), stdin_path)
        except BaseException as error:
            if not isinstance(error, OSError | HarnessError):  # Ctrl-C: perhaps the launcher has the order already
                self._drop_server()  # the next run would take the reply for its own
            self._busy.release()
            if isinstance(error, OSError):
                raise MachineError(f"{command.argv[0]}: {error}") from error
            raise
        return Run(server, command, lambda alive: self._finish(server, command, alive))

    def run(self, command: Command, limits: Limits, *, stdin: Path, stdout: Path, stderr: Path) -> RunResult:
        """Run a program to its end, within limits. `stdout` and `stderr` are created or truncated."""
        descriptors: list[int] = []
        try:
            for path, open_it in ((stdin, _open_to_read), (stdout, open_emptied), (stderr, open_emptied)):
                try:
                    descriptors.append(open_it(path))
                except OSError as error:
                    raise MachineError(f"{path}: {error.strerror}") from error
            run = self.start(command, limits, stdin=descriptors[0], stdout=descriptors[1], stderr=descriptors[2])
            result = run.wait()
            if command.writable_directory:  # it may have changed the modes of its output
                for descriptor in filter(_is_file, descriptors[1:]):
                    os.fchmod(descriptor, 0o644)
            _check_disk(stdout, descriptors[1])
            return result
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def lend(self, directory: Path) -> None:
        """Give a directory with its contents to the user that programs run as, for several runs."""
        server = self._ready_server()
        if server.uid:
            untrusted.change_owner(directory, server.uid)

    def partner(self, name: str) -> "ContainedSandbox":
        """Return another sandbox of the same kind; the first call with a name starts it."""
        with self._making:
            if self._closed:
                raise MachineError("the sandbox has been closed")
            if name not in self._partners:
                self._partners[name] = ContainedSandbox(self._isolation.tier, self._worker, cache=self._cache)
            return self._partners[name]

    def close(self) -> None:
        """End the launcher and whatever it still runs."""
        with self._making:
            self._closed = True
        for partner in self._partners.values():
            partner.close()
        self._drop_server()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _drop_server(self) -> None:
        """End the launcher; the next run gets a new one."""
        server, self._server = self._server, None
        if server is not None:
            server.close()

    def _ready_server(self) -> Server:
        if self._closed:
            raise MachineError("the sandbox has been closed")
        if self._server is None:
            self._server = Server(self._binary, self._isolation.tier, self._worker)
        return self._server

    def _send(
        self, server: Server, command: Command, limits: Limits, streams: tuple[int, int, int], stdin_path: str
    ) -> Server:
        """Send a run; return the launcher that runs it: a new one if the last one has died."""
        try:
            server.send_run(command, limits, streams, stdin_path)
        except LauncherGoneError:
            self._drop_server()
            server = self._ready_server()
            if command.writable_directory and server.uid:
                untrusted.change_owner(command.directory, server.uid)
            server.send_run(command, limits, streams, stdin_path)
        return server

    def _finish(self, server: Server, command: Command, alive: bool) -> None:
        """After a run: take the directory back, drop a dead launcher, admit the next run."""
        try:
            if not alive:
                self._drop_server()
            if command.writable_directory and server.uid and not command.directory_is_lent:
                untrusted.change_owner(command.directory, os.geteuid())  # so that no later run can change it
        finally:
            self._busy.release()


_FULL_BYTES = 64 * 1024


def _open_to_read(path: Path) -> int:
    return os.open(path, os.O_RDONLY | os.O_CLOEXEC)


def _check_disk(path: Path, descriptor: int) -> None:
    """Raise MachineError if the disk is full: then a failed write is not the program's fault."""
    disk = os.fstatvfs(descriptor)
    if disk.f_blocks and disk.f_bavail * disk.f_frsize < _FULL_BYTES:
        raise MachineError(f"{path.parent}: the disk is full; set TMPDIR to a folder with space")


def _is_file(descriptor: int) -> bool:
    return stat.S_ISREG(os.fstat(descriptor).st_mode)


def _has(command: Command, uid: int) -> bool:
    """Return whether the directory was lent to this user; a replaced launcher may have another user."""
    return command.directory_is_lent and command.directory.stat().st_uid == uid


def _result(command: Command, reply: Reply) -> RunResult:
    if reply.stage:
        fix = (runs_nothing(command) if reply.stage == "exec" else "") or _FIXES.get(reply.stage)
        cause = f"{reply.stage}: {os.strerror(reply.error)}" + (f" ({fix})" if fix else "")
        raise MachineError(f"{command.argv[0]}: could not be started: {cause}")
    exited = os.WIFEXITED(reply.status)
    return RunResult(
        cpu_s=reply.cpu_s,
        wall_s=reply.wall_s,
        asleep_s=reply.asleep_s,
        starved_s=reply.starved_s,
        memory_bytes=reply.memory_bytes,
        exit_code=os.WEXITSTATUS(reply.status) if exited else None,
        signal=None if exited else os.WTERMSIG(reply.status),
        killed_for=reply.killed_for,
        output_bytes=reply.output_bytes,
    )
