"""Run programs on many inputs: in batches by a server of the program, else through the launcher."""

import math
import os
import re
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from functools import partial
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType

from harness.build.builder import Builder
from harness.build.compiler import DIAGNOSTICS_BYTES, BuildLimits
from harness.build.executable import CompileFailure, Executable
from harness.errors import UnbuiltError
from harness.files import untrusted
from harness.host.batches import COMPILED_SERVER, KEPT_ERROR_BYTES, BatchServer, Call, Ran
from harness.host.host import Host, executable_of
from harness.host.java_server import build_java_server, java_server_command
from harness.host.warm_programs import can_fork, fork_server_command, reads_command_line, server_limits
from harness.package import Program
from harness.package.files import File, Files
from harness.sandbox.facts import MIB, Command, KillReason, Limits, Sandbox, Tier
from harness.values import dataclass

_NAMES = {"cpp": "harness_fork_server.cpp", "c": "harness_fork_server.c"}
_NOTHING: Mapping[str, Files] = MappingProxyType({})
_SCRIPTS = {"build", "run"}
_FLAGS = ("-Wl,--wrap=main",)
_SERVING = dict.fromkeys(_NAMES, _FLAGS)
_COUNTING = dict.fromkeys(_NAMES, (*_FLAGS, "-fsanitize-coverage=trace-pc", "-DHARNESS_COUNTS_STEPS"))
# On tiers where only the sandbox's rules can end leftover processes, programs may not fork: no server there.
_FORKING = (Tier.PLAIN, Tier.NAMESPACED)
_LONG = DIAGNOSTICS_BYTES // 2  # longer diagnostics may have been cut before an error of the server
# Shows in diagnostics that the program may compile without the server.
_SERVERS_FAULT = re.compile(
    r"harness_fork_server|undefined reference|multiple definition|ld returned|linker command"
)
_KEPT_OUTPUT_BYTES = 32 * MIB
_MOST_BATCHED_BYTES = 16 * MIB  # a larger input gets a process of its own
_MOST_SERVER_DEATHS = 3  # after so many deaths of its server, a program runs without a server
_STOPPED = {
    KillReason.CPU: "too slow",
    KillReason.WALL: "too slow",
    KillReason.IDLE: "it waited for nothing",
    KillReason.MEMORY: "out of memory",
    KillReason.OUTPUT: "too much output",
}


@dataclass(frozen=True, kw_only=True)
class Runnable:
    """A built program. serves: a server can run it on batches of inputs. java_server: the server of a Java program."""

    executable: Executable
    serves: bool
    java_server: Executable | None = None


def build_one(
    builder: Builder,
    program: Program,
    limits: BuildLimits,
    sandbox: Sandbox,
    include: Mapping[str, Files] = _NOTHING,
) -> Runnable:
    """Build a program with the server linked in if possible, else without.

    include: files that the package gives each submission. Raises UnbuiltError if it does not compile, MachineError
    without a compiler.
    """
    linked = _linked(builder.with_flags(_SERVING), program, limits, sandbox, include)
    if isinstance(linked, Runnable):
        return linked
    outcome = linked or builder.build(program, limits, sandbox, include)
    executable = executable_of(program, outcome, partial(UnbuiltError, file=program.origin))
    if not _may_serve(sandbox):
        return Runnable(executable=executable, serves=False)
    java_server = build_java_server(builder, executable, sandbox)
    serves = java_server is not None or can_fork(executable)
    return Runnable(executable=executable, serves=serves, java_server=java_server)


def build_counting(
    builder: Builder,
    program: Program,
    limits: BuildLimits,
    sandbox: Sandbox,
    include: Mapping[str, Files] = _NOTHING,
) -> Runnable | None:
    """Build a program whose runs count the basic blocks that they enter (`Ran.steps`); None if not possible."""
    linked = _linked(builder.with_flags(_COUNTING), program, limits, sandbox, include)
    return linked if isinstance(linked, Runnable) else None


