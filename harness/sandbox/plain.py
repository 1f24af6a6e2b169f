"""Tier T0: limits without isolation, for machines without a better tier.

It uses rlimits, a process group, an unprivileged user if the judge is root, and polls the process tree. It measures
programs and stops runaway ones; it does not contain a hostile one, and every report says so.
"""

import contextlib
import json
import os
import resource
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil

from harness.errors import MachineError
from harness.files import untrusted
from harness.sandbox.facts import (
    DEFAULT_STACK_BYTES,
    WAKE_S,
    Activity,
    Command,
    Isolation,
    KillReason,
    Limits,
    RunResult,
    Tier,
    data_segment_bytes,
    runs_nothing,
)
from harness.sandbox.process_tree import TreeUsage, processes_of
from harness.sandbox.streams import open_emptied
from harness.sandbox.user_ids import PROGRAMS_GID, claim_uid

POLL_S = (0.0005, 0.01)

_EXEC_LIMITED = Path(__file__).with_name("exec_limited.py")
_BUSY = (psutil.STATUS_RUNNING, psutil.STATUS_DISK_SLEEP)


class PlainRun:
    """A running program at tier T0. A thread polls it, enforces its limits and collects its facts."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        usage: TreeUsage,
        limits: Limits,
        outputs: Sequence[int],
        user_id: int,
    ) -> None:
        self._process = process
        self._usage = usage
        self._limits = limits
        self._outputs = outputs
        self._user_id = user_id
        self._started_s = time.monotonic()
        self._asked_to_end: KillReason | None = None
        self._result: RunResult | None = None
        self._ended, self._end = os.pipe()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def fileno(self) -> int:
        """Return a descriptor that becomes readable when the run has ended; for poll and select only."""
        return self._ended

    def kill(self, reason: KillReason = KillReason.REQUEST) -> None:
        """End the run. No effect on the result of a run that has ended already."""
        self._asked_to_end = self._asked_to_end or reason

    def end(self) -> None:
        """End the run and wait until its processes have been killed: no program may outlive the judge."""
        self.kill()
        self._thread.join()

    def activity(self) -> Activity | None:
        """Return what the run does now; a sleeping process counts as reading. None if it has ended."""
        if not self._thread.is_alive():
            return None
        running = sleeping = 0
        for process in processes_of(self._process.pid):
            with contextlib.suppress(psutil.Error):
                busy = process.status() in _BUSY
                running, sleeping = running + busy, sleeping + (not busy)
        return Activity(running=running, reading=sleeping, cpu_s=self._usage.cpu_s)

    def wait(self) -> RunResult:
        """Wait until the run has ended; return the facts. Raises MachineError if it could not be watched."""
        while self._thread.is_alive():
            self._thread.join(WAKE_S)
        ended, self._ended = self._ended, -1
        if ended >= 0:  # once: afterwards the number may be another file's
            os.close(ended)
        if self._result is None:
            raise MachineError("a run could not be watched to its end")
        return self._result

    def _watch(self) -> None:
        try:
            self._result = self._poll_to_the_end()
        finally:
            _kill_group(self._process.pid)
            if self._user_id:
                _kill_all_of(self._user_id)
            for descriptor in (*self._outputs, self._end):
                os.close(descriptor)

    def _poll_to_the_end(self) -> RunResult:
        killed_for: KillReason | None = None
        pauses = _pauses()
        while True:
            pid, status, rusage = os.wait4(self._process.pid, os.WNOHANG)
            if pid:
                break
            with contextlib.suppress(psutil.Error):
                self._usage.poll(psutil.Process(self._process.pid))
            killed_for = killed_for or self._reason_to_kill()
            if killed_for is not None:
                _kill_group(self._process.pid)
            time.sleep(next(pauses))
        self._process.returncode = status
        return self._facts(status, rusage, killed_for)

    def _reason_to_kill(self) -> KillReason | None:
        usage, limits = self._usage, self._limits
        if self._asked_to_end is not None:
            return self._asked_to_end
        if usage.cpu_s - usage.spent_before_s > limits.cpu_s:
            return KillReason.CPU
        if usage.memory_bytes > limits.memory_bytes:
            return KillReason.MEMORY
        if self._output_bytes() > limits.output_bytes:
            return KillReason.OUTPUT
        elapsed_s = time.monotonic() - self._started_s
        stuck = elapsed_s > 10 * limits.wall_s and usage.cpu_s * 100 < elapsed_s
        return KillReason.WALL if stuck or usage.asleep_s() > limits.wall_s else None

    def _output_bytes(self) -> int:
        statuses = map(os.fstat, self._outputs)
        return sum(status.st_size for status in statuses if stat.S_ISREG(status.st_mode))

    def _facts(self, status: int, rusage: resource.struct_rusage, killed_for: KillReason | None) -> RunResult:
        code, output_bytes = os.waitstatus_to_exitcode(status), self._output_bytes()
        if output_bytes > self._limits.output_bytes or code == -signal.SIGXFSZ:
            killed_for = KillReason.OUTPUT
        elif killed_for is None and code == -signal.SIGXCPU:
            killed_for = KillReason.CPU
        peak_bytes = rusage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        return RunResult(
            cpu_s=max(self._usage.cpu_s, rusage.ru_utime + rusage.ru_stime) - self._usage.spent_before_s,
            wall_s=time.monotonic() - self._started_s,
            asleep_s=self._usage.asleep_s(),
            starved_s=self._usage.starved_s,
            memory_bytes=max(self._usage.memory_bytes, peak_bytes),
            exit_code=code if code >= 0 else None,
            signal=-code if code < 0 else None,
            killed_for=killed_for,
            output_bytes=output_bytes,
            memory_floor_bytes=psutil.Process().memory_info().rss,
        )


class PlainSandbox:
    """Runs programs at tier T0. One run at a time; `close` from another thread ends the current run."""

    def __init__(self, *, worker: int = 0, missing: tuple[str, ...] = ()) -> None:
        self.isolation = Isolation(tier=Tier.PLAIN, missing=missing)
        self._worker = worker
        self.user_id, self._user_lock = claim_uid(worker)
        self._partners: dict[str, PlainSandbox] = {}
        self._making = threading.Lock()  # guards _partners and _closed: no partner is made after `close`
        self._run: PlainRun | None = None
        self._closed = False

    def run(self, command: Command, limits: Limits, *, stdin: Path, stdout: Path, stderr: Path) -> RunResult:
        """Run a program to its end, within limits; see Sandbox."""
        with (
            stdin.open("rb") as source,
            os.fdopen(open_emptied(stdout), "wb") as out,
            os.fdopen(open_emptied(stderr), "wb") as err,
        ):
            return self.start(
                command, limits, stdin=source.fileno(), stdout=out.fileno(), stderr=err.fileno()
            ).wait()

    def start(self, command: Command, limits: Limits, *, stdin: int, stdout: int, stderr: int) -> PlainRun:
        """Start a program with these descriptors, which the caller closes; see Sandbox."""
        if self._closed:
            raise MachineError("the sandbox has been closed")
        if command.writable_directory and self.user_id:
            untrusted.change_owner(command.directory, self.user_id)
        process, usage = self._start_process(command, limits, (stdin, stdout, stderr))
        outputs = (os.dup(stdout), os.dup(stderr))
        self._run = PlainRun(process, usage, limits, outputs, self.user_id)
        if self._closed:
            self._run.kill()
        return self._run

    def lend(self, directory: Path) -> None:
        """Give a directory with its contents to the user that programs run as."""
        if self.user_id:
            untrusted.change_owner(directory, self.user_id)

    def partner(self, name: str) -> "PlainSandbox":
        """Return another sandbox of the same kind; the first call with a name starts it."""
        with self._making:
            if self._closed:
                raise MachineError("the sandbox has been closed")
            if name not in self._partners:
                self._partners[name] = PlainSandbox(worker=self._worker, missing=self.isolation.missing)
            return self._partners[name]

    def close(self) -> None:
        """End the current run, if any, and refuse further ones."""
        with self._making:
            self._closed = True
        for partner in self._partners.values():
            partner.close()
        if self._run is not None:
            self._run.end()
        if self._user_lock is not None:
            self._user_lock.close()

    def _start_process(
        self, command: Command, limits: Limits, streams: tuple[int, int, int]
    ) -> tuple[subprocess.Popen[bytes], TreeUsage]:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            try:
                process = subprocess.Popen(
                    [sys.executable, "-I", "-S", str(_EXEC_LIMITED), str(theirs.fileno())],
                    stdin=streams[0],
                    stdout=streams[1],
                    stderr=streams[2],
                    env={},
                    start_new_session=True,
                    pass_fds=[theirs.fileno()],
                )
            except OSError as error:
                raise MachineError(f"could not start a process: {error}") from error
            theirs.close()
            spent_s, _, complaint = self._hand_over(ours, command, limits).partition("\n")
        if complaint or not spent_s:
            process.wait()
            reason = runs_nothing(command) or complaint.rpartition("\n")[2] or "the start-up helper died"
            raise MachineError(f"could not run {command.argv[0]}: {reason}")
        return process, TreeUsage(spent_before_s=float(spent_s))

    def _hand_over(self, channel: socket.socket, command: Command, limits: Limits) -> str:
        order = {
            "argv": command.argv,
            "directory": str(command.works_in or command.directory),
            "environment": dict(command.environment),
            "uid": self.user_id or None,
            "gid": PROGRAMS_GID,
            "rlimits": _rlimits(limits, own_user=self.user_id != 0),
        }
        try:
            channel.sendall(json.dumps(order).encode() + b"\n")
            return channel.makefile("rb").read().decode(errors="replace")
        except OSError as error:
            return f"\n{error}"


def _pauses() -> Iterator[float]:
    pause_s, longest_s = POLL_S
    while True:
        yield pause_s
        pause_s = min(pause_s * 1.5, longest_s)


def _rlimits(limits: Limits, *, own_user: bool) -> dict[str, int]:
    rlimits = {
        "RLIMIT_CPU": int(limits.cpu_s) + 3,  # a backstop: the poll ends the run first
        "RLIMIT_FSIZE": limits.output_bytes + 1,
        "RLIMIT_CORE": 0,
        "RLIMIT_NOFILE": 1024,
        "RLIMIT_STACK": limits.stack_bytes or DEFAULT_STACK_BYTES,
    }
    if limits.cap_data_segment:
        rlimits["RLIMIT_DATA"] = data_segment_bytes(limits)
    if own_user:
        rlimits["RLIMIT_NPROC"] = (
            limits.threads
        )  # it counts all processes of a user, so it is set only for a user of our own
    return rlimits


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _kill_all_of(user_id: int) -> None:
    """End processes that left the process group: all of the user that runs only this worker's programs."""
    for process in psutil.process_iter(["uids"]):
        uids = process.info["uids"]
        if uids is not None and uids.real == user_id:
            with contextlib.suppress(psutil.Error):
                process.kill()
