"""Play interactive and multi-pass problems on one input, with the answer file that the interactor gets beside it."""

import hashlib
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import field, replace
from pathlib import Path

from harness.check.batch_checks import Question
from harness.check.classify import Judgement, classify_run
from harness.check.interact import Player
from harness.check.output_check import CaseCheck, OutputCheck, files_in
from harness.errors import JudgeError
from harness.host.batches import Call, Ran
from harness.host.run_many import KEPT_ERROR_BYTES, Programs, Runnable, end_of
from harness.package import Case
from harness.package.files import File
from harness.package.model import CaseSettings
from harness.results.verdict import Verdict
from harness.sandbox.facts import Limits, Sandbox
from harness.search.model import CandidateFailure, CandidateOutcome, TriedCandidate
from harness.search.policy import RUNNING
from harness.search.reference import Reference
from harness.values import dataclass


@dataclass(kw_only=True)
class TriedInputs:
    """How often each input was tried. distinct: the different answers of all cases. Shared by the workers."""

    distinct: Sequence[bytes] = (b"",)
    _times: Counter[bytes] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def is_new(self, data: bytes, answer: bytes | None, *, played: bool) -> bool:
        """Count a try of the input (with `answer`, if given); return False if it was tried enough.

        An input is tried once, in games without a given answer once for each distinct answer.
        """
        with self._lock:
            times = self._times[_digest(data, answer or b"")]
            self._times[_digest(data, answer or b"")] += 1
        return times < (len(self.distinct) if played and answer is None else 1)

    @property
    def count(self) -> int:
        """Return how many different inputs were tried."""
        return len(self._times)

    def was_tried(self, data: bytes) -> bool:
        """Return whether the input was tried before, with any answer of the package's cases."""
        with self._lock:
            return self._times[_digest(data, b"")] > 0

    def forget(self) -> None:
        """Treat every input as new again."""
        with self._lock:
            self._times.clear()

    def in_turn(self, data: bytes, first: bytes | None = None) -> list[bytes]:
        """Return all answers in the order to try them on an input; it depends on how often the input was tried.

        `first` comes first. If an answer does not fit the input, others with the same first word rarely do: so next
        come answers with different first words.
        """
        start = max(0, self._times[_digest(data, b"")] - 1) % len(self.distinct)
        mixed = sorted(self.distinct, key=lambda answer: _digest(data, answer))
        given = [] if first is None else [first]
        seen: Counter[bytes] = Counter()
        ranks = []
        for answer in [*given, *(answer for answer in mixed[start:] + mixed[:start] if answer != first)]:
            word = b"".join(answer.split()[:1])
            ranks.append((seen[word], answer))
            seen[word] += 1
        return [answer for _, answer in sorted(ranks, key=lambda ranked: ranked[0])]


@dataclass(frozen=True, kw_only=True)
class GameRunner:
    """Plays a program against the interactor, or through all passes of the output validator."""

    programs: Programs
    check: OutputCheck

    def game(
        self, sandbox: Sandbox, submission: Runnable, question: Question, limits: Limits
    ) -> tuple[Ran, Judgement]:
        """Play a game, or all passes; return the last run, judged. Raises JudgeError if the validator fails."""

        def play_pass(check: CaseCheck) -> tuple[Ran, Judgement]:
            if self.check.interactive:
                with self.programs.in_time(limits) as cut:
                    return _interaction(check, submission, cut)
            call = Call(stdin=check.input.read_bytes(), arguments=question.settings.args)
            [ran] = self.programs.run(sandbox, submission, [call], limits)
            judgement = classify_run(ran.result, limits)
            if judgement is None:
                output = files_in(check.work).stdout
                output.write_bytes(ran.output)
                judgement = check.judge(output)
            return ran, judgement

        case = Case(
            name="candidate",
            input=File(origin=Path("candidate"), content=question.input),
            answer=File(origin=Path("candidate"), content=question.answer),
            settings=question.settings,
        )
        host = self.programs.host
        with host.work_folder(sandbox) as work, self.check.open(sandbox, case, work) as first:
            _, ran, judgement = first.over_passes(play_pass)
        return ran, judgement


