"""The launcher: compiles it once a machine, starts it as a server, and speaks its protocol.

launcher.c holds the other end of the protocol; `_REQUEST` and `_REPLY` mirror its two structures.
"""

import array
import contextlib
import hashlib
import os
import platform
import pwd
import select
import shutil
import socket
import stat
import struct
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum
from pathlib import Path

from harness.errors import MachineError
from harness.sandbox.cgroup import make_cgroup
from harness.sandbox.facts import MIB, WAKE_S, Command, KillReason, Limits, Tier
from harness.sandbox.user_ids import claim_uid
from harness.values import dataclass

SOURCES = ("launcher.c", "walls.h", "measure.h", "signals.h", "filter.h", "kernel.h", "syscalls.h")
FLAGS = ("-std=gnu11", "-O2", "-Wall", "-Wextra", "-s")
COMPILER_PATH = "/usr/local/bin:/usr/bin:/bin"
TMP_BYTES = 64 * MIB
NS = 1_000_000_000

_REQUEST = struct.Struct("=4I6Q4I")
_REPLY = struct.Struct("=IiiI6Q4I64s")
_LONGEST_MESSAGE = 160 * 1024
_MAY_FORK, _WRITABLE_DIRECTORY, _CAP_DATA, _SHARED_ONCE, _CAP_ADDRESSES, _SUBMISSION_RULES = 1, 2, 4, 8, 16, 32
_REASONS = (
    None,
    KillReason.CPU,
    KillReason.WALL,
    KillReason.IDLE,
    KillReason.MEMORY,
    KillReason.OUTPUT,
    KillReason.REQUEST,
)


class MessageKind(IntEnum):
    """What a message is."""

    RUN_PROGRAM = 1
    KILL_PROGRAM = 2
    ASK_ACTIVITY = 3
    READY = 4
    RESULT = 5
    ACTIVITY = 6


@dataclass(frozen=True, kw_only=True)
class Reply:
    """A message of the launcher. stage, error: where the sandbox itself failed, and the errno.

    status: as wait(2) gives it. running: threads that run or wait for a disk. reading: threads that wait for
    standard input. sleeping: threads that wait for a time to pass. A READY message holds the Landlock ABI in `running`.
    """

    kind: MessageKind
    status: int
    error: int
    killed_for: KillReason | None
    cpu_s: float
    wall_s: float
    asleep_s: float
    starved_s: float
    memory_bytes: int
    output_bytes: int
    running: int
    reading: int
    sleeping: int
    stage: str


class LauncherGoneError(MachineError):
    """The launcher died: somebody killed it, or the machine is out of memory."""


class SetupError(MachineError):
    """The launcher could not set up its tier: the stage that failed, and its errno."""

    def __init__(self, stage: str, error: int) -> None:
        self.stage = stage
        self.error = error
        super().__init__(f"the sandbox could not be built: {stage}: {os.strerror(error)}")


def launcher_binary(cache: Path | None = None) -> Path:
    """Return the compiled launcher, from `cache` if it was compiled before.

    cache: by default ~/.cache/harness, or a private temporary directory where there is no home.
    Raises MachineError, with the fix, when there is no C compiler.
    """
    here = Path(__file__).parent
    shipped = here / f"launcher-{platform.machine()}"
    if shipped.exists():
        return shipped
    binary = _cache_directory(cache) / f"launcher-{_fingerprint(here)}"
    if not binary.exists():
        try:
            _compile(here, binary)
        except OSError as error:
            raise _not_kept(binary.parent, error) from error
    return binary


def _not_kept(directory: Path, error: OSError) -> MachineError:
    fix = "set XDG_CACHE_HOME to a folder that can be written"
    return MachineError(f"{directory}: {error.strerror}; the compiled launcher is kept there: {fix}")


