"""Tier T0: limits without isolation, for machines where nothing better can be had.

rlimits, a process group, an unprivileged user when the judge is root, and a poll of the process tree. It measures
and it stops runaway programs; it does not contain a hostile one, and every report says so.
"""

import contextlib
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import psutil

from harness.errors import MachineError
from harness.limits import Limits, data_segment_bytes
from harness.sandbox.facts import Command, Isolation, KillReason, RunResult, Tier
from harness.sandbox.users import ClaimedUser

POLL_S = (0.0005, 0.01)

_EXEC_LIMITED = Path(__file__).with_name("exec_limited.py")


@dataclass(kw_only=True)
class _Usage:
    """What the poll has seen of a process tree so far; `spent_before_s` is CPU time that was ours, before exec."""

    spent_before_s: float
    cpu_s: float = 0.0
    memory_bytes: int = 0

    def look(self, root: psutil.Process) -> None:
        """Take one look at the tree below `root`."""
        cpu_s, memory_bytes = 0.0, 0
        for process in _tree(root):
            with contextlib.suppress(psutil.Error):
                times = process.cpu_times()
                cpu_s += times.user + times.system
                memory_bytes += process.memory_info().rss
        self.cpu_s = max(self.cpu_s, cpu_s)
        self.memory_bytes = max(self.memory_bytes, memory_bytes)


@dataclass(frozen=True, kw_only=True)
class _Exit:
    """What the kernel says of a process that has ended."""

    status: int
    rusage: resource.struct_rusage
    wall_s: float
    output_bytes: int


class PlainSandbox:
    """Runs programs at tier T0. One run at a time; `close` from another thread ends the run under way."""

    def __init__(self, *, missing: tuple[str, ...] = ()) -> None:
        self.isolation = Isolation(tier=Tier.PLAIN, missing=missing)
        self._user = ClaimedUser() if os.geteuid() == 0 else None
        self._closing = threading.Event()

    @property
    def user_id(self) -> int | None:
        """Whom programs run as; None: as ourselves."""
        return self._user.number if self._user is not None else None

    def run(self, command: Command, limits: Limits, *, stdin: Path, stdout: Path, stderr: Path) -> RunResult:
        """Run to the end, within limits; see Sandbox."""
        if command.writable_directory and self.user_id is not None:
            _give_away(command.directory, self.user_id)
        with stdin.open("rb") as source, stdout.open("wb") as out, stderr.open("wb") as err:
            started_s = time.monotonic()
            process, usage = self._start(command, limits, (source, out, err))
            try:
                return self._wait(process, usage, limits, started_s, (out, err))
            finally:
                self._end(process)

    def close(self) -> None:
        """End the run under way, if any, and refuse further ones."""
        self._closing.set()

    def _start(
        self, command: Command, limits: Limits, streams: tuple[BinaryIO, BinaryIO, BinaryIO]
    ) -> tuple[subprocess.Popen[bytes], _Usage]:
        stdin, stdout, stderr = streams
        ours, theirs = socket.socketpair()
        with ours, theirs:
            try:
                process = subprocess.Popen(
                    [sys.executable, "-I", "-S", str(_EXEC_LIMITED), str(theirs.fileno())],
                    stdin=stdin,
                    stdout=stdout,
                    stderr=stderr,
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
            reason = complaint.rpartition("\n")[2] or "the start-up helper died"
            raise MachineError(f"could not run {command.argv[0]}: {reason}")
        return process, _Usage(spent_before_s=float(spent_s))

    def _hand_over(self, channel: socket.socket, command: Command, limits: Limits) -> str:
        order = {
            "argv": command.argv,
            "directory": str(command.directory),
            "environment": dict(command.environment),
            "uid": self.user_id,
            "rlimits": _rlimits(limits, own_user=self.user_id is not None),
        }
        try:
            channel.sendall(json.dumps(order).encode() + b"\n")
            return channel.makefile("rb").read().decode(errors="replace")
        except OSError as error:
            return f"\n{error}"

    def _wait(
        self,
        process: subprocess.Popen[bytes],
        usage: _Usage,
        limits: Limits,
        started_s: float,
        outputs: tuple[BinaryIO, ...],
    ) -> RunResult:
        killed_for: KillReason | None = None
        pauses = _pauses()
        while True:
            pid, status, rusage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            with contextlib.suppress(psutil.Error):
                usage.look(psutil.Process(process.pid))
            killed_for = killed_for or self._reason_to_kill(limits, usage, time.monotonic() - started_s, outputs)
            if killed_for is not None:
                _kill_group(process.pid)
            time.sleep(next(pauses))
        process.returncode = status
        ended = _Exit(
            status=status, rusage=rusage, wall_s=time.monotonic() - started_s, output_bytes=_sizes(outputs)
        )
        return _result(ended, usage, killed_for, limits)

    def _reason_to_kill(
        self, limits: Limits, usage: _Usage, wall_s: float, outputs: tuple[BinaryIO, ...]
    ) -> KillReason | None:
        if self._closing.is_set():
            return KillReason.REQUEST
        if usage.cpu_s - usage.spent_before_s > limits.cpu_s:
            return KillReason.CPU
        if usage.memory_bytes > limits.memory_bytes:
            return KillReason.MEMORY
        if _sizes(outputs) > limits.output_bytes:
            return KillReason.OUTPUT
        return KillReason.WALL if wall_s > limits.wall_s else None

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        _kill_group(process.pid)
        if process.returncode is None:
            process.wait()
        if self.user_id is not None:
            _kill_all_of(self.user_id)


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
    }
    if limits.cap_data_segment:
        rlimits["RLIMIT_DATA"] = data_segment_bytes(limits)
    if limits.stack_bytes is not None:
        rlimits["RLIMIT_STACK"] = limits.stack_bytes
    if own_user:
        rlimits["RLIMIT_NPROC"] = limits.threads  # counts a user's processes: of use only where that user is ours
    return rlimits


