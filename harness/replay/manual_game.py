"""Play a game by hand: pass lines from a person or a pipe to the interactor, and its lines back."""

import os
import select
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import field
from pathlib import Path

from harness.check.classify import Judgement
from harness.check.output_check import CaseCheck, OutputCheck, output_check_for
from harness.check.validator_call import ValidatorCall
from harness.errors import JudgeError
from harness.host.host import Host
from harness.package import Case, Package
from harness.sandbox.facts import WAKE_S, Running, Sandbox
from harness.sandbox.streams import unread_bytes
from harness.sandbox.transcript import MOST_BYTES, Chunk, Speaker, Transcript, transcript_of
from harness.values import dataclass

POLL_S = 0.01
STILL_S = 0.3  # a process that neither runs nor sleeps for so long waits for input, in any system call
_CHUNK_BYTES = 1 << 16
_PATIENCE_S = 1e6  # a person may think as long as they like; the interactor's CPU limit holds


@dataclass(kw_only=True)
class InputLines:
    """Buffers what a descriptor delivers, through all passes of a game.

    paced: send a line only when the interactor waits for one, so that each pass leaves the next one its lines.
    """

    descriptor: int
    paced: bool
    _buffer: bytes = field(default=b"", init=False)
    _ended: bool = field(default=False, init=False)

    @property
    def is_empty(self) -> bool:
        """Whether the buffer is empty and more may come."""
        return not self._buffer and not self._ended

    @property
    def is_finished(self) -> bool:
        """Whether all data has been taken."""
        return not self._buffer and self._ended

    @property
    def has_data(self) -> bool:
        """Whether data can be taken."""
        return bool(self._buffer)

    def read(self) -> None:
        """Read from the descriptor, which must be ready."""
        data = os.read(self.descriptor, _CHUNK_BYTES)
        self._buffer += data
        self._ended = not data

    def take(self) -> bytes:
        """Remove and return the data to send next: one line if paced, else the whole buffer."""
        if not self.paced:
            data, self._buffer = self._buffer, b""
            return data
        line, end, self._buffer = self._buffer.partition(b"\n")
        return line + end


@dataclass(kw_only=True)
class InteractorWatch:
    """Tells when the interactor waits for a line. pipe: our end of its standard input."""

    run: Running
    pipe: int
    _still_since_s: float | None = field(default=None, init=False)

    def is_waiting(self) -> bool:
        """Return whether it has read all data and waits for more. Checks the pipe first: only we fill it."""
        if unread_bytes(self.pipe):
            return False
        activity = self.run.activity()
        if activity is None or activity.running or activity.asleep:
            self._still_since_s = None
            return False
        if activity.reading:
            return True
        now_s = time.monotonic()
        if self._still_since_s is None:
            self._still_since_s = now_s
        return now_s - self._still_since_s > STILL_S


@dataclass(frozen=True, kw_only=True)
class ManualGame:
    """Plays games against one package's interactor.

    input_descriptor: delivers the person's lines. on_transcript: called with the game so far after every line.
    on_pass: called with the number of each pass after the first. on_end: called when the interactor has ended, while
    its feedback folder is there.
    """

    package: Package
    host: Host
    input_descriptor: int
    on_transcript: Callable[[Transcript], None]
    on_pass: Callable[[int], None] = lambda _: None
    on_end: Callable[[Sandbox, ValidatorCall, Path], None] = lambda *_: None

    def play(self, case: Case) -> tuple[Judgement, Transcript]:
        """Play one game. Raises JudgeError when the interactor does not build, or fails."""
        if self.package.output_validator is None:
            raise JudgeError(f"{self.package.slug} has no interactor")
        output_check = output_check_for(self.package, self.host)  # needs the pool, as the game does

        def work(sandbox: Sandbox, case: Case) -> tuple[Judgement, Transcript]:
            with self.host.work_folder(sandbox) as folder:
                return self._play(sandbox, output_check, case, folder)

        return self.host.pool.alone(work, case)

    def _play(
        self, sandbox: Sandbox, output_check: OutputCheck, case: Case, work: Path
    ) -> tuple[Judgement, Transcript]:
        """Play passes until one is not accepted or the interactor asks for no further one."""
        recording = Recording()
        lines = InputLines(descriptor=self.input_descriptor, paced=output_check.rules.multi_pass)

        def play_pass(check: CaseCheck) -> tuple[None, Judgement]:
            if check.number > 1:
                self.on_pass(check.number)
            return None, self._pass(sandbox, check.interactor, work, recording, lines)

        with output_check.open(sandbox, case, work, warm=False) as first:
            _, _, judgement = first.over_passes(play_pass)
        return judgement, recording.transcript()

    def _pass(
        self, sandbox: Sandbox, call: ValidatorCall, work: Path, recording: "Recording", lines: InputLines
    ) -> Judgement:
        with ExitStack() as stack:
            errors = stack.enter_context((work / "judge_stderr").open("wb"))
            to_judge, from_judge = os.pipe(), os.pipe()
            try:
                run = call.start(
                    sandbox,
                    wall_s=_PATIENCE_S,
                    stdin=to_judge[0],
                    stdout=from_judge[1],
                    stderr=errors.fileno(),
                )
            finally:
                os.close(to_judge[0])
                os.close(from_judge[1])
            game_pass = _Pass(
                run=run,
                from_interactor=from_judge[0],
                to_interactor=to_judge[1],
                lines=lines,
                on_transcript=self.on_transcript,
                recording=recording,
            )
            try:
                game_pass.run_to_end()
                result = run.wait()
            except BaseException:
                run.kill()
                run.wait()
                raise
            finally:
                game_pass.close()
            self.on_end(sandbox, call, work)
            return call.judgement(result, work / "judge_stderr")