def _cache_directory(cache: Path | None) -> Path:
    if cache is not None:
        return _private_directory(cache)
    uid = os.geteuid()
    try:
        return _private_directory(Path(pwd.getpwuid(uid).pw_dir) / ".cache" / "harness")
    except (KeyError, MachineError):
        return _private_directory(Path(tempfile.gettempdir()) / f"harness-{uid}")


def _fingerprint(source: Path) -> str:
    digest = hashlib.sha256(repr((FLAGS, platform.machine())).encode())
    for name in SOURCES:
        digest.update((source / name).read_bytes())
    return digest.hexdigest()[:24]


def _private_directory(directory: Path) -> Path:
    """Make the directory if need be. Nobody else may write there, as we execute what lies in it."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = directory.stat()
    except OSError as error:
        raise _not_kept(directory, error) from error
    if status.st_uid != os.geteuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise MachineError(f"{directory}: must belong to you alone: chmod go-w, chown")
    return directory


def _compile(source: Path, binary: Path) -> None:
    """Compile, static where the C library allows it, into a temporary file that is then renamed."""
    compiler = next(
        filter(None, (shutil.which(name, path=COMPILER_PATH) for name in ("cc", "gcc", "clang"))), None
    )
    if compiler is None:
        raise MachineError("no C compiler for the sandbox's launcher: apt install gcc libc6-dev (dnf install gcc)")
    with tempfile.TemporaryDirectory(prefix="compile-", dir=binary.parent) as scratch:
        output = Path(scratch) / "launcher"
        for linkage in (("-static",), ()):
            command = [compiler, *FLAGS, *linkage, "-o", str(output), str(source / "launcher.c")]
            done = subprocess.run(
                command, env={"PATH": COMPILER_PATH}, cwd=scratch, capture_output=True, check=False
            )
            if done.returncode == 0:
                output.rename(binary)
                return
    first_lines = done.stderr.decode(errors="replace")[:400]
    raise MachineError(f"the sandbox's launcher does not compile (apt install gcc libc6-dev): {first_lines}")


class Server:
    """A launcher under way. It ends when its socket is closed or this process dies."""

    def __init__(self, binary: Path, tier: Tier, worker: int) -> None:
        self._closing, self._closed = threading.Lock(), False
        self.uid, self._uid_lock = claim_uid(worker)
        self._cgroup = make_cgroup()
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = self._start(binary, tier, theirs.fileno())
        self.landlock_abi = self._await_ready()

    def _start(self, binary: Path, tier: Tier, their_socket: int) -> subprocess.Popen[bytes]:
        groups = self._cgroup.join_descriptors() if self._cgroup else []
        # The launcher holds the lock too: it may outlive us for a moment.
        locks = [self._uid_lock.fileno()] if self._uid_lock else []
        try:
            return subprocess.Popen(
                [str(binary), *map(str, (tier.value[1:], self.uid, their_socket, *(locks or [-1]), *groups))],
                env={},
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(their_socket, *locks, *groups),
                start_new_session=True,
            )
        finally:
            for descriptor in groups:
                os.close(descriptor)

    @property
    def pid(self) -> int:
        """Return the process id of the launcher."""
        return self._process.pid

    def _await_ready(self) -> int:
        try:
            reply = self.receive()
        except MachineError:
            self.close()
            raise
        if reply.stage:
            self.close()
            raise SetupError(reply.stage, reply.error)
        return reply.running

    def send_run(self, command: Command, limits: Limits, descriptors: Sequence[int], stdin_path: str) -> None:
        """Send the order for a run. The descriptors become 0, 1 and 2 of the program."""
        strings = [str(command.directory), str(command.works_in or command.directory), stdin_path, *command.argv]
        strings += [f"{name}={value}" for name, value in command.environment.items()]
        strings += map(str, command.readable)
        message = _pack_run(command, limits) + _terminated(strings)
        if len(message) >= _LONGEST_MESSAGE:
            raise MachineError(f"{command.argv[0]}: arguments and environment are longer than 160 KiB")
        if self._cgroup:
            self._cgroup.hold(limits)
        rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))
        try:
            self.socket.sendmsg([message], [rights])
        except OSError as error:
            raise LauncherGoneError(f"the sandbox's launcher is gone: {error.strerror}") from error

    def send(self, kind: MessageKind, reason: KillReason | None = None) -> None:
        """Send a message without strings."""
        message = _REQUEST.pack(kind, 0, 0, _REASONS.index(reason), *(0,) * 10)
        try:
            self.socket.send(message)
        except OSError as error:
            raise LauncherGoneError(f"the sandbox's launcher is gone: {error.strerror}") from error

    def peek(self) -> Reply:
        """Return the next message without consuming it."""
        return self._next(socket.MSG_PEEK)

    def receive(self) -> Reply:
        """Return the next message."""
        reply = self._next(0)
        if reply.kind is MessageKind.RESULT and self._cgroup and self._cgroup.has_killed():
            return replace(reply, killed_for=KillReason.MEMORY)
        return reply

    def _next(self, flags: int) -> Reply:
        try:
            poll = select.poll()
            poll.register(self.socket, select.POLLIN)
            while not poll.poll(WAKE_S * 1000) and self.socket.fileno() >= 0:
                pass
            data = self.socket.recv(_REPLY.size, flags)
        except ValueError as error:  # it was closed
            raise LauncherGoneError("the sandbox's launcher has been closed") from error
        except OSError as error:
            raise LauncherGoneError(f"the sandbox's launcher is gone: {error.strerror}") from error
        if len(data) != _REPLY.size:
            raise LauncherGoneError("the sandbox's launcher ended before it answered")
        return _unpack(data)

    def close(self) -> None:
        """End the launcher and whatever it still runs. Wakes a thread that waits for a reply."""
        with self._closing:  # the thread that is woken calls this, too
            if self._closed:
                return
            self._closed = True
            with contextlib.suppress(OSError):
                self.socket.shutdown(socket.SHUT_RDWR)
            self.socket.close()
            self._process.wait()
            if self._cgroup is not None:
                self._cgroup.remove()
            if self._uid_lock is not None:
                self._uid_lock.close()


def _terminated(strings: Sequence[str]) -> bytes:
    data = os.fsencode("\0".join((*strings, "")))
    if data.count(b"\0") != len(strings):
        faulty = next(string for string in strings if "\0" in string)
        raise MachineError(f"{faulty!r}: a NUL byte in an argument, a path or the environment")
    return data


def _pack_run(command: Command, limits: Limits) -> bytes:
    flags = (
        _MAY_FORK * limits.may_fork
        | _WRITABLE_DIRECTORY * command.writable_directory
        | _CAP_DATA * limits.cap_data_segment
        | _SHARED_ONCE * limits.shared_once
        | _CAP_ADDRESSES * limits.cap_address_space
        | _SUBMISSION_RULES * command.submission_rules
    )
    return _REQUEST.pack(
        MessageKind.RUN_PROGRAM,
        flags,
        limits.threads,
        0,
        round(limits.cpu_s * NS),
        round(limits.wall_s * NS),
        limits.memory_bytes,
        limits.output_bytes,
        limits.stack_bytes or 0,
        TMP_BYTES,
        len(command.argv),
        len(command.environment),
        len(command.readable),
        (limits.written_bytes or 0) // MIB,
    )


def _unpack(data: bytes) -> Reply:
    kind, status, error, reason, cpu, wall, asleep, starved, memory, output, *threads, stage = _REPLY.unpack(data)
    return Reply(
        kind=MessageKind(kind),
        status=status,
        error=error,
        killed_for=_REASONS[reason],
        cpu_s=cpu / NS,
        wall_s=wall / NS,
        asleep_s=asleep / NS,
        starved_s=starved / NS,
        memory_bytes=memory,
        output_bytes=output,
        running=threads[0],
        reading=threads[1],
        sleeping=threads[2],
        stage=stage.rstrip(b"\0").decode(),
    )