def _tree(root: psutil.Process) -> list[psutil.Process]:
    try:
        return [root, *root.children(recursive=True)]
    except psutil.Error:
        return [root]


def _sizes(outputs: tuple[BinaryIO, ...]) -> int:
    return sum(os.fstat(output.fileno()).st_size for output in outputs)


def _result(exit_: _Exit, usage: _Usage, killed_for: KillReason | None, limits: Limits) -> RunResult:
    code = os.waitstatus_to_exitcode(exit_.status)
    if exit_.output_bytes > limits.output_bytes or code == -signal.SIGXFSZ:
        killed_for = KillReason.OUTPUT
    elif killed_for is None and code == -signal.SIGXCPU:
        killed_for = KillReason.CPU
    own_cpu_s = exit_.rusage.ru_utime + exit_.rusage.ru_stime
    peak_bytes = exit_.rusage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return RunResult(
        cpu_s=max(usage.cpu_s, own_cpu_s) - usage.spent_before_s,
        wall_s=exit_.wall_s,
        memory_bytes=max(usage.memory_bytes, peak_bytes),
        exit_code=code if code >= 0 else None,
        signal=-code if code < 0 else None,
        killed_for=killed_for,
        output_bytes=exit_.output_bytes,
        memory_floor_bytes=psutil.Process().memory_info().rss,
    )


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _kill_all_of(user_id: int) -> None:
    """End what escaped the process group: everything of a user that exists for this worker's programs alone."""
    for process in psutil.process_iter(["uids"]):
        uids = process.info["uids"]
        if uids is not None and uids.real == user_id:
            with contextlib.suppress(psutil.Error):
                process.kill()


def _give_away(folder: Path, user_id: int) -> None:
    for path in (folder, *folder.rglob("*")):
        os.chown(path, user_id, user_id, follow_symlinks=False)
