"""Judges interactive problems: submission and interactor side by side over direct pipes.

The verdict does not depend on scheduling. The judge holds duplicates of all four pipe ends, so no end of file and no
SIGPIPE reaches a program before the judge has recorded that the other one has ended; it releases them in a fixed order.
docs/verdicts.md has the rules, by the numbers in the comments below.
"""

import contextlib
import os
import select
import signal
import time
from collections.abc import Iterator
from dataclasses import field, replace
from pathlib import Path

from harness.check.classify import Judgement, classify_run
from harness.check.validator_call import ACCEPT, ValidatorCall
from harness.errors import JudgeError
from harness.results.verdict import Reason, Verdict
from harness.sandbox.facts import Activity, Command, KillReason, Limits, Running, RunResult, Sandbox
from harness.sandbox.streams import open_emptied, unread_bytes
from harness.sandbox.transcript import Speaker, Tap
from harness.values import dataclass

DRAIN_BYTES = 1 << 16
POLL_S = 0.3  # between polls while both programs run
SHORT_POLL_S = 0.01  # between polls after one program has ended
STOPPING_S = 5.0  # longest wait for a killed program to end
CRASH_GRACE_S = 0.2  # of a quiet interactor after the submission has crashed
WHOLE_GAME = 5  # factor on the sum of both wall limits: longest time without progress of either side
ALIVE = 0.02  # of a core: a game that uses more makes progress, even if both sides wait at each poll
ALIVE_COST = 0.1  # fraction of such a game's time that is charged: else short wake-ups could go on forever
FOREVER_S = 1e6  # the sandbox's wall limit: the judge's own clocks limit the game
LEFT_EARLY = "the submission ended before the interaction did"
MISSING_FLUSH = "both sides wait for input: missing flush?"
NOTHING_WRITTEN = "both sides wait for input: missing flush, in your program or in the interactor?"
NO_REPLY = "both sides wait for input, after your program wrote {bytes} bytes: missing flush, or line end?"
LATE_REPLY = (
    "both sides waited, and the interactor wrote only as it ended: does it flush, or wait for another line?"
)
SLEEPY = "the interactor slept for {seconds:.1f} s of it"
LATE_REPLY_S = 2.0  # longest wait for what an interactor writes when it reads end of file


@dataclass(kw_only=True)
class PipeEnds:
    """The judge's own duplicates of the four pipe ends of a game; None once closed."""

    submission_in: int | None
    interactor_out: int | None
    interactor_in: int | None
    submission_out: int | None
    tap: Tap | None = None

    def release(self, name: str) -> None:
        """Close one end. Idempotent."""
        descriptor = getattr(self, name)
        if descriptor is not None:
            os.close(descriptor)
            setattr(self, name, None)

    def empty(self) -> bool:
        """Return whether both pipes are empty."""
        if self.tap is not None and not self.tap.quiet:
            return False
        return _unread(self.submission_in) == _unread(self.interactor_in) == 0

    def drain(self, name: str) -> bool:
        """Empty a pipe whose reader has ended, so that its writer can continue; return whether it held data."""
        descriptor = getattr(self, name)
        return bool(_unread(descriptor) and os.read(descriptor, DRAIN_BYTES))


@contextlib.contextmanager
def open_pipes(tap: Tap | None) -> Iterator[PipeEnds]:
    """Open the two pipes of a game, recorded by `tap` if there is one; close all four ends at the end."""
    submission_in, interactor_out = tap.pipe(Speaker.INTERACTOR) if tap else os.pipe()
    interactor_in, submission_out = tap.pipe(Speaker.SUBMISSION) if tap else os.pipe()
    ends = PipeEnds(
        submission_in=submission_in,
        interactor_out=interactor_out,
        interactor_in=interactor_in,
        submission_out=submission_out,
        tap=tap,
    )
    try:
        yield ends
    finally:
        for name in ("submission_in", "interactor_out", "interactor_in", "submission_out"):
            ends.release(name)


def _unread(descriptor: int | None) -> int:
    """Return the number of unread bytes in a pipe; 0 if its end is closed."""
    return 0 if descriptor is None else unread_bytes(descriptor)


