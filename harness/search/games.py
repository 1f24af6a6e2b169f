"""Games of interactive and multi-pass problems, with the answers that an interactor is given beside the input."""

import hashlib
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import field, replace

from harness.errors import JudgeError
from harness.host.runnable import Runnable
from harness.package.model import CaseSettings
from harness.results.verdict import Verdict
from harness.sandbox import Sandbox
from harness.sandbox.limits import Limits
from harness.search.model import CandidateOutcome, TriedCandidate
from harness.search.output_check import Checker, Exchange, concluded
from harness.search.policy import RUNNING
from harness.search.reference import Reference
from harness.values import dataclass


@dataclass(kw_only=True)
class InteractorAnswers:
    """The answers of a package's cases, each once, and how often each input has come already. Shared by the workers."""

    known: Sequence[bytes] = (b"",)
    _times: Counter[bytes] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def is_new(self, data: bytes, answer: bytes | None, *, played: bool) -> bool:
        """Whether to try the input, with that answer if one is given: once, in games once for each answer."""
        with self._lock:
            times = self._times[_digest(data, answer or b"")]
            self._times[_digest(data, answer or b"")] += 1
        return times < (len(self.known) if played and answer is None else 1)

    def forget(self) -> None:
        """Count every input as new again."""
        with self._lock:
            self._times.clear()

    def in_turn(self, data: bytes, first: bytes | None = None) -> list[bytes]:
        """All answers in an order that depends on the input and on how often it came; `first` before all others.

        Where an answer does not go with the input, others with the same first word hardly will: the first answer of
        each word comes before the second.
        """
        start = max(0, self._times[_digest(data, b"")] - 1) % len(self.known)
        mixed = sorted(self.known, key=lambda answer: _digest(data, answer))
        given = [] if first is None else [first]
        seen: Counter[bytes] = Counter()
        ranks = []
        for answer in [*given, *(each for each in mixed[start:] + mixed[:start] if each != first)]:
            word = b"".join(answer.split()[:1])
            ranks.append((seen[word], answer))
            seen[word] += 1
        return [answer for _, answer in sorted(ranks, key=lambda ranked: ranked[0])]


@dataclass(frozen=True, kw_only=True)
class Games:
    """Games of the submission against the output validator. limits: the problem's own."""

    checker: Checker
    submission: Runnable
    reference: Reference
    limits: Limits
    answers: InteractorAnswers

    def play(
        self, sandbox: Sandbox, tried: TriedCandidate, settings: CaseSettings, *, limits: Limits, games: int
    ) -> TriedCandidate:
        """Play `games` games, each with another answer that goes with the input, until one is lost."""
        missing = "no answer file goes with this input"
        ended = replace(tried, outcome=CandidateOutcome.UNANSWERED, message=missing)
        for number, answer in enumerate(self.answers.in_turn(tried.data, tried.candidate.answer)):
            if games == 0 or (ended.outcome is CandidateOutcome.PASSED and number >= 2 * RUNNING.games_again):
                break
            exchange = Exchange(given=tried.data, answer=answer, output=b"", settings=settings)
            try:
                ran, judgement = self.checker.game(sandbox, self.submission, exchange, limits)
                if judgement.verdict is not Verdict.ACCEPTED:
                    late = judgement.verdict is Verdict.TIME_LIMIT_EXCEEDED
                    self._check_winnable(sandbox, exchange, late=late)
            except JudgeError as error:
                if ended.outcome is not CandidateOutcome.PASSED:
                    ended = replace(ended, message=str(error))
                continue
            ended, games = concluded(tried, self.submission, ran, judgement, answer), games - 1
            if ended.outcome is CandidateOutcome.FAILED:
                break
        return ended

    def _check_winnable(self, sandbox: Sandbox, exchange: Exchange, *, late: bool) -> None:
        """Raise JudgeError where the reference, if there is one, loses: input and answer may be of different cases.

        late: the package's own program must win within the problem's time limit.
        """
        reference = self.reference
        if reference.program is None:
            return
        limits = reference.limits
        if late and reference.is_own:
            limits = replace(self.limits, wall_s=limits.wall_s)
        if self.checker.game(sandbox, reference.program, exchange, limits)[1].verdict is not Verdict.ACCEPTED:
            raise JudgeError("the reference fails on it")


def _digest(data: bytes, answer: bytes) -> bytes:
    return hashlib.blake2b(b"%d " % len(data) + data + answer, digest_size=16).digest()