def _interaction(check: CaseCheck, submission: Runnable, limits: Limits) -> tuple[Ran, Judgement]:
    fitted = submission.executable.fit(limits)
    command = submission.executable.command(fitted.memory_bytes, *check.case.settings.args)
    game = check.interact(Player(command=command, limits=fitted, generous=fitted))
    errors = end_of(files_in(check.work).stderr, KEPT_ERROR_BYTES)
    return Ran(result=game.run, output=b"", errors=errors), game.judgement


def concluded(
    tried: TriedCandidate, submission: Runnable, ran: Ran, judgement: Judgement, answer: bytes | None
) -> TriedCandidate:
    """Return the candidate with the outcome of its run. answer: of the reference, None if it did not run."""
    if judgement.verdict is Verdict.JUDGE_ERROR:
        return replace(tried, outcome=CandidateOutcome.UNANSWERED, message=judgement.message)
    if judgement.verdict in (Verdict.ACCEPTED, Verdict.SKIPPED):
        return replace(tried, outcome=CandidateOutcome.PASSED, cpu_s=ran.result.cpu_s)
    stderr = submission.executable.as_in_package(ran.errors.decode(errors="surrogateescape"))
    failure = CandidateFailure(
        verdict=judgement.verdict,
        reason=judgement.reason,
        signal=ran.result.signal,
        exit_code=ran.result.exit_code,
        message=judgement.message,
        output=ran.output,
        stderr=stderr.encode(errors="surrogateescape"),
        answer=answer,
        cpu_s=ran.result.cpu_s,
    )
    return replace(tried, outcome=CandidateOutcome.FAILED, failure=failure, cpu_s=ran.result.cpu_s)


@dataclass(frozen=True, kw_only=True)
class Games:
    """Plays games of the submission against the output validator. limits: of the problem."""

    runner: GameRunner
    submission: Runnable
    reference: Reference
    limits: Limits
    tried_inputs: TriedInputs

    def play(
        self, sandbox: Sandbox, tried: TriedCandidate, settings: CaseSettings, *, limits: Limits, games: int
    ) -> TriedCandidate:
        """Play up to `games` games, each with another answer that fits the input, until the submission loses one."""
        missing = "no answer file goes with this input"
        ended = replace(tried, outcome=CandidateOutcome.UNANSWERED, message=missing)
        for number, answer in enumerate(self.tried_inputs.in_turn(tried.data, tried.candidate.answer)):
            if games == 0 or (ended.outcome is CandidateOutcome.PASSED and number >= 2 * RUNNING.games_again):
                break
            question = Question(input=tried.data, answer=answer, output=b"", settings=settings)
            try:
                ran, judgement = self.runner.game(sandbox, self.submission, question, limits)
                if judgement.verdict is not Verdict.ACCEPTED:
                    late = judgement.verdict is Verdict.TIME_LIMIT_EXCEEDED
                    self._check_winnable(sandbox, question, late=late)
            except JudgeError as error:
                if ended.outcome is not CandidateOutcome.PASSED:
                    ended = replace(ended, message=str(error))
                continue
            ended, games = concluded(tried, self.submission, ran, judgement, answer), games - 1
            if ended.outcome is CandidateOutcome.FAILED:
                break
        return ended

    def _check_winnable(self, sandbox: Sandbox, question: Question, *, late: bool) -> None:
        """Raise JudgeError if there is a reference and it loses: input and answer may be of different cases.

        late: the submission was too slow; then a reference of the package must win within the problem's time limit.
        """
        reference = self.reference
        if reference.program is None:
            return
        limits = reference.limits
        if late and reference.is_own:
            limits = replace(self.limits, wall_s=limits.wall_s)
        if self.runner.game(sandbox, reference.program, question, limits)[1].verdict is not Verdict.ACCEPTED:
            raise JudgeError("the reference fails on it")


def _digest(data: bytes, answer: bytes) -> bytes:
    return hashlib.blake2b(b"%d " % len(data) + data + answer, digest_size=16).digest()