def _still_open(descriptor: int | None) -> int:
    """Return a descriptor of a pipe end that must be open. Raises ValueError if it was closed."""
    if descriptor is None:
        raise ValueError("a pipe end was used after it was closed")
    return descriptor


@dataclass(frozen=True, kw_only=True)
class Interaction:
    """The end of a game: the facts of the submission's run, and the judgement."""

    run: RunResult
    judgement: Judgement


@dataclass(frozen=True, kw_only=True)
class Player:
    """The submission's side. `limits` judge it; it runs under `generous` ones, which allow a little overtime."""

    command: Command
    limits: Limits
    generous: Limits


def interact(
    sandbox: Sandbox, submission: Player, call: ValidatorCall, work: Path, tap: Tap | None = None
) -> Interaction:
    """Play one game; standard error goes to the files `stderr` and `judge_stderr` in `work`.

    The submission's wall limit counts only time in which it keeps the interactor waiting. tap: records the game; None:
    the programs are connected directly. Raises JudgeError if the interactor fails.
    """
    whole_game_s = WHOLE_GAME * (submission.limits.wall_s + call.limits.wall_s)
    with open_pipes(tap) as ends, contextlib.ExitStack() as files:
        errors = [
            files.enter_context(os.fdopen(open_emptied(work / name), "wb")) for name in ("stderr", "judge_stderr")
        ]
        interactor = call.start(
            sandbox.partner("interactor"),
            wall_s=FOREVER_S,
            stdin=_still_open(ends.interactor_in),
            stdout=_still_open(ends.interactor_out),
            stderr=errors[1].fileno(),
        )
        try:
            player = sandbox.start(
                submission.command,
                replace(submission.generous, wall_s=FOREVER_S),
                stdin=_still_open(ends.submission_in),
                stdout=_still_open(ends.submission_out),
                stderr=errors[0].fileno(),
            )
        except BaseException:
            interactor.kill()
            interactor.wait()
            raise
        game = _Game(
            player=player,
            interactor=interactor,
            ends=ends,
            limits=submission.limits,
            call=call,
            judge_stderr=work / "judge_stderr",
            whole_game_s=whole_game_s,
        )
        return game.play()


@dataclass(kw_only=True)
class _Clock:
    """Sums the time charged to a program.

    The time between two polls counts for at most twice the intended pause, so that a program is not charged when the
    judge itself was delayed.
    """

    spent_s: float = 0.0
    polled_s: float = field(default_factory=time.monotonic)

    def charge(self, pause_s: float, *, free: bool = False, alive: bool = False) -> float:
        """Add the time since the last poll; return the sum. free: add nothing. alive: add only a fraction."""
        now_s = time.monotonic()
        if not free:
            self.spent_s += min(now_s - self.polled_s, 2 * pause_s) * (ALIVE_COST if alive else 1)
        self.polled_s = now_s
        return self.spent_s


