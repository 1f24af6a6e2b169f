"""Tries candidates: is the input valid, what does the submission do with it, and is that right?"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from harness.check import Judgement, classify_run, compare, parse_arguments
from harness.check import judge_program_limits as limits_of_validation
from harness.errors import JudgeError
from harness.host.batches import Call, Ran
from harness.package.model import CaseSettings
from harness.results.verdict import Verdict
from harness.sandbox import KillReason, Sandbox
from harness.sandbox.limits import MIB, Limits, wall_limit_s
from harness.search.build_programs import BuiltTarget, Runnable
from harness.search.game_answers import Answers
from harness.search.model import Candidate, Failure, Outcome, Source, Trial
from harness.search.output_check import Checker, Exchange
from harness.search.policy import RUNNING, VALIDITY
from harness.search.programs import Programs
from harness.search.reference import BEYOND, NOT_ASKED, PASSED_OVER, Patience, Reply, reply_of
from harness.search.target import Target
from harness.search.validity import Guard, Makers, Trust


@dataclass(kw_only=True)
class Bench:
    """The programs of one target, built, and the rules by which a candidate fails. Shared by the workers."""

    target: Target
    programs: Programs
    built: BuiltTarget
    answers: Answers = field(default_factory=Answers)
    deadline_s: float = math.inf  # of the search: near it, generators get no more time than there is

    def __post_init__(self) -> None:
        limits = self.target.package.limits
        limit_s = limits.time_limit_s or RUNNING.default_limit_s
        self.limits = Limits(
            cpu_s=limit_s,
            wall_s=wall_limit_s(limit_s),
            memory_bytes=limits.memory_mib * MIB,
            output_bytes=limits.output_mib * MIB,
        )
        oracle_s = max(RUNNING.reference_s, limit_s)
        self.oracle_limits = replace(self.limits, cpu_s=oracle_s, wall_s=2 * oracle_s)
        self.patience = Patience(full_s=oracle_s)
        checking = limits_of_validation(limits)
        self.makers = Makers(target=self.target, programs=self.programs, limits=checking)
        self.guard = Guard(
            programs=self.programs,
            validators=self.built.validators,
            settings=self.target.settings,
            limits=checking,
        )
        self.trust = Trust(asks_always=self._settings_matter())
        self.checker = (
            Checker(
                programs=self.programs,
                program=self.built.checker,
                limits=checking,
                interactive=self.target.interactive,
                passes=limits.validation_passes if self.target.multi_pass else 1,
            )
            if self.built.checker is not None
            else None
        )

    def _settings_matter(self) -> bool:
        """Whether programs are told different things under different settings."""
        return len({(one.args, one.output_validator_args) for one in self.target.settings}) > 1

    def look(
        self,
        sandbox: Sandbox,
        candidates: Sequence[Candidate],
        *,
        cpu_s: float | None = None,
        again: bool = False,
    ) -> list[Trial]:
        """Try candidates. cpu_s: a limit in the place of the problem's. again: even those that were tried before."""
        limits = self.limits if cpu_s is None else replace(self.limits, cpu_s=min(cpu_s, self.limits.cpu_s))
        trials = self._made(sandbox, candidates, again=again)
        if not again:
            trials = [one if one.outcome is not Outcome.PENDING else self._unless_seen(one) for one in trials]
        first = [one.outcome is Outcome.PENDING and self.trust.must_ask(one.candidate.source) for one in trials]
        trials = self._valid(sandbox, trials, first)
        glance_s = self.limits.cpu_s if cpu_s is None else min(cpu_s, RUNNING.crash_glance_s)
        games = partial(self._played, games=RUNNING.games_again if again else 1)
        judge = games if self.target.played else partial(self._judged, glance_s=glance_s)
        trials = _pending(trials, lambda some: judge(sandbox, some, limits))
        late = [one.outcome in _DOUBTFUL and not asked for one, asked in zip(trials, first, strict=True)]
        return self._valid(sandbox, trials, late)

    def answers_to(
        self, sandbox: Sandbox, trials: Sequence[Trial], *, patiently: bool = False
    ) -> list[bytes | None]:
        """What the oracle says to each, b"" without one; None where it fails. patiently: each gets all of its time."""
        return [one.output for one in self.replies_to(sandbox, trials, patiently=patiently)]

    def replies_to(self, sandbox: Sandbox, trials: Sequence[Trial], *, patiently: bool = False) -> list[Reply]:
        """The same, and how it failed."""
        oracle = self.built.oracle
        if oracle is None:
            return [Reply(output=b"")] * len(trials)
        if patiently:
            return self._asked(sandbox, oracle, trials, self.patience.full_s)
        replies: list[Reply] = []
        while len(replies) < len(trials):
            left = trials[len(replies) :]
            count, limit_s = self.patience.first_of([len(one.data) for one in left])
            replies += self._asked(sandbox, oracle, left[:count], limit_s) if limit_s else [PASSED_OVER] * count
        return replies

    def _asked(self, sandbox: Sandbox, oracle: Runnable, trials: Sequence[Trial], limit_s: float) -> list[Reply]:
        path = oracle.executable.program.path
        return [reply_of(path, one) for one in self._consulted(sandbox, oracle, trials, limit_s)]

    def _consulted(self, sandbox: Sandbox, oracle: Runnable, trials: Sequence[Trial], limit_s: float) -> list[Ran]:
        calls = [Call(given=one.data, arguments=self.settings_of(one).args) for one in trials]
        began_s = time.monotonic()
        ran = self.programs.run(sandbox, oracle, calls, replace(self.oracle_limits, cpu_s=limit_s))
        took_s = time.monotonic() - began_s
        for one, call in zip(ran, calls, strict=True):
            slow = one.result.killed_for in (KillReason.CPU, KillReason.WALL)
            wall_s = min(took_s, one.result.wall_s or took_s)
            self.patience.note(len(call.given), in_time=not slow, cpu_s=one.result.cpu_s, wall_s=wall_s)
        return ran

    def _beyond(
        self, sandbox: Sandbox, trials: Sequence[Trial], ends: Mapping[int, Judgement], glance_s: float
    ) -> set[int]:
        """Of inputs on which the submission fails by itself, those that tell nothing, for the oracle fails there, too.

        Where nothing vouches for an input, it is no valid one if the oracle crashes on it, and one that is too much for
        the submission is doubtful if it is more than the oracle has memory for. What the submission is too slow for is
        no find if the package's own program is, too. glance_s: what the oracle gets where it is not the package's own.
        """
        oracle, unguarded, own = self.built.oracle, not self.target.may_change, self._oracle_is_own
        late = {place for place, known in ends.items() if known.verdict is _LATE}
        asked = [place for place in ends if unguarded or (own and place in late)]
        if not own and glance_s < self.limits.cpu_s:
            asked = [place for place in asked if self.patience.first_of([len(trials[place].data)])[1]]
        if oracle is None or not asked:
            return set()
        limit_s = self.limits.cpu_s if own else glance_s
        consulted = self._consulted(sandbox, oracle, [trials[place] for place in asked], limit_s)
        found = set()
        for place, one in zip(asked, consulted, strict=True):
            ended = one.result.killed_for is None
            full = _is_out_of_memory(one)
            fails = ends[place].verdict in _TOO_MUCH if full else ended and one.result.exit_code != 0
            if (unguarded and fails) or (own and place in late and not ended):
                found.add(place)
        return found

    @property
    def _oracle_is_own(self) -> bool:
        """Whether it is a program of the package, which must keep the package's limits."""
        return self.target.oracle in self.target.package.submissions

    def settings_of(self, trial: Trial) -> CaseSettings:
        """The settings under which the input is valid, or the first there are."""
        return trial.settings or self.guard.settings[0]

    def _made(self, sandbox: Sandbox, candidates: Sequence[Candidate], *, again: bool) -> list[Trial]:
        made: dict[int, bytes | None] = {}
        for patiently in (False, True):
            calls = {
                place: one.invocation
                for place, one in enumerate(candidates)
                if one.data is None
                and one.invocation is not None
                and self._deserves_patience(one, again=again) is patiently
            }
            left_s = max(VALIDITY.least_generator_s, self.deadline_s - time.monotonic())
            found = self.makers.make(sandbox, list(calls.values()), patiently=patiently, at_most_s=left_s)
            made.update(zip(calls, found, strict=True))
        trials = []
        for place, one in enumerate(candidates):
            data = made.get(place, one.data)
            outcome = Outcome.REFUSED if data is None and place in made else Outcome.PENDING
            trials.append(Trial(candidate=one, outcome=outcome, data=data or b""))
        return trials

    def _deserves_patience(self, candidate: Candidate, *, again: bool) -> bool:
        """Whether its generator may take long: one that somebody named may, and the recipe's own calls."""
        return self.target.generator is not None or (candidate.source is not Source.FAMILY and not again)

    def _unless_seen(self, trial: Trial) -> Trial:
        new = self.answers.is_new(trial.data, trial.candidate.answer, played=self.target.played)
        return trial if new else replace(trial, outcome=Outcome.REPEATED)

    def _valid(self, sandbox: Sandbox, trials: Sequence[Trial], asked: Sequence[bool]) -> list[Trial]:
        """The trials, those that are asked about with the settings under which they are valid, or refused."""
        wanted = [one.data for one, ask in zip(trials, asked, strict=True) if ask]
        found = iter(self.guard.valid_under(sandbox, wanted) if wanted else [])
        done = []
        for one, ask in zip(trials, asked, strict=True):
            settings = next(found) if ask else one.settings
            if ask:
                self.trust.note(
                    one.candidate.source, refused=settings is None, late=one.outcome is not Outcome.PENDING
                )
            refused = ask and settings is None
            done.append(replace(one, settings=settings, outcome=Outcome.REFUSED if refused else one.outcome))
        return done

    def _judged(
        self, sandbox: Sandbox, trials: Sequence[Trial], limits: Limits, *, glance_s: float
    ) -> list[Trial]:
        calls = [Call(given=one.data, arguments=self.settings_of(one).args) for one in trials]
        ran = self.programs.run(sandbox, self.built.submission, calls, limits)
        judgements = [classify_run(one.result, limits) for one in ran]
        silent = [place for place, known in enumerate(judgements) if known is None]
        replies = dict(zip(silent, self.replies_to(sandbox, [trials[place] for place in silent]), strict=True))
        exchanges = [
            Exchange(
                given=trials[place].data,
                answer=answer,
                output=ran[place].output,
                settings=self.settings_of(trials[place]),
            )
            for place in silent
            if (answer := replies[place].output) is not None
        ]
        told = iter(self.checked(sandbox, exchanges))
        ends = {place: known for place, known in enumerate(judgements) if known and known.verdict in _BY_ITSELF}
        beyond = self._beyond(sandbox, trials, ends, glance_s)
        done = []
        for place, (trial, one, known) in enumerate(zip(trials, ran, judgements, strict=True)):
            reply = replies.get(place, BEYOND if place in beyond else NOT_ASKED)
            if reply.fault:
                done.append(replace(trial, outcome=Outcome.UNANSWERED, message=reply.fault))
                continue
            done.append(self._ended(trial, one, known or next(told), reply.output))
        return done

    def checked(self, sandbox: Sandbox, exchanges: Sequence[Exchange]) -> list[Judgement]:
        """What the checker, or else a comparison, says to outputs."""
        if self.checker is not None:
            return self.checker.judgements(sandbox, exchanges)
        if self.built.oracle is None:
            return [Judgement(verdict=Verdict.ACCEPTED)] * len(exchanges)
        return [
            compare(one.output, one.answer, parse_arguments(one.settings.output_validator_args))
            for one in exchanges
        ]

    def _played(self, sandbox: Sandbox, trials: Sequence[Trial], limits: Limits, *, games: int) -> list[Trial]:
        if self.checker is None:
            raise JudgeError("an interactive or multi-pass problem needs an output validator")
        return [self._game(sandbox, self.checker, one, limits, games) for one in trials]

    def _game(self, sandbox: Sandbox, checker: Checker, trial: Trial, limits: Limits, games: int) -> Trial:
        """Games, one with each of the first answers for the interactor that go with the input, until one is lost."""
        ended = replace(trial, outcome=Outcome.UNANSWERED, message="no answer file goes with this input")
        for tried, answer in enumerate(self.answers.in_turn(trial.data, trial.candidate.answer)):
            if games == 0 or (ended.outcome is Outcome.PASSED and tried >= 2 * RUNNING.games_again):
                break
            exchange = Exchange(given=trial.data, answer=answer, output=b"", settings=self.settings_of(trial))
            try:
                ran, judgement = checker.game(sandbox, self.built.submission, exchange, limits)
                fails = judgement.verdict is not Verdict.ACCEPTED
                if fails and not self._can_be_won(sandbox, checker, exchange, late=judgement.verdict is _LATE):
                    raise JudgeError("the reference fails on it")
            except JudgeError as error:
                if ended.outcome is not Outcome.PASSED:
                    ended = replace(ended, message=str(error))
                continue
            ended, games = self._ended(trial, ran, judgement, answer), games - 1
            if ended.outcome is Outcome.FAILED:
                break
        return ended

    def _ended(self, trial: Trial, ran: Ran, judgement: Judgement, answer: bytes | None) -> Trial:
        """The trial with what came of it."""
        if judgement.verdict is Verdict.JUDGE_ERROR:
            return replace(trial, outcome=Outcome.UNANSWERED, message=judgement.message)
        if judgement.verdict in (Verdict.ACCEPTED, Verdict.SKIPPED):
            return replace(trial, outcome=Outcome.PASSED, cpu_s=ran.result.cpu_s)
        said = self.built.submission.executable.as_in_package(ran.errors.decode(errors="surrogateescape"))
        failure = Failure(
            verdict=judgement.verdict,
            reason=judgement.reason,
            signal=ran.result.signal,
            exit_code=ran.result.exit_code,
            message=judgement.message,
            output=ran.output,
            stderr=said.encode(errors="surrogateescape"),
            answer=answer,
            cpu_s=ran.result.cpu_s,
        )
        return replace(trial, outcome=Outcome.FAILED, failure=failure, cpu_s=ran.result.cpu_s)

    def _can_be_won(self, sandbox: Sandbox, checker: Checker, exchange: Exchange, *, late: bool) -> bool:
        """Whether the reference, if there is one, wins; late: in the package's time, if it is the package's own.

        Input and answer may come from different cases.
        """
        oracle = self.built.oracle
        if oracle is None:
            return True
        limits = self.oracle_limits
        if late and self._oracle_is_own:
            limits = replace(self.limits, wall_s=limits.wall_s)
        return checker.game(sandbox, oracle, exchange, limits)[1].verdict is Verdict.ACCEPTED


_LATE = Verdict.TIME_LIMIT_EXCEEDED
_TOO_MUCH = (_LATE, Verdict.MEMORY_LIMIT_EXCEEDED)
_BY_ITSELF = (Verdict.RUN_TIME_ERROR, *_TOO_MUCH)  # also what happens on inputs that are not valid


def _is_out_of_memory(ran: Ran) -> bool:
    """Whether it was stopped for memory, or says itself that there was none left."""
    return ran.result.killed_for is KillReason.MEMORY or any(word in ran.errors for word in _NO_MEMORY)


_NO_MEMORY = (b"MemoryError", b"bad_alloc")
_DOUBTFUL = (Outcome.FAILED, Outcome.UNANSWERED)


def _pending(trials: Sequence[Trial], work: Callable[[Sequence[Trial]], list[Trial]]) -> list[Trial]:
    """The trials, those that are pending as `work` leaves them."""
    waiting = [one for one in trials if one.outcome is Outcome.PENDING]
    done = iter(work(waiting) if waiting else [])
    return [next(done) if one.outcome is Outcome.PENDING else one for one in trials]
