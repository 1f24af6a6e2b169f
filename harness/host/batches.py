"""Run a program on many inputs by a server in the sandbox, which runs the program on each, mostly in a fork of itself.

Starting a process through the launcher costs more than most small runs, above all on a busy machine, where every
switch between processes waits for a core. Frames over a stream socket, all numbers little-endian:

    order   u32 argument bytes, u32 input bytes, u32 output cap, u32 CPU ms, u32 wall ms, then arguments, input
    reply   i32 status, u32 killed for, u64 CPU us, u64 peak KiB, u64 steps, u32 output bytes, u32 error bytes, then
            output and errors

The arguments are NUL-terminated; the first names a folder to make and work in, or is empty. fork_server.c is the other
end for compiled programs, fork_server.py for Python, HarnessServer.java for Java.
"""

import math
import os
import select
import socket
import struct
import time
from collections.abc import Sequence
from pathlib import Path

from harness.host.warm_programs import CHECK_S, Patience, run_result
from harness.sandbox.facts import Command, KillReason, Limits, Running, RunResult, Sandbox
from harness.values import dataclass

COMPILED_SERVER = Path(__file__).with_name("fork_server.c")
_ORDER = struct.Struct("<5I")
_MOST = (1 << 32) - 1
_REPLY = struct.Struct("<iI3Q2I")
_READY = b"ready\n"
_KILLED = (None, KillReason.CPU, KillReason.WALL, KillReason.OUTPUT)
_LAST = 256  # added to the reason: the server ends after this reply
_START_S = 10.0
_GRACE_S = 2.0
_PIECE = 1 << 18
_MANY_LEFT, _PAUSE_S = 8, 0.002  # with so many replies to come, pause, to take several per wake-up
KEPT_ERROR_BYTES = 2000  # of standard error in a reply, in all servers


@dataclass(frozen=True, kw_only=True)
class Call:
    """A run to make. stdin: its standard input. directory: a folder to make and work in; "" for none."""

    stdin: bytes = b""
    arguments: Sequence[str] = ()
    directory: str = ""


@dataclass(frozen=True, kw_only=True)
class Ran:
    """The result of a call. steps: basic blocks entered; 0 unless the program was built by `build_counting`."""

    result: RunResult
    output: bytes
    errors: bytes
    steps: int = 0

    @property
    def succeeded(self) -> bool:
        """Return whether the run ended by itself, with exit code 0."""
        return self.result.killed_for is None and self.result.exit_code == 0

    @property
    def is_late(self) -> bool:
        """Return whether the run was stopped at a time limit."""
        return self.result.killed_for in (KillReason.CPU, KillReason.WALL)


class _ReplyTimer:
    """Bounds the wait for a server's next reply by `Patience`, checked once a second. check_s: when next."""

    def __init__(self, server: Running, *, asleep_s: float, cpu_s: float) -> None:
        self._server = server
        self._allowed = {"asleep_s": asleep_s, "cpu_s": cpu_s}
        self.restart()

    def restart(self) -> None:
        """Start the wait for the next reply."""
        self._patience = Patience(**self._allowed)
        self.check_s = time.monotonic() + CHECK_S

    def is_over(self) -> bool:
        """Return whether the wait has lasted too long."""
        now_s = time.monotonic()
        if now_s < self.check_s:
            return False
        self.check_s = now_s + CHECK_S
        return self._patience.ends(self._server.activity(), now_s)