@dataclass(kw_only=True)
class _Game:
    """A running game. limits: of the submission. call: of the interactor. whole_game_s: longest time without progress.

    The rules by number are those of docs/verdicts.md.
    """

    player: Running
    interactor: Running
    ends: PipeEnds
    limits: Limits
    call: ValidatorCall
    judge_stderr: Path
    whole_game_s: float
    quiet_polls: int = field(default=0, init=False)  # in a row, at which both sides waited for each other
    player_clock: _Clock = field(default_factory=_Clock, init=False)  # time charged to the submission
    sleep_clock: _Clock = field(default_factory=_Clock, init=False)  # time in which the interactor only slept
    still_clock: _Clock = field(default_factory=_Clock, init=False)  # time in which neither side computed
    used_s: float = field(default=0.0, init=False)  # CPU time of the sides at the last poll
    polled_s: float = field(default_factory=time.monotonic, init=False)

    def play(self) -> Interaction:
        """Wait for the first program to end, then for the other."""
        try:
            if self._wait_for_either() is self.player:
                return self._player_ended_first()
            return self._interactor_ended_first()
        except BaseException:
            for run in (self.player, self.interactor):
                run.kill()
                with contextlib.suppress(Exception):
                    run.wait()
            raise

    def _wait_for_either(self) -> Running:
        while True:
            ended = _ended(POLL_S, self.player, self.interactor)
            # Rule 2: if both have ended, the submission comes first; the judge may have stopped it.
            for run in (self.player, self.interactor):
                if run in ended:
                    return run
            self._check_idleness()

    def _check_idleness(self) -> None:
        """Rule 7: after two quiet polls release the next pipe end; later stop a submission that still reads."""
        player, interactor = self.player.activity(), self.interactor.activity()
        sleeps = self._sleeps_on(interactor, POLL_S)
        alive = self._makes_progress(self.player, POLL_S, player, interactor)
        runs = any(side is not None and side.running for side in (player, interactor))
        self._enforce_wall_limit(POLL_S, free=runs or sleeps, alive=alive)
        if alive or not (player and interactor and _stuck(player) and _stuck(interactor) and self.ends.empty()):
            self.quiet_polls = 0
            return
        self.quiet_polls += 1
        if self.quiet_polls == 2:
            self.ends.release("submission_out")
        elif self.quiet_polls == 4:
            self.ends.release("interactor_out")
        elif self.quiet_polls >= 6 and player.reading:
            self.player.kill(KillReason.IDLE)
            _ended(
                STOPPING_S, self.player
            )  # wait, so that it ends before the interactor reacts to its end of file

    def _makes_progress(self, awaited: Running, pause_s: float, *sides: Activity | None) -> bool:
        """Return whether the sides computed since the last poll; kill `awaited` if they were idle for too long.

        CPU time decides: the sides are polled one after the other, so in a game of quick moves both may seem to wait.
        """
        used_s = sum(side.cpu_s for side in sides if side is not None)
        now_s = time.monotonic()
        alive = used_s - self.used_s > ALIVE * (now_s - self.polled_s)
        self.used_s, self.polled_s = used_s, now_s
        if self.still_clock.charge(pause_s, alive=alive) > self.whole_game_s:
            awaited.kill(KillReason.WALL)
        return alive

    def _sleeps_on(self, interactor: Activity | None, pause_s: float) -> bool:
        """Return whether the interactor sleeps and its total sleep is within the wall limit."""
        asleep = interactor is not None and interactor.asleep and not interactor.running
        slept_s = self.sleep_clock.charge(pause_s, free=not asleep)
        return asleep and slept_s <= self.limits.wall_s

    def _enforce_wall_limit(self, pause_s: float, *, free: bool, alive: bool) -> None:
        """Charge the submission with the time since the last poll, unless it is free; kill it over its wall limit."""
        if self.player_clock.charge(pause_s, free=free, alive=alive) > self.limits.wall_s:
            self.player.kill(KillReason.WALL)

    def _interactor_ended_first(self) -> Interaction:
        interactor_run = self.interactor.wait()
        if interactor_run.killed_for is not None or interactor_run.exit_code != ACCEPT:
            # Rule 3: it rejected or failed; the submission's further actions do not matter.
            self.player.kill()
            run = self.player.wait()
            return Interaction(run=run, judgement=self._judge(interactor_run, run))
        # Rule 4: it accepts. The submission reads end of file and must still exit cleanly.
        self.ends.release("interactor_out")
        while not _ended(SHORT_POLL_S, self.player, reader=self.ends.interactor_in):
            self.ends.drain("interactor_in")
            activity = self.player.activity()
            alive = self._makes_progress(self.player, SHORT_POLL_S, activity)
            self._enforce_wall_limit(SHORT_POLL_S, free=activity is not None and activity.running > 0, alive=alive)
        run = self.player.wait()
        return Interaction(run=run, judgement=classify_run(run, self.limits) or self._judge(interactor_run, run))

    def _player_ended_first(self) -> Interaction:
        run = self.player.wait()
        if run.killed_for is KillReason.IDLE:
            message = self._why_idle(run)
            judgement = Judgement(verdict=Verdict.TIME_LIMIT_EXCEEDED, reason=Reason.IDLE, message=message)
        else:
            judgement = classify_run(run, self.limits) or Judgement(verdict=Verdict.ACCEPTED)
            if judgement.reason is Reason.WALL_TIME and self.sleep_clock.spent_s > self.limits.wall_s / 2:
                judgement = replace(judgement, message=SLEEPY.format(seconds=self.sleep_clock.spent_s))
        if run.killed_for is not None or judgement.verdict is Verdict.TIME_LIMIT_EXCEEDED:
            self._stop_interactor()
            return Interaction(run=run, judgement=judgement)
        if judgement.verdict is Verdict.ACCEPTED:
            return Interaction(run=run, judgement=self._await_interactor(run))
        return Interaction(run=run, judgement=self._after_crash(judgement, run))

    def _why_idle(self, run: RunResult) -> str:
        """Return what is known of a game in which both sides wait: the interactor may write when it ends."""
        self.ends.release("submission_out")
        _ended(LATE_REPLY_S, self.interactor)
        late = not self.ends.empty()  # of an interactor that did not flush, or that answers the end of file
        if not run.output_bytes:  # or not counted, at the plain tier
            return NOTHING_WRITTEN if late else MISSING_FLUSH
        return LATE_REPLY if late else NO_REPLY.format(bytes=run.output_bytes)

    def _after_crash(self, crashed: Judgement, run: RunResult) -> Judgement:
        """Rule 5: delay the end of file until the interactor has read all data; it may have seen a wrong move."""
        quiet = _Clock()
        while not _ended(SHORT_POLL_S, self.interactor):
            activity = self.interactor.activity()
            waits_for_more = activity is not None and activity.reading > 0 and self.ends.empty()
            alive = self._makes_progress(self.interactor, SHORT_POLL_S, activity)
            idle_s = quiet.charge(SHORT_POLL_S, free=alive or (activity is not None and activity.running > 0))
            if waits_for_more or idle_s > CRASH_GRACE_S:
                self._stop_interactor()
                return crashed
        judgement = self._judge(self.interactor.wait(), run)
        return judgement if judgement.verdict is Verdict.WRONG_ANSWER else crashed

    def _await_interactor(self, run: RunResult) -> Judgement:
        """Rule 6: after a clean exit of the submission let the interactor read to the end; discard its output."""
        self.ends.release("submission_out")
        quiet = _Clock()
        while not _ended(SHORT_POLL_S, self.interactor, reader=self.ends.submission_in):
            if self.ends.drain("submission_in"):
                continue
            activity = self.interactor.activity()
            busy = self._makes_progress(self.interactor, SHORT_POLL_S, activity)
            busy = busy or activity is None or activity.running > 0 or not self.ends.empty()
            busy = busy or self._sleeps_on(activity, SHORT_POLL_S)
            if quiet.charge(SHORT_POLL_S, free=busy) > 2 * POLL_S:
                self._stop_interactor()
                return Judgement(verdict=Verdict.WRONG_ANSWER, reason=Reason.VALIDATOR, message=LEFT_EARLY)
        interactor_run = self.interactor.wait()
        if interactor_run.signal == signal.SIGPIPE:
            return Judgement(verdict=Verdict.WRONG_ANSWER, reason=Reason.VALIDATOR, message=LEFT_EARLY)
        return self._judge(interactor_run, run)

    def _stop_interactor(self) -> None:
        self.interactor.kill()
        self.interactor.wait()

    def _judge(self, interactor_run: RunResult, run: RunResult) -> Judgement:
        """Return the interactor's judgement. Rule 9: if it fails on too much output, the submission is to blame."""
        try:
            return self.call.judgement(interactor_run, self.judge_stderr)
        except JudgeError as error:
            if run.output_bytes <= self.limits.output_bytes:
                raise
            return Judgement(verdict=Verdict.OUTPUT_LIMIT_EXCEEDED, reason=Reason.OUTPUT, message=str(error))


def _stuck(activity: Activity) -> bool:
    """Return whether the program waits for the other side: it neither runs nor sleeps with a timeout."""
    return not activity.running and not activity.asleep


def _ended(wait_s: float, *runs: Running, reader: int | None = None) -> list[Running]:
    """Return the runs that have ended, after at most `wait_s`, or as soon as `reader` has data to read."""
    poll = select.poll()
    for run in runs:
        poll.register(run.fileno(), select.POLLIN)
    if reader is not None:
        poll.register(reader, select.POLLIN)
    ready = {descriptor for descriptor, _ in poll.poll(wait_s * 1000)}
    return [run for run in runs if run.fileno() in ready]
