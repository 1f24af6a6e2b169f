"""The search itself: try candidates on all workers until one fails, make it small, confirm it by a plain judged run."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from harness.host.host import Host
from harness.package import Group
from harness.results.model import CaseResult
from harness.results.verdict import Verdict
from harness.sandbox import Sandbox
from harness.search.build_programs import build
from harness.search.confirm import Confirming, Dispute, doubted, peers_of
from harness.search.draw_ahead import Ahead
from harness.search.evaluate import Bench
from harness.search.game_answers import Answers
from harness.search.learn import Preparing
from harness.search.model import (
    ASKING,
    BUILDING,
    COMPARING,
    CONFIRMING,
    REDUCING,
    SEARCHING,
    Candidate,
    Outcome,
    Progress,
    Source,
    Trial,
)
from harness.search.policy import HUNT, REDUCE
from harness.search.programs import Programs
from harness.search.reduce import Reduction
from harness.search.sources import Mixture, bases_of, mixture
from harness.search.target import Target


@dataclass(frozen=True, kw_only=True)
class Found:
    """A failing input, made small.

    confirmed: what the plain judged run gave, None if it was not confirmed. dispute: accepted programs differ on it.
    """

    first: Trial
    trial: Trial
    confirmed: CaseResult | None
    proven: bool
    to_find: int
    to_shrink: int
    dispute: Dispute | None = None

    @property
    def is_real(self) -> bool:
        """Whether the plain run failed in the same way, and no accepted program says otherwise."""
        return self.is_confirmed and self.dispute is None

    @property
    def is_confirmed(self) -> bool:
        """Whether the plain run failed in the same way."""
        failure = self.trial.failure
        return self.confirmed is not None and failure is not None and self.confirmed.verdict is failure.verdict


@dataclass(kw_only=True)
class Hunt:
    """A search for one target, within `time_s` seconds; building comes before, making small may take `beyond_s` more.

    spares_secret: what it finds comes of no secret case.
    """

    target: Target
    host: Host
    seed: int
    time_s: float
    given: bytes | None = None
    spares_secret: bool = False
    reducing_s: float = REDUCE.reducing_s
    exhaustive_s: float = REDUCE.exhaustive_s
    beyond_s: float = REDUCE.beyond_s
    tell: Callable[[Progress], None] = lambda _: None
    progress: Progress = field(default_factory=Progress)
    raised: Sequence[tuple[str, bytes]] = ()
    _each_s: float = HUNT.least_input_s  # that an input of the last batch took
    _is_strict: bool = False  # inputs on which accepted programs differ do not count

    def run(self) -> Found | None:
        """Build, search, reduce, confirm. None: nothing was found in time."""
        self.progress.clock.enter(BUILDING)
        built = build(self.target, self.host)
        if not built.validators:  # then nothing tells which changed inputs are valid
            unguarded = replace(self.target.package, input_validators=())
            self.target = replace(self.target, package=unguarded)
        with Programs(host=self.host) as programs:
            self.bench = Bench(
                target=self.target, programs=programs, built=built, answers=Answers(known=self._answers())
            )
            self._deadline_s = self.bench.deadline_s = time.monotonic() + self.time_s
            self._enter(SEARCHING)
            self.progress.doubt = self.host.pool.alone(self._vetted, self.target.package.sample)
            with Ahead() as ahead:
                early = self._prepared(ahead)
                self._deadline_s = max(self._deadline_s, time.monotonic() + min(self.time_s, HUNT.least_search_s))
                self._enter(SEARCHING)
                first = self._given() if self.given is not None else self._search(ahead, early)
            return self._agreed(self._made_small(first)) if first is not None else None

    def _enter(self, phase: str) -> None:
        self.progress.clock.enter(phase)
        self.tell(self.progress)

    def _agreed(self, found: Found) -> Found:
        """A find on which the package's accepted programs agree, if there is one in time; else the first, disputed."""
        failure = found.trial.failure
        if failure is None or failure.verdict is not Verdict.WRONG_ANSWER or self.progress.interrupted:
            return found
        try:
            self._enter(COMPARING)
            self.peers = peers_of(self.bench, self.host)
            dispute = self.host.pool.alone(self.peers.dispute, found.trial)
            found = replace(found, dispute=dispute)
            other = None
            if dispute is not None and not self.progress.interrupted:
                other = self._found_without_dispute(found)
        except KeyboardInterrupt:
            self.progress.interrupted = True
            return found
        return other or found

    def _found_without_dispute(self, disputed: Found) -> Found | None:
        """Another find, made small; no input counts any more on which accepted programs differ."""
        self._is_strict = True
        self.bench.answers.forget()  # what failed beside the first find was not looked at
        self._enter(SEARCHING)
        self.progress.best = None
        first: Trial | None = disputed.first
        if self.host.pool.alone(self.peers.dispute, disputed.first) is not None:
            with Ahead() as ahead:
                mixed = mixture(self.target, self.seed + 1, spares_secret=self.spares_secret)
                first = self._found(ahead, mixed, self._deadline_s, None) if self.given is None else None
        return self._made_small(first) if first is not None else None

    def _look(self, sandbox: Sandbox, candidates: Sequence[Candidate], **options: Any) -> list[Trial]:
        """Try candidates; where accepted programs are known to differ on some inputs, those are disputed."""
        trials = self.bench.look(sandbox, candidates, **options)
        if not self._is_strict:
            return trials
        return [self._unless_disputed(sandbox, one) for one in trials]

    def _unless_disputed(self, sandbox: Sandbox, trial: Trial) -> Trial:
        if trial.outcome is Outcome.FAILED and self.peers.dispute(sandbox, trial) is not None:
            return replace(trial, outcome=Outcome.DISPUTED)
        return trial

    def _vetted(self, sandbox: Sandbox, samples: Group) -> str:
        return doubted(
            self.bench,
            sandbox,
            list(samples.all_cases()),
            time.monotonic() + max(HUNT.least_samples_s, self.time_s / 4),
        )

    def _prepared(self, ahead: Ahead) -> Trial | None:
        """Learn what inputs look like and how large they may be; not so much where a small input fails at once."""
        preparing = Preparing(bench=self.bench, pool=self.host.pool)
        shape = preparing.learned()
        self.target = replace(self.target, shape=shape)
        if not self.target.guessed or not self.target.package.input_validators:
            return None
        seconds = min(HUNT.learn_limits_s, self.time_s / 5)
        bases = bases_of(self.target, spares_secret=self.spares_secret)
        if self.given is None and not self.target.played:
            known = sorted(bases, key=lambda one: len(one[1]))[: HUNT.first_cases]
            small = [Candidate(source=Source.CASE, words=name, data=data) for name, data in known]
            if (early := self._batch(small, self._deadline_s)) is not None:
                return early
        if shape is not None:
            shape = preparing.ruled(shape, seconds)
            self.target = replace(self.target, shape=shape)
        if self.given is None and (early := self._glanced(ahead)) is not None:
            return early
        self._enter(ASKING)
        if shape is not None:
            shape = preparing.widened(shape, seconds)
            self.target = replace(self.target, shape=shape)
        if self.given is None:
            self.raised = preparing.raised(bases, min(HUNT.raise_numbers_s, self.time_s / 10))
        return None

    def _glanced(self, ahead: Ahead) -> Trial | None:
        """What fails of some small inputs: most wrong programs do, and to ask for limits takes longer."""
        deadline_s = time.monotonic() + min(HUNT.glance_s, self.time_s / 10)
        mixed = mixture(self.target, self.seed, spares_secret=self.spares_secret).small()
        return self._found(ahead, mixed, deadline_s, None)

    def _given(self) -> Trial | None:
        """The given input; in games with one answer for the interactor after the other."""
        candidate = Candidate(source=Source.GIVEN, words="the given input", data=self.given)
        for _ in self.bench.answers.known:
            [trial] = self.host.pool.alone(self.bench.look, [candidate])
            if trial.outcome is Outcome.REPEATED or time.monotonic() > self._deadline_s:
                break
            self.progress.count(trial)
            if trial.outcome is Outcome.FAILED:
                return trial
        return None

    def _search(self, ahead: Ahead, found: Trial | None) -> Trial | None:
        """What fails. found: something that does, for which a smaller input is looked for."""
        mixed = mixture(self.target, self.seed, raised=self.raised, spares_secret=self.spares_secret)
        deadline_s = self._deadline_s
        if found is not None:
            deadline_s = time.monotonic() + (0 if self._is_small(found) else _more_s(found))
        return self._found(ahead, mixed, deadline_s, found)

    def _found(self, ahead: Ahead, mixed: Mixture, deadline_s: float, found: Trial | None) -> Trial | None:
        """The first of these inputs that fails, or a smaller one that came soon after it."""
        count = HUNT.first_batch * self.host.pool.size
        coming = ahead.draw(mixed.take, count)
        while time.monotonic() < deadline_s and (batch := coming.result()):
            began_s = time.monotonic()
            if found is not None:
                # A small input that fails is worth more than a large one that must be made small.
                mixed, batch = mixed.small(), [one for one in batch if one.source is not Source.LARGE]
            coming = ahead.draw(mixed.take, count)
            try:
                failed = self._batch(batch, deadline_s)
            except KeyboardInterrupt:
                if found is None:
                    raise
                self.progress.interrupted = True
                return found
            if failed is not None and self._is_small(failed):
                return failed
            if failed is not None and found is None:
                deadline_s = min(deadline_s, time.monotonic() + _more_s(failed))
            found = min((one for one in (failed, found) if one is not None), key=_length, default=None)
            took_s = time.monotonic() - began_s
            self._each_s = max(HUNT.least_input_s, took_s * self.host.pool.size / len(batch))
            count = max(
                HUNT.first_batch, min(HUNT.most_in_batch, 2 * count if took_s < HUNT.batch_s / 2 else count)
            )
            count = max(HUNT.first_batch, count // 2) if took_s > 2 * HUNT.batch_s else count
        return found

    def _is_small(self, failed: Trial) -> bool:
        """Whether it ends the search: not where it may not be changed, for then only others are smaller."""
        return len(failed.data) <= HUNT.small_bytes and self.target.may_shrink(failed.candidate.source)

    def _batch(self, batch: list[Candidate], deadline_s: float) -> Trial | None:
        """Try these; the first in their order that fails, whichever worker was faster."""

        def look(sandbox: Sandbox, some: Sequence[Candidate]) -> list[Trial]:
            return self._look(sandbox, some) if time.monotonic() < deadline_s else []

        in_time = int((deadline_s - time.monotonic()) / self._each_s)
        width = max(1, min(HUNT.most_in_chunk, -(-len(batch) // self.host.pool.size), in_time))
        chunks = [batch[start : start + width] for start in range(0, len(batch), width)]
        for trials in self.host.pool.in_order(look, chunks):
            for trial in trials:
                self.progress.count(trial)
            self.tell(self.progress)
            failed = next((one for one in trials if one.outcome is Outcome.FAILED), None)
            if failed is not None:
                return failed
        return None

    def _made_small(self, first: Trial) -> Found:
        self.progress.best = first
        self._enter(REDUCING)
        to_find = self.progress.executions
        reduction = self.host.pool.alone(self._reduced, first)
        self._enter(CONFIRMING)
        try:
            trial, confirmed = self.confirming.confirmed(reduction.best, first)
        except KeyboardInterrupt:  # what was found is not lost
            self.progress.interrupted = True
            trial, confirmed = reduction.best, None
        return Found(
            first=first,
            trial=trial,
            confirmed=confirmed,
            proven=reduction.proven and trial.data == reduction.best.data,
            to_find=to_find,
            to_shrink=reduction.executions,
        )

    def _reduced(self, sandbox: Sandbox, first: Trial) -> Reduction:
        """The reduction of a failing trial, done; it leaves a share of the time beyond the search for confirming."""
        share_s = min(self.beyond_s / 2, HUNT.confirming_runs * self.limit_s + HUNT.confirming_s)
        last_s = self._deadline_s + self.beyond_s - share_s
        reduction = Reduction(
            target=self.target,
            bench=self.bench,
            sandbox=sandbox,
            best=first,
            look=self._look,
            deadline_s=min(time.monotonic() + self.reducing_s, last_s),
            exhaustive_s=self.exhaustive_s,
            tell=self._better,
        )
        reduction.run()
        self.progress.interrupted = self.progress.interrupted or reduction.interrupted
        return reduction

    def _better(self, trial: Trial) -> None:
        self.progress.best = trial
        self.progress.shrinking += 1
        self.tell(self.progress)

    @property
    def limit_s(self) -> float:
        """The time limit of a run."""
        return self.bench.limits.cpu_s

    @property
    def confirming(self) -> Confirming:
        """Plain runs of what is found."""
        return Confirming(target=self.target, host=self.host, bench=self.bench)

    def _answers(self) -> list[bytes]:
        """The answers of the cases, each once: what an interactor may be given."""
        if not self.target.played:
            return [b""]
        found = [case.answer.read() for case in self.target.package.judged_cases() if case.answer is not None]
        recipe = self.target.recipe
        found += [case.texts[".ans"] for case in recipe.cases if ".ans" in case.texts] if recipe else []
        return list(dict.fromkeys(found)) or [b""]


def _more_s(trial: Trial) -> float:
    """How long to look for a smaller input than this one before it is made small."""
    return HUNT.little_smaller_s if len(trial.data) <= HUNT.middling_bytes else HUNT.smaller_s


def _length(trial: Trial) -> int:
    return len(trial.data)