def _linked(
    builder: Builder, program: Program, limits: BuildLimits, sandbox: Sandbox, include: Mapping[str, Files]
) -> Runnable | CompileFailure | None:
    """Build the program with the server. None: build it without; CompileFailure: the program itself is wrong."""
    language = builder.language(program)
    if (
        not _may_serve(sandbox)
        or _SCRIPTS & program.files.keys()
        or language is None
        or language.code not in _NAMES
        or reads_command_line(program)
    ):
        return None
    built = builder.build(_with_server(program, language.code), limits, sandbox, include)
    if isinstance(built, Executable):
        return Runnable(executable=replace(built, program=program), serves=True)
    if not isinstance(built, CompileFailure) or built.stopped:
        return None
    texts = [built.diagnostics, *built.retries]
    may_be_the_server = any(len(text) >= _LONG or _SERVERS_FAULT.search(text) for text in texts)
    return None if may_be_the_server else built


def _may_serve(sandbox: Sandbox) -> bool:
    return sys.platform == "linux" and sandbox.isolation.tier in _FORKING


def _with_server(program: Program, code: str) -> Program:
    server = File(origin=COMPILED_SERVER, content=COMPILED_SERVER.read_bytes())
    return replace(program, files={**program.files, _NAMES[code]: server})


class OutOfTimeError(Exception):
    """The deadline has passed. Results from before it stay valid. Its text: the program that ran then, if any."""


@dataclass(kw_only=True)
class _Served:
    """The server of a program for one worker, in a sandbox of its own (`slot`). deaths: how often it died."""

    slot: Sandbox
    server: BatchServer | None = None
    deaths: int = 0


@dataclass(kw_only=True)
class _Worker:
    """A worker's folders, and a further sandbox for each program."""

    folder: Path
    scratch: Path
    sandbox: Sandbox
    served: dict[int, _Served] = field(default_factory=dict)

    def next_slot(self) -> Sandbox:
        """Return an unused sandbox; a server holds it until it ends."""
        return self.sandbox.partner(f"search {len(self.served)}")