@dataclass(kw_only=True)
class Recording:
    """Records the lines of all passes. room: for so many more bytes."""

    room: int = MOST_BYTES
    _chunks: list[Chunk] = field(default_factory=list, init=False)
    _start_s: float = field(default_factory=time.monotonic, init=False)

    def add(self, speaker: Speaker, data: bytes) -> None:
        """Record bytes of one side; beyond MOST_BYTES in all they are cut."""
        kept = data[: self.room]
        self.room -= len(kept)
        self._chunks.append(Chunk(speaker=speaker, at_s=time.monotonic() - self._start_s, data=kept))

    def transcript(self) -> Transcript:
        """Return all lines."""
        return transcript_of(self._chunks)


@dataclass(kw_only=True)
class _Pass:
    """Moves bytes in both directions in one pass. An end of file on one side is passed on to the other."""

    run: Running
    from_interactor: int
    to_interactor: int
    lines: InputLines
    on_transcript: Callable[[Transcript], None]
    recording: Recording
    _watch: InteractorWatch = field(init=False)
    _pending: bytes = field(default=b"", init=False)
    _open: set[int] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        os.set_blocking(self.to_interactor, False)
        self._open = {self.from_interactor, self.to_interactor}
        self._watch = InteractorWatch(run=self.run, pipe=self.to_interactor)

    def run_to_end(self) -> None:
        """Move bytes until the interactor has ended."""
        while True:
            ready = self._ready()
            if self.from_interactor in ready:
                self._read_interactor()
            elif self.run.fileno() in ready:
                return
            if self.lines.descriptor in ready:
                self.lines.read()
            if self._may_send():
                self._pending = self.lines.take()
                self._record(Speaker.SUBMISSION, self._pending)
            self._write_pending(ended=self.lines.is_finished or self.from_interactor not in self._open)

    def _may_send(self) -> bool:
        if self._pending or not self.lines.has_data or self.to_interactor not in self._open:
            return False
        return not self.lines.paced or self._watch.is_waiting()

    def _ready(self) -> set[int]:
        poll = select.poll()
        poll.register(self.run.fileno(), select.POLLIN)
        if self.from_interactor in self._open:
            poll.register(self.from_interactor, select.POLLIN)
        writable = self.to_interactor in self._open
        if self.lines.is_empty and not self._pending and writable:
            poll.register(self.lines.descriptor, select.POLLIN)
        if self._pending and writable:
            poll.register(self.to_interactor, select.POLLOUT)
        watched = self.lines.has_data and not self._pending and writable
        return {descriptor for descriptor, _ in poll.poll((POLL_S if watched else WAKE_S) * 1000)}

    def _read_interactor(self) -> None:
        data = os.read(self.from_interactor, _CHUNK_BYTES)
        if data:
            self._record(Speaker.INTERACTOR, data)
        else:
            self._close(self.from_interactor)

    def _write_pending(self, *, ended: bool) -> None:
        if self._pending and self.to_interactor in self._open:
            try:
                self._pending = self._pending[os.write(self.to_interactor, self._pending) :]
            except BlockingIOError:
                return
            except BrokenPipeError:
                self._close(self.to_interactor)
        if ended and not self._pending:
            self._close(self.to_interactor)

    def _record(self, speaker: Speaker, data: bytes) -> None:
        self.recording.add(speaker, data)
        self.on_transcript(self.recording.transcript())

    def _close(self, descriptor: int) -> None:
        if descriptor in self._open:
            self._open.discard(descriptor)
            os.close(descriptor)

    def close(self) -> None:
        """Close both pipes. Idempotent."""
        for descriptor in (self.from_interactor, self.to_interactor):
            self._close(descriptor)
