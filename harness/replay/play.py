"""A person, or a pipe, in the submission's place: what is typed goes to the interactor, what it says comes back."""

import os
import select
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import field
from pathlib import Path

from harness.check import Judgement, Validation
from harness.check.output_check import CaseCheck, OutputCheck, output_check_for
from harness.errors import JudgeError
from harness.host.host import Host
from harness.package import Case, Package
from harness.replay.typed_input import LOOK_S, Pace, Typed
from harness.sandbox import Running, Sandbox
from harness.sandbox.transcript import MOST_BYTES, Chunk, Speaker, Transcript, transcript_of
from harness.values import dataclass

_PATIENCE_S = 1e6  # a person may think as long as they like; the interactor's CPU limit holds
_CHUNK_BYTES = 1 << 16


@dataclass(frozen=True, kw_only=True)
class Seat:
    """A place at the table of one package's interactor.

    listen: the descriptor that the person's lines come from. heard: told of the game so far whenever somebody spoke.
    begins: told the number of each pass after the first. after: called when the interactor has ended, while its
    feedback folder is there.
    """

    package: Package
    host: Host
    check: OutputCheck
    listen: int
    heard: Callable[[Transcript], None]
    begins: Callable[[int], None] = lambda _: None
    after: Callable[[Sandbox, Validation, Path], None] = lambda *_: None

    def play(self, case: Case) -> tuple[Judgement, Transcript]:
        """One game. Raises JudgeError when the interactor fails."""

        def work(sandbox: Sandbox, one: Case) -> tuple[Judgement, Transcript]:
            with self.host.work_folder(sandbox) as folder:
                return self._play(sandbox, one, folder)

        return self.host.pool.alone(work, case)

    def _play(self, sandbox: Sandbox, case: Case, work: Path) -> tuple[Judgement, Transcript]:
        """Pass after pass, until one is not accepted or the interactor asks for no other."""
        said = _Said()
        typed = Typed(descriptor=self.listen, paced=self.check.rules.multi_pass)

        def play_pass(check: CaseCheck) -> tuple[None, Judgement]:
            if check.number > 1:
                self.begins(check.number)
            return None, self._pass(sandbox, check.interactor, work, said, typed)

        with self.check.open(sandbox, case, work, warm=False) as first:
            _, _, judgement = first.over_passes(play_pass)
        return judgement, said.transcript()

    def _pass(
        self, sandbox: Sandbox, validation: Validation, work: Path, said: "_Said", typed: Typed
    ) -> Judgement:
        with ExitStack() as stack:
            errors = stack.enter_context((work / "judge_stderr").open("wb"))
            to_judge, from_judge = os.pipe(), os.pipe()
            try:
                run = validation.start(
                    sandbox,
                    wall_s=_PATIENCE_S,
                    stdin=to_judge[0],
                    stdout=from_judge[1],
                    stderr=errors.fileno(),
                )
            finally:
                os.close(to_judge[0])
                os.close(from_judge[1])
            talk = _Talk(run=run, says=from_judge[0], hears=to_judge[1], typed=typed, heard=self.heard, said=said)
            try:
                talk.whole()
                result = run.wait()
            except BaseException:
                run.kill()
                run.wait()
                raise
            finally:
                talk.close()
            self.after(sandbox, validation, work)
            return validation.judgement(result, work / "judge_stderr")


@dataclass(kw_only=True)
class _Said:
    """What was said in all passes so far."""

    _chunks: list[Chunk] = field(default_factory=list, init=False)
    _start_s: float = field(default_factory=time.monotonic, init=False)

    def note(self, speaker: Speaker, data: bytes) -> None:
        """Somebody spoke."""
        room = max(MOST_BYTES - sum(len(chunk.data) for chunk in self._chunks), 0)
        self._chunks.append(Chunk(speaker=speaker, at_s=time.monotonic() - self._start_s, data=data[:room]))

    def transcript(self) -> Transcript:
        """All of it, in lines."""
        return transcript_of(self._chunks)


@dataclass(kw_only=True)
class _Talk:
    """The two directions in one pass. An end of file on one side is one on the other."""

    run: Running
    says: int
    hears: int
    typed: Typed
    heard: Callable[[Transcript], None]
    said: _Said
    _pace: Pace = field(init=False)
    _unsaid: bytes = field(default=b"", init=False)
    _open: set[int] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        os.set_blocking(self.hears, False)
        self._open = {self.says, self.hears}
        self._pace = Pace(run=self.run, hears=self.hears)

    def whole(self) -> None:
        """Until the interactor has ended."""
        while True:
            ready = self._ready()
            if self.says in ready:
                self._judge_speaks()
            elif self.run.fileno() in ready:
                return
            if self.typed.descriptor in ready:
                self.typed.read()
            if self._turn_of_person():
                self._unsaid = self.typed.next()
                self._note(Speaker.SUBMISSION, self._unsaid)
            self._pass_on(ended=self.typed.over or self.says not in self._open)

    def _turn_of_person(self) -> bool:
        if self._unsaid or not self.typed.waiting or self.hears not in self._open:
            return False
        return not self.typed.paced or self._pace.waits()

    def _ready(self) -> set[int]:
        poll = select.poll()
        poll.register(self.run.fileno(), select.POLLIN)
        if self.says in self._open:
            poll.register(self.says, select.POLLIN)
        hearing = self.hears in self._open
        if self.typed.wanting and not self._unsaid and hearing:
            poll.register(self.typed.descriptor, select.POLLIN)
        if self._unsaid and hearing:
            poll.register(self.hears, select.POLLOUT)
        looks = self.typed.waiting and not self._unsaid and hearing
        return {descriptor for descriptor, _ in poll.poll(LOOK_S * 1000 if looks else None)}

    def _judge_speaks(self) -> None:
        data = os.read(self.says, _CHUNK_BYTES)
        if data:
            self._note(Speaker.INTERACTOR, data)
        else:
            self._close(self.says)

    def _pass_on(self, *, ended: bool) -> None:
        if self._unsaid and self.hears in self._open:
            try:
                self._unsaid = self._unsaid[os.write(self.hears, self._unsaid) :]
            except BlockingIOError:
                return
            except BrokenPipeError:
                self._close(self.hears)
        if ended and not self._unsaid:
            self._close(self.hears)

    def _note(self, speaker: Speaker, data: bytes) -> None:
        self.said.note(speaker, data)
        self.heard(self.said.transcript())

    def _close(self, descriptor: int) -> None:
        if descriptor in self._open:
            self._open.discard(descriptor)
            os.close(descriptor)

    def close(self) -> None:
        """Let go of both pipes."""
        for descriptor in (self.says, self.hears):
            self._close(descriptor)


def take_seat(
    package: Package,
    host: Host,
    listen: int,
    heard: Callable[[Transcript], None],
    begins: Callable[[int], None] = lambda _: None,
) -> Seat:
    """A seat opposite the package's interactor, built. Raises JudgeError when it does not build."""
    if package.output_validator is None:
        raise JudgeError(f"{package.slug} has no interactor")
    check = output_check_for(package, host)
    return Seat(package=package, host=host, check=check, listen=listen, heard=heard, begins=begins)
