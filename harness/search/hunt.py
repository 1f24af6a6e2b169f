"""The search itself: try candidates on all workers until one fails, make it small, confirm it by a plain judged run."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from harness.host.host import Host
from harness.package import Group
from harness.results.model import CaseResult
from harness.sandbox import Sandbox
from harness.search.building import build
from harness.search.check_reference import doubted
from harness.search.confirm import Confirming
from harness.search.draw_ahead import Ahead
from harness.search.evaluate import Bench
from harness.search.game_answers import Answers
from harness.search.model import Candidate, Outcome, Source, Trial
from harness.search.prepare import Preparing
from harness.search.programs import Programs
from harness.search.reduce import Reduction
from harness.search.sources import Mixture, bases_of, mixture
from harness.search.target import Target

_BATCH_S, _RAISING_S = 1.0, 3.0
_CHUNK = 32
_LOOKED_AT = 50  # small cases, before anything is asked
_MOST_IN_BATCH = 512
_SMALL_BYTES, _MIDDLING_BYTES = 60, 1000
_SMALLER_S, _LITTLE_SMALLER_S = 4.0, 1.0
_GLANCE_S = 3.0


@dataclass(kw_only=True)
class Progress:
    """How far a search is; changed in place as it goes on."""

    phase: str = "building"
    started_s: float = field(default_factory=time.monotonic)
    tried: Counter[Source] = field(default_factory=Counter)
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    shrinking: int = 0
    best: Trial | None = None
    complaint: str = ""
    doubt: str = ""  # of the program that is taken for right

    @property
    def elapsed_s(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started_s

    @property
    def executions(self) -> int:
        """Inputs on which the submission was run while searching."""
        return self.outcomes[Outcome.PASSED] + self.outcomes[Outcome.FAILED] + self.outcomes[Outcome.UNANSWERED]

    def count(self, trial: Trial) -> None:
        """One more trial."""
        self.outcomes[trial.outcome] += 1
        if trial.outcome in (Outcome.PASSED, Outcome.FAILED, Outcome.UNANSWERED):
            self.tried[trial.candidate.source] += 1
        if trial.outcome is Outcome.UNANSWERED and not self.complaint:
            self.complaint = trial.message


@dataclass(frozen=True, kw_only=True)
class Found:
    """A failing input, made small. confirmed: what the plain judged run gave, None if it was not confirmed."""

    first: Trial
    trial: Trial
    confirmed: CaseResult | None
    proven: bool
    to_find: int
    to_shrink: int

    @property
    def is_real(self) -> bool:
        """Whether the plain run failed in the same way."""
        failure = self.trial.failure
        return self.confirmed is not None and failure is not None and self.confirmed.verdict is failure.verdict


@dataclass(kw_only=True)
class Hunt:
    """A search for one target, within `time_s` seconds. spares_secret: what it finds comes of no secret case."""

    target: Target
    host: Host
    seed: int
    time_s: float
    given: bytes | None = None
    spares_secret: bool = False
    reducing_s: float = 30.0
    exhaustive_s: float = 6.0
    widening_s: float = 12.0
    tell: Callable[[Progress], None] = lambda _: None
    progress: Progress = field(default_factory=Progress)
    raised: Sequence[tuple[str, bytes]] = ()

    def run(self) -> Found | None:
        """Build, search, reduce, confirm. None: nothing was found in time."""
        built = build(self.target, self.host)
        if not built.validators:  # then nothing tells which changed inputs are valid
            unguarded = replace(self.target.package, input_validators=())
            self.target = replace(self.target, package=unguarded)
        with Programs(host=self.host) as programs:
            self.bench = Bench(
                target=self.target, programs=programs, built=built, answers=Answers(known=self._answers())
            )
            self.progress.doubt = self.host.pool.alone(self._vetted, self.target.package.sample)
            with Ahead() as ahead:
                early = self._prepared(ahead)
                self.progress.phase, self.progress.started_s = "searching", time.monotonic()
                first = self._given() if self.given is not None else self._search(ahead, early)
            return self._made_small(first) if first is not None else None

    def _vetted(self, sandbox: Sandbox, samples: Group) -> str:
        return doubted(self.bench, sandbox, list(samples.all_cases()))

    def _prepared(self, ahead: Ahead) -> Trial | None:
        """Learn what inputs look like and how large they may be; not so much where a small input fails at once."""
        preparing = Preparing(bench=self.bench, pool=self.host.pool)
        shape = preparing.learned()
        self.target = replace(self.target, shape=shape)
        if not self.target.guessed or not self.target.package.input_validators:
            return None
        seconds = min(self.widening_s, self.time_s / 3)
        bases = bases_of(self.target, spares_secret=self.spares_secret)
        if self.given is None and not self.target.played:
            self.progress.phase = "searching"
            known = sorted(bases, key=lambda one: len(one[1]))[:_LOOKED_AT]
            small = [Candidate(source=Source.CASE, words=name, data=data) for name, data in known]
            if (early := self._batch(small, time.monotonic() + self.time_s)) is not None:
                return early
        if shape is not None:
            shape = preparing.ruled(shape, seconds)
            self.target = replace(self.target, shape=shape)
        if self.given is None and (early := self._glanced(ahead)) is not None:
            return early
        self.progress.phase = "asking the input validators for limits"
        self.tell(self.progress)
        if shape is not None:
            shape = preparing.widened(shape, seconds)
            self.target = replace(self.target, shape=shape)
        if self.given is None:
            self.raised = preparing.raised(bases, min(_RAISING_S, self.time_s / 10))
        return None

    def _glanced(self, ahead: Ahead) -> Trial | None:
        """What fails of some small inputs: most wrong programs do, and to ask for limits takes longer."""
        deadline_s = time.monotonic() + min(_GLANCE_S, self.time_s / 10)
        self.progress.started_s = time.monotonic()
        mixed = mixture(self.target, self.seed, spares_secret=self.spares_secret).small()
        return self._found(ahead, mixed, deadline_s, None)

    def _given(self) -> Trial | None:
        """The given input; in games with one answer for the interactor after the other."""
        candidate = Candidate(source=Source.GIVEN, words="the given input", data=self.given)
        for _ in self.bench.answers.known:
            [trial] = self.host.pool.alone(self.bench.look, [candidate])
            if trial.outcome is Outcome.REPEATED or self.progress.elapsed_s > self.time_s:
                break
            self.progress.count(trial)
            if trial.outcome is Outcome.FAILED:
                return trial
        return None

    def _search(self, ahead: Ahead, found: Trial | None) -> Trial | None:
        """What fails. found: something that does, for which a smaller input is looked for."""
        mixed = mixture(self.target, self.seed, raised=self.raised, spares_secret=self.spares_secret)
        deadline_s = self.progress.started_s + self.time_s
        if found is not None:
            deadline_s = time.monotonic() + (0 if self._is_small(found) else _more_s(found))
        return self._found(ahead, mixed, deadline_s, found)

    def _found(self, ahead: Ahead, mixed: Mixture, deadline_s: float, found: Trial | None) -> Trial | None:
        """The first of these inputs that fails, or a smaller one that came soon after it."""
        count = 4 * self.host.pool.size
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
                return found
            if failed is not None and self._is_small(failed):
                return failed
            if failed is not None and found is None:
                deadline_s = min(deadline_s, time.monotonic() + _more_s(failed))
            found = min((one for one in (failed, found) if one is not None), key=_length, default=None)
            took_s = time.monotonic() - began_s
            count = max(4, min(_MOST_IN_BATCH, 2 * count if took_s < _BATCH_S / 2 else count))
            count = max(4, count // 2) if took_s > 2 * _BATCH_S else count
        return found

    def _is_small(self, failed: Trial) -> bool:
        """Whether it ends the search: not where it may not be changed, for then only others are smaller."""
        return len(failed.data) <= _SMALL_BYTES and self.target.may_shrink(failed.candidate.source)

    def _batch(self, batch: list[Candidate], deadline_s: float) -> Trial | None:
        """Try these; the first in their order that fails, whichever worker was faster."""

        def look(sandbox: Sandbox, some: Sequence[Candidate]) -> list[Trial]:
            return self.bench.look(sandbox, some) if time.monotonic() < deadline_s else []

        width = max(1, min(_CHUNK, -(-len(batch) // self.host.pool.size)))
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
        self.progress.phase, self.progress.best = "reducing", first
        to_find = self.progress.executions

        def reduce(sandbox: Sandbox, _: None) -> Reduction:
            reduction = Reduction(
                target=self.target,
                bench=self.bench,
                sandbox=sandbox,
                best=first,
                deadline_s=time.monotonic() + self.reducing_s,
                exhaustive_s=self.exhaustive_s,
                tell=self._better,
            )
            reduction.run()
            return reduction

        reduction = self.host.pool.alone(reduce, None)
        self.progress.phase = "confirming"
        self.tell(self.progress)
        try:
            trial, confirmed = self.confirming.confirmed(reduction.best, first)
        except KeyboardInterrupt:  # what was found is not lost
            trial, confirmed = reduction.best, None
        return Found(
            first=first,
            trial=trial,
            confirmed=confirmed,
            proven=reduction.proven and trial.data == reduction.best.data,
            to_find=to_find,
            to_shrink=reduction.executions,
        )

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
    return _LITTLE_SMALLER_S if len(trial.data) <= _MIDDLING_BYTES else _SMALLER_S


def _length(trial: Trial) -> int:
    return len(trial.data)