class BatchServer:
    """A server that runs a program for each call. Replace it when it is no longer `alive`.

    has_retired: the server ended itself after a reply, which is no failure.
    """

    def __init__(self, command: Command, sandbox: Sandbox, limits: Limits) -> None:
        """Start the server; on failure `alive` is False."""
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self.alive, self.has_retired = True, False
        self._buffer = bytearray()
        with theirs, Path(os.devnull).open("r+b") as null:
            streams = {"stdout": null.fileno(), "stderr": null.fileno()}
            self._server: Running = sandbox.start(command, limits, stdin=theirs.fileno(), **streams)
        self._channel.setblocking(False)
        try:
            is_ready = self._await_start() and self._taken(len(_READY)) == _READY
        except BaseException:  # Ctrl-C
            self.close()
            raise
        if not is_ready:
            self.close()

    def run(self, calls: Sequence[Call], limits: Limits, *, until_s: float = math.inf) -> list[Ran]:
        """Run the calls in order; return the results of all, or of the first ones if the server died or time ran out.

        If the server died, the next call may be the cause. until_s: when to close the server, by time.monotonic().
        """
        outgoing = memoryview(b"".join(_frame(call, limits) for call in calls))
        done: list[Ran] = []
        timer = _ReplyTimer(self._server, asleep_s=limits.wall_s + _GRACE_S, cpu_s=limits.cpu_s + _GRACE_S)
        while len(done) < len(calls):
            outgoing, lives = self._exchange(outgoing, min(timer.check_s, until_s))
            before = len(done)
            while len(done) < len(calls) and (ran := self._reply(limits)) is not None:
                done.append(ran)
            # By replies, not by bytes: a server that sends single bytes must not delay us for ever.
            if len(done) != before:
                timer.restart()
            over = time.monotonic() >= until_s and len(done) < len(calls)
            if over or not lives or not self.alive or timer.is_over():
                self.close()
                break
            if len(done) != before and len(calls) - len(done) >= _MANY_LEFT:
                time.sleep(_PAUSE_S)
        if self._buffer:  # more than the replies: the program itself writes to the socket
            self.close()
        return done

    def close(self) -> None:
        """End the server."""
        if self.alive:
            self.alive = False
            self._channel.close()
            self._server.kill()
            self._server.wait()

    def _exchange(self, outgoing: memoryview, deadline_s: float) -> tuple[memoryview, bool]:
        """Send and receive without blocking; return the unsent bytes, and whether the server is alive."""
        poll = select.poll()
        poll.register(self._channel, select.POLLIN | (select.POLLOUT if outgoing else 0))
        events = poll.poll(max(deadline_s - time.monotonic(), 0) * 1000)
        if not events:
            return outgoing, True
        try:
            if outgoing and events[0][1] & select.POLLOUT:
                outgoing = outgoing[self._channel.send(outgoing[:_PIECE]) :]
            if events[0][1] & (select.POLLIN | select.POLLHUP):
                piece = self._channel.recv(_PIECE)
                self._buffer += piece
                return outgoing, bool(piece)
        except BlockingIOError:
            pass
        except OSError:
            return outgoing, False
        return outgoing, True

    def _reply(self, limits: Limits) -> Ran | None:
        """Take the next complete reply from the buffer; None if there is none. Close the server for a forged reply."""
        if len(self._buffer) < _REPLY.size:
            return None
        status, killed, cpu_us, memory_kib, steps, output_bytes, error_bytes = _REPLY.unpack_from(self._buffer)
        ended = os.WIFEXITED(status) or os.WIFSIGNALED(status)
        if not ended or output_bytes > limits.output_bytes or error_bytes > KEPT_ERROR_BYTES:
            self.close()
            return None
        if len(self._buffer) < _REPLY.size + output_bytes + error_bytes:
            return None
        self._taken(_REPLY.size)
        output, errors = self._taken(output_bytes), self._taken(error_bytes)
        if killed & _LAST:
            self.has_retired = True
            self.close()
        reason = _KILLED[killed % len(_KILLED)]
        result = run_result(status, reason, cpu_us / 1e6, memory_kib * 1024, output_bytes)
        return Ran(result=result, output=output, errors=errors, steps=steps)

    def _await_start(self) -> bool:
        """Wait until the server has said that it is ready; return False if it died or took too long."""
        timer, nothing = _ReplyTimer(self._server, asleep_s=_START_S, cpu_s=_START_S), memoryview(b"")
        while len(self._buffer) < len(_READY):
            if not self._exchange(nothing, timer.check_s)[1] or timer.is_over():
                return False
        return True

    def _taken(self, count: int) -> bytes:
        """Remove and return the first bytes of the buffer."""
        piece = bytes(self._buffer[:count])
        del self._buffer[:count]
        return piece


def _frame(call: Call, limits: Limits) -> bytes:
    words = b"".join(os.fsencode(word) + b"\0" for word in (call.directory, *call.arguments))
    caps = (limits.output_bytes, int(limits.cpu_s * 1000) + 1, int(limits.wall_s * 1000) + 1)
    # A limit that does not fit into 32 bits is no limit for a server, which keeps all output in memory.
    return _ORDER.pack(len(words), len(call.stdin), *(min(cap, _MOST) for cap in caps)) + words + call.stdin
