"""Runs the programs of a search the cheapest contained way: Python forked from a warm interpreter, others as ever."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from harness.build import Executable
from harness.host import Host
from harness.limits import Limits
from harness.sandbox import RunResult, Sandbox
from harness.warm import Place, WarmProgram

_FIRST_SLOT = 2  # a worker's sandbox and its partner, which interactions use, stay free


@dataclass(kw_only=True)
class _Worker:
    """What belongs to one worker: its folder, and the warm programs beside it."""

    folder: Path
    chain: list[Sandbox]
    warm: dict[int, WarmProgram] = field(default_factory=dict)

    def slot(self, number: int) -> Sandbox:
        """The sandbox of a warm program; each holds one for as long as it lives."""
        while len(self.chain) <= number + _FIRST_SLOT:
            self.chain.append(self.chain[-1].partner())
        return self.chain[number + _FIRST_SLOT]


@dataclass(kw_only=True)
class Programs:
    """Runs programs for a search; several may be kept warm beside each worker."""

    host: Host
    _workers: dict[int, _Worker] = field(default_factory=dict)
    _numbers: dict[int, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def folder(self, sandbox: Sandbox) -> Path:
        """The worker's own folder; files in it are overwritten by the next run."""
        return self._worker(sandbox).folder

    def run(
        self, sandbox: Sandbox, executable: Executable, arguments: Sequence[str], *, given: Path, limits: Limits
    ) -> RunResult:
        """Run on the file `given`; `stdout` and `stderr` lie in the worker's folder afterwards."""
        folder = self.folder(sandbox)
        stdout, stderr = folder / "stdout", folder / "stderr"
        warm = self.warm(sandbox, executable, limits)
        if warm is None:
            command = executable.command(limits.memory_bytes, *arguments)
            return sandbox.run(command, executable.fit(limits), stdin=given, stdout=stdout, stderr=stderr)
        place = Place(directory=executable.directory)
        with given.open("rb") as into, stdout.open("wb") as out, stderr.open("wb") as err:
            streams = {"stdin": into.fileno(), "stdout": out.fileno(), "stderr": err.fileno()}
            run = warm.start(arguments, place, wall_s=limits.wall_s, cpu_s=limits.cpu_s, **streams)
            return run.wait()

    def warm(
        self, sandbox: Sandbox, executable: Executable, limits: Limits, *, reads: bool = False
    ) -> WarmProgram | None:
        """The program, warm beside this worker; None when it is not Python. reads: it may read the worker's folder."""
        if executable.language.code != "python3" or not executable.argv[-1].endswith(".py"):
            return None
        worker, number = self._worker(sandbox), self._number(executable)
        kept = worker.warm.get(number)
        if kept is None or not kept.alive:
            kept = self._started(worker, number, executable, limits, reads)
            worker.warm[number] = kept
        return kept

    def _started(
        self, worker: _Worker, number: int, executable: Executable, limits: Limits, reads: bool
    ) -> WarmProgram:
        readable = (worker.folder,) if reads else ()
        fitted = replace(executable.fit(limits), output_bytes=max(limits.output_bytes, 1))
        return WarmProgram(executable, worker.slot(number), fitted, readable=readable, stage=self.host.stage)

    def _worker(self, sandbox: Sandbox) -> _Worker:
        with self._lock:
            if id(sandbox) not in self._workers:
                self._workers[id(sandbox)] = _Worker(folder=self.host.stage.folder("search"), chain=[sandbox])
            return self._workers[id(sandbox)]

    def _number(self, executable: Executable) -> int:
        with self._lock:
            return self._numbers.setdefault(id(executable), len(self._numbers))


def output_of(folder: Path, most: int) -> bytes:
    """The start of what the last run printed."""
    with (folder / "stdout").open("rb") as file:
        return file.read(most)


def errors_of(folder: Path, most: int) -> bytes:
    """The end of what the last run wrote to standard error."""
    path = folder / "stderr"
    with path.open("rb") as file:
        file.seek(max(path.stat().st_size - most, 0))
        return file.read(most)