@dataclass(kw_only=True)
class Programs:
    """Runs programs for a search, by servers of each worker. Must be closed: servers occupy sandboxes.

    deadline_s: by time.monotonic(); after it no worker runs anything.
    """

    host: Host
    deadline_s: float = math.inf
    _workers: dict[int, _Worker] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __enter__(self) -> "Programs":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:  # a search ends with the first failure, while other workers still run inputs
            self.host.pool.settle()
        self.close()

    def close(self) -> None:
        """End all servers. No run may be in progress."""
        for worker in self._workers.values():
            for served in worker.served.values():
                if served.server is not None:
                    served.server.close()

    def folder(self, sandbox: Sandbox) -> Path:
        """Return the worker's own folder, which judge programs may read."""
        return self._worker(sandbox).folder

    def scratch(self, sandbox: Sandbox) -> Path:
        """Return the worker's folder that judge programs may write to."""
        return self._worker(sandbox).scratch

    def run(
        self, sandbox: Sandbox, program: Runnable, calls: Sequence[Call], limits: Limits, *, judges: bool = False
    ) -> list[Ran]:
        """Run the calls; return their results in order.

        judges: the program may read the worker's folder and write to its scratch folder.
        Raises OutOfTimeError at the deadline, with the path of the program.
        """
        try:
            return self._all_run(sandbox, program, calls, limits, judges=judges)
        except OutOfTimeError as error:
            raise OutOfTimeError(program.executable.program.path) from error

    def _all_run(
        self, sandbox: Sandbox, program: Runnable, calls: Sequence[Call], limits: Limits, *, judges: bool
    ) -> list[Ran]:
        done: list[Ran] = []
        while len(done) < len(calls):
            fitting = (
                list(takewhile(lambda call: len(call.stdin) <= _MOST_BATCHED_BYTES, calls[len(done) :]))
                if program.serves
                else []
            )
            if fitting:
                done += self._batched(sandbox, program, fitting, limits, judges)
            if len(done) < len(calls):
                with self.in_time(limits) as cut:
                    done.append(self._alone(sandbox, program, calls[len(done)], cut, judges))
        return done

    @contextmanager
    def in_time(self, limits: Limits) -> Iterator[Limits]:
        """Return the limits with the wall time cut at the deadline. Raises OutOfTimeError if that has passed."""
        left_s = self.deadline_s - time.monotonic()
        if left_s <= 0:
            raise OutOfTimeError
        yield replace(limits, wall_s=min(limits.wall_s, left_s))
        if limits.wall_s > left_s and time.monotonic() >= self.deadline_s:
            raise OutOfTimeError  # the deadline may have stopped the run

    @contextmanager
    def until(self, deadline_s: float) -> Iterator[None]:
        """Use this deadline inside the `with`, if it is earlier than the current one."""
        before_s, self.deadline_s = self.deadline_s, min(self.deadline_s, deadline_s)
        try:
            yield
        finally:
            self.deadline_s = before_s

    def _batched(
        self, sandbox: Sandbox, program: Runnable, calls: Sequence[Call], limits: Limits, judges: bool
    ) -> list[Ran]:
        """Run calls by the server; return the results of the first ones. The next call may have ended the server."""
        worker = self._worker(sandbox)
        served = worker.served.get(id(program))
        if served is None:
            served = worker.served.setdefault(id(program), _Served(slot=worker.next_slot()))
        done: list[Ran] = []
        while len(done) < len(calls) and served.deaths < _MOST_SERVER_DEATHS:
            server = served.server
            if server is None or not server.alive:
                command = self._command(worker, program, limits, judges)
                server = BatchServer(command, served.slot, server_limits(program.executable.fit(limits)))
                served.server = server
            done += self._run_on(server, calls[len(done) :], limits)
            if not server.has_retired:
                served.deaths += not server.alive
                break
        return done

    def _run_on(self, server: BatchServer, calls: Sequence[Call], limits: Limits) -> list[Ran]:
        until_s = self.deadline_s
        try:
            done = server.run(calls, limits, until_s=until_s) if server.alive else []
        except BaseException:  # Ctrl-C: the server's next reply would belong to another call
            server.close()
            raise
        if len(done) < len(calls) and time.monotonic() >= until_s:
            raise OutOfTimeError
        return done

    def _command(self, worker: _Worker, program: Runnable, limits: Limits, judges: bool) -> Command:
        executable = program.executable
        if program.java_server is not None:
            command = java_server_command(executable, program.java_server, limits.memory_bytes)
        elif executable.language.code == "python3":
            command = fork_server_command(executable, limits.memory_bytes, self.host.stage, "batch")
        else:
            command = executable.command(limits.memory_bytes).reading(executable.directory)
        return replace(
            command.reading(*((worker.folder,) if judges else ())),
            directory=worker.scratch if judges else executable.directory,
            environment={**command.environment, "HARNESS_BATCH": "1"},
            writable_directory=judges,
        )

    def _alone(self, sandbox: Sandbox, program: Runnable, call: Call, limits: Limits, judges: bool) -> Ran:
        """Run a call in a process of its own, through the launcher."""
        worker = self._worker(sandbox)
        stdin, stdout, stderr = (worker.folder / name for name in ("given", "stdout", "stderr"))
        stdin.write_bytes(call.stdin)
        command = program.executable.command(limits.memory_bytes, *call.arguments, elsewhere=judges)
        if judges:
            directory = Path(call.directory) if call.directory else worker.scratch
            directory.mkdir(exist_ok=True)
            command = replace(command.reading(worker.folder), directory=directory, writable_directory=True)
        result = sandbox.run(command, program.executable.fit(limits), stdin=stdin, stdout=stdout, stderr=stderr)
        return Ran(
            result=result,
            output=untrusted.first_bytes(stdout, _KEPT_OUTPUT_BYTES) or b"",
            errors=kept_errors(stderr),
        )

    def _worker(self, sandbox: Sandbox) -> _Worker:
        with self._lock:
            if id(sandbox) not in self._workers:
                stage = self.host.stage
                self._workers[id(sandbox)] = _Worker(
                    folder=stage.folder("search"), scratch=stage.folder("scratch"), sandbox=sandbox
                )
            return self._workers[id(sandbox)]


def ending(ran: Ran) -> str:
    """Describe the failed end of a run: why it was stopped, or its exit code and the last line of standard error."""
    result = ran.result
    if result.killed_for is not None:
        return _STOPPED.get(result.killed_for, f"stopped: {result.killed_for}")
    lines = ran.errors.decode(errors="replace").strip().splitlines()
    return f"{result.ending}: {lines[-1].strip()}" if lines else result.ending


def kept_errors(stderr: Path) -> bytes:
    """Read the end of what a run wrote to standard error."""
    with stderr.open("rb") as file:
        file.seek(max(os.fstat(file.fileno()).st_size - KEPT_ERROR_BYTES, 0))
        return file.read(KEPT_ERROR_BYTES)
