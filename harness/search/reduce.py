"""Make a failing input small: first the generator's call, then the input itself, always failing in the same way."""

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from itertools import islice
from random import Random

from harness.host.run_many import OutOfTimeError
from harness.results.verdict import Verdict
from harness.sandbox.facts import Sandbox
from harness.search.candidates import Candidate, LessCertainFind, Source, TriedCandidate
from harness.search.column_sums import ColumnSums
from harness.search.compromise import Compromise
from harness.search.evaluate import Evaluator
from harness.search.generator_calls import candidate_of, smaller_call
from harness.search.likelier_inputs import is_comparable, more_like_samples
from harness.search.likeness import Likeness, likeness_of
from harness.search.likeness_policy import LIKENESS
from harness.search.policy import REDUCE
from harness.search.reduce_texts import shortened
from harness.search.sample_rules import as_samples_show
from harness.search.shape_policy import GUESS
from harness.search.sources import bases_of
from harness.search.target import SearchTarget, guessed_shape
from harness.shapes import (
    Record,
    Shape,
    others,
    parse,
    parsed,
    shrink_ahead,
    simplest_of_its_size,
    size,
    tidy,
    traded,
    write,
)
from harness.values import dataclass

Evaluate = Callable[..., list[TriedCandidate]]  # the signature of Evaluator.evaluate


@dataclass(kw_only=True)
class Reduction:
    """Makes a failing input small. `best` always fails in the same way as the first input.

    deadline_s: by time.monotonic(). tell: called with each new `best`. executions: number of tried candidates.
    proven: all smaller inputs were tried, and none fails. unlike: a failing input that breaks a rule of the samples.
    less_certain: a failing input that is less like the samples: a smaller input, or `best` itself.
    """

    target: SearchTarget
    evaluator: Evaluator
    sandbox: Sandbox
    best: TriedCandidate
    evaluate: Evaluate
    deadline_s: float
    unlike: TriedCandidate | None = None
    exhaustive_s: float = REDUCE.exhaustive_s
    interrupted: bool = False
    tell: Callable[[TriedCandidate], None] = lambda _: None
    executions: int = 0
    proven: bool = False
    less_certain: LessCertainFind | None = None
    _cap_s: float | None = None  # the time limit of candidates; None: the problem's
    _compromise: Compromise | None = None  # decides between small inputs and likely ones
    _is_free: bool = False  # whether any smaller input may become `best`, whatever that decides
    _less_alike: TriedCandidate | None = None  # a smaller input that is less like the samples than `best`
    _trail: list[TriedCandidate] = field(default_factory=list)  # all inputs that were `best`, in order
    _passing: set[tuple[bytes, float | None]] = field(default_factory=set)  # (input, time limit) that did not fail

    def run(self) -> TriedCandidate:
        """Return the smallest failing input by the deadline."""
        began_s, end_s, first = time.monotonic(), self.deadline_s, self.best
        cap_s: float | None = self._first_cap_s()
        try:
            for share in (REDUCE.first_share, 1.0):
                self.deadline_s = began_s + share * (end_s - began_s)
                done = self._reduced(cap_s)
                if cap_s is not None and not self._fails_at_full_limit(self.best):
                    self.best, self.proven, cap_s = self._smallest_at_full_limit(end_s), False, None
                    self.less_certain = None
                elif done:
                    break
        except KeyboardInterrupt:  # the user wants the best input so far
            self.interrupted = True
        self._prefer_sample(first)
        return self.best

    def _first_cap_s(self) -> float:
        """Return a first time limit, in seconds, that is short: an endless loop exceeds any limit at every size."""
        failure = self.best.failure
        is_late = failure is not None and failure.verdict is Verdict.TIME_LIMIT_EXCEEDED
        took_s = 0.0 if failure is None or is_late else failure.cpu_s
        return min(self.evaluator.limits.cpu_s, max(REDUCE.least_cap_s, REDUCE.cap_factor * took_s))

    def _reduced(self, cap_s: float | None) -> bool:
        """Reduce with the time limit `cap_s` (None: the problem's); return False if the time ran out."""
        self._cap_s, self._trail = cap_s, [self.best]
        self._less_alike, self.less_certain = None, None
        try:
            self._reduce()
        except OutOfTimeError:
            return False
        return True

    def _smallest_at_full_limit(self, end_s: float) -> TriedCandidate:
        """Return the smallest input of the trail that fails under the problem's own limit, by bisection."""
        fails, passes = 0, len(self._trail) - 1
        while passes - fails > 1 and time.monotonic() < end_s:
            middle = (fails + passes) // 2
            if self._fails_at_full_limit(self._trail[middle]):
                fails = middle
            else:
                passes = middle
        return self._trail[fails]

    def _reduce(self) -> None:
        self._shrink_call()
        if not self.target.can_shrink:
            return
        if not self.target.can_validate:
            self._shrink_within_the_guess()
            return
        shape = self.target.shape
        fits = shape is not None and self._shrink(shape)
        if not fits or self.target.guessed:
            small = len(self.best.data) <= GUESS.reduced_bytes
            guess = guessed_shape(None, [self.best.data]) if small else None
            if guess is not None:
                self._shrink(guess)
            cases = [data for _, data in bases_of(self.target, spares_secret=True)]
            sums = ColumnSums.of([*cases, self.best.data])
            shortened(self.best.data, self._data_failing, sums.corrected)
        self._exhaust(shape)

    @property
    def _left_s(self) -> float:
        """Return the seconds until the deadline."""
        return max(0.0, self.deadline_s - time.monotonic())

    @contextlib.contextmanager
    def _within(self, seconds: float) -> Iterator[None]:
        """Give a block at most this many seconds; when they are over, it ends without an error."""
        end_s = self.deadline_s
        self.deadline_s = min(end_s, time.monotonic() + seconds)
        try:
            with contextlib.suppress(OutOfTimeError):
                yield
        finally:
            self.deadline_s = end_s

    def _shrink_call(self) -> None:
        """Lower the numbers in the generator's call: the steps are large, but each call may be slow."""
        call = self.best.candidate.invocation
        if call is None or (self.target.shape is not None and len(self.best.data) <= REDUCE.small_bytes):
            return
        with self._within(REDUCE.calls_share * self._left_s):
            smaller_call(call, lambda calls: self._failing([candidate_of(each) for each in calls], 1))

    def _shrink_within_the_guess(self) -> None:
        """Shrink by the first shape that the input fits, since only the guessed shape decides which inputs are valid.

        The result keeps the rules of the samples that the input keeps; `less_certain` may break one and be smaller.
        """
        if self._fitting(self.target.shapes) is None:
            self._data_failing([tidy(self.best.data)])  # spaces at ends of lines, or no last line end
        sample_shape = self._fitting(self.target.sample_shapes)
        if sample_shape is None:
            shape = self._partly_as_samples()
            try:
                if shape is not None:
                    self._shrink_to_samples(shape)
            finally:
                self.less_certain = self._broken_by(self.best)
            return
        is_done = False
        with self._within((1 - REDUCE.outside_share) * self._left_s):
            self._shrink_to_samples(sample_shape)
            is_done = True
        self.less_certain = self._broken_by(self.best) or self._smaller_less_certain()
        if not is_done:
            raise OutOfTimeError

    def _smaller_less_certain(self) -> LessCertainFind | None:
        """Return a failing input that is smaller than `best` and less probably valid; None: there is none."""
        best, mark, tell = self.best, len(self._trail), self.tell
        self._is_free, self.tell = True, lambda _: None
        starts = [each for each in (self._less_alike, self.unlike) if each is not None and self._fails_alike(each)]
        self.best = min([best, *starts], key=lambda trial: len(trial.data))
        try:  # without the rules of the samples
            with contextlib.suppress(OutOfTimeError):
                next(filter(self._shrink, self.target.shapes), None)
        finally:  # also after Ctrl-C
            shrunk, self.best, self.tell, self._is_free = self.best, best, tell, False
            del self._trail[mark:]
        less_certain = self._less_certain_because(shrunk)
        return less_certain if less_certain.rule and len(shrunk.data) < len(best.data) else None

    def _less_certain_because(self, smaller: TriedCandidate) -> LessCertainFind:
        """Return a smaller input with a rule or relation of the samples that it breaks and `best` keeps, if any."""
        rule = self.target.broken_sample_rule(smaller.data)
        if not rule and self._compromise is not None:
            rule = self._compromise.broken_by(smaller.data, self.best.data)
        return LessCertainFind(rule=rule, trial=smaller)

    def _shrink_to_samples(self, shape: Shape) -> None:
        """Shrink to inputs that are small for how much they are like the samples; an input that was given, anyhow."""
        likeness = likeness_of(shape, self.target.sample_inputs)
        if likeness is None or self.best.candidate.source is Source.GIVEN:
            self._shrink(shape)
            self._exhaust(shape)
            return
        self._compromise = Compromise(likeness=likeness)
        is_done = False
        try:
            with self._within((1 - REDUCE.likeness_share) * self._left_s):
                self._shrink(shape)
                self._exhaust(shape)
                is_done = True
            if is_comparable(self.best.data):
                self._take_compromise()
                self._make_likelier(likeness)
            elif not is_done:
                self._shrink(shape)
                self._exhaust(shape)
                is_done = True
        finally:  # also after Ctrl-C
            self._take_compromise()
        if not is_done:
            raise OutOfTimeError

    def _take_compromise(self) -> None:
        """Take the input of the trail that costs least, and note the smallest. Runs no program."""
        smallest, before = min(self._trail, key=lambda trial: len(trial.data)), self.best
        if self._compromise is not None:
            self.best = self._compromise.best_of(self._trail)
        self._less_alike = smallest if len(smallest.data) < len(self.best.data) else None
        if self.best is not before:
            self.tell(self.best)

    def _make_likelier(self, likeness: Likeness) -> None:
        """Take failing inputs that are no larger and more like the samples, until there is none."""
        while is_comparable(self.best.data) and (value := parsed(likeness.shape, self.best.data)) is not None:
            better = iter(more_like_samples(value, likeness, self.target.sample_inputs, self._left_s / 2))
            if not self._any_fails(better, LIKENESS.at_once):
                return

    def _prefer_sample(self, first: TriedCandidate) -> None:
        """Take the failing sample that was made small, since it is surely valid, unless the result is much smaller."""
        if self._compromise is None or not self._compromise.keeps_sample(first, self.best):
            return
        smaller = (
            self.less_certain.trial
            if self.less_certain is not None and self.less_certain.trial is not None
            else self.best
        )
        self.best, self.proven, self.less_certain = first, False, None
        if len(smaller.data) < len(first.data):
            self.less_certain = self._less_certain_because(smaller)

    def _fitting(self, shapes: Sequence[Shape]) -> Shape | None:
        """Return the first shape that the best input fits."""
        return next((shape for shape in shapes if parsed(shape, self.best.data) is not None), None)

    def _partly_as_samples(self) -> Shape | None:
        """Return the first shape that the input fits, with those rules of the samples that the input keeps."""
        shape = self._fitting(self.target.shapes)
        if shape is None or self.target.sample_shape is None:
            return shape
        return as_samples_show(shape, [*self.target.sample_inputs, self.best.data])

    def _broken_by(self, trial: TriedCandidate) -> LessCertainFind | None:
        """Return the input with the rule of the samples that it breaks; None if it breaks none."""
        rule = self.target.broken_sample_rule(trial.data)
        return LessCertainFind(rule=rule) if rule else None

    def _shrink(self, shape: Shape) -> bool:
        """Shrink the input by the shape's reducers; return whether it fits the shape."""
        value = parsed(shape, self.best.data)
        if value is not None:
            shrink_ahead(shape, value, self._values_failing(shape), REDUCE.budget)
        return value is not None

    def _exhaust(self, shape: Shape | None) -> None:
        """Search for smaller inputs beyond the greedy descent. Inputs that passed are not tried again."""
        steps = ((self._try_smaller, 1 / 6), (self._trade, 1 / 6), (self._restart, 1 / 3), (self._try_smaller, 1))
        for step, share in steps:
            value = parsed(shape, self.best.data) if shape is not None else None
            if shape is None or value is None or self.proven:
                break
            with self._within(share * self.exhaustive_s):
                step(shape, value)

    def _try_smaller(self, shape: Shape, value: Record) -> None:
        """Try all smaller values, the smallest first."""
        failing = self._values_failing(shape)
        shrunk = shrink_ahead(shape, value, failing, REDUCE.budget, exhaustive=REDUCE.exhaustive)
        # Smaller inputs may exist that do not fit a guessed shape, or that lose only against another answer.
        varies = self.target.played and len(self.evaluator.tried_inputs.distinct) > 1
        certain = not self.target.guessed and (shrunk.executions == 0 or not varies)
        self.proven = shrunk.is_proven and certain
        if shrunk.is_proven:  # of equally small inputs, such as 4 x 1 and 1 x 4, take the simplest
            simplest_of_its_size(shape, shrunk.value, failing, REDUCE.of_its_size)

    def _trade(self, shape: Shape, value: Record) -> None:
        """Restart from a failing value with a lower count and a higher other count."""
        if self._finds_start(shape, traded(shape, value)):
            self._shrink(shape)

    def _restart(self, shape: Shape, value: Record) -> None:
        """Restart from simpler failing values until there are none."""
        source = Random(size(shape, value))
        while size(shape, value) <= REDUCE.few_parts and self._finds_start(shape, others(shape, value, source)):
            self._shrink(shape)
            value = parse(shape, self.best.data)

    def _finds_start(self, shape: Shape, starts: Iterator[Record]) -> bool:
        """Try starts; return whether one fails, which becomes the best input."""
        return self._any_fails((write(shape, start) for start in starts), REDUCE.starts_at_once)

    def _any_fails(self, inputs: Iterator[bytes], at_once: int) -> bool:
        """Try inputs in batches of `at_once`; return whether one fails, which becomes the best input."""
        batches = (list(islice(inputs, at_once)) for _ in range(REDUCE.restarts))
        return any(True in self._data_failing(batch) for batch in batches)

    def _values_failing(self, shape: Shape) -> Callable[[Sequence[Record]], list[bool]]:
        return lambda values: self._data_failing([write(shape, value) for value in values])

    def _data_failing(self, inputs: Sequence[bytes]) -> list[bool]:
        candidate = self.best.candidate
        if candidate.source is Source.CASE and not self.target.can_validate:
            candidate = replace(candidate, source=Source.MUTATION)  # not as surely valid
        untried = [data for data in inputs if (data, self._cap_s) not in self._passing and self._may_try(data)]
        if not untried:
            if time.monotonic() > self.deadline_s:
                raise OutOfTimeError
            return [False] * len(inputs)
        answer = self.best.failure.answer if self.target.played and self.best.failure is not None else None
        candidates = [replace(candidate, data=data, invocation=None, answer=answer) for data in untried]
        flags = self._failing(candidates, max(1, REDUCE.batch_bytes // (len(untried[0]) + 1)))
        passed = untried[: flags.index(True)] if True in flags else untried
        self._passing.update((data, self._cap_s) for data in passed if len(data) <= REDUCE.remembered_bytes)
        failing = {data for data, fails in zip(untried, flags, strict=True) if fails}
        return [data in failing for data in inputs]

    def _may_try(self, data: bytes) -> bool:
        """Return whether an input would be no worse; this takes time, so the deadline counts."""
        if self._compromise is None or self._is_free:
            return True
        if time.monotonic() > self.deadline_s:
            raise OutOfTimeError
        return self._compromise.is_kept(data, self.best.data)

    def _failing(self, candidates: Sequence[Candidate], width: int) -> list[bool]:
        """Return which candidates fail in the same way; those after the first failing batch are not tried.

        width: most candidates in a batch.
        """
        flags: list[bool] = []
        while len(flags) < len(candidates) and True not in flags:
            if time.monotonic() > self.deadline_s:
                raise OutOfTimeError
            chunk = candidates[len(flags) : len(flags) + min(width, self._at_once())]
            self.executions += len(chunk)
            with self.evaluator.programs.until(self.deadline_s):
                trials = self._try(chunk, cpu_s=self._cap_s)
            flags += map(self._fails_alike, trials)
            first = next(filter(self._fails_alike, trials), None)
            if first is not None:
                self.best = first
                self._trail.append(first)
                self.tell(first)
        return flags + [False] * (len(candidates) - len(flags))

    def _at_once(self) -> int:
        """Return how many inputs to run per batch: runs after the first failing input are wasted."""
        took_s = self.best.failure.cpu_s if self.best.failure is not None else 0.0
        return max(1, int(REDUCE.wasted_s / max(took_s, 1e-4)))

    def _fails_alike(self, trial: TriedCandidate) -> bool:
        first, now = self.best.failure, trial.failure
        is_alike = first is not None and now is not None and now.kind == first.kind
        return is_alike and trial.outcome is self.best.outcome

    def _fails_at_full_limit(self, trial: TriedCandidate) -> bool:
        """Return whether an input fails in the same way with the problem's own time limit; False: no time is left."""
        if trial.failure is not None and trial.failure.verdict is Verdict.WRONG_ANSWER:
            return True  # its output was there within a lower limit
        self.executions += 1
        try:
            return self._fails_alike(self._try([replace(trial.candidate, data=trial.data)])[0])
        except OutOfTimeError:
            return False

    def _try(self, candidates: Sequence[Candidate], *, cpu_s: float | None = None) -> list[TriedCandidate]:
        return self.evaluate(self.sandbox, candidates, cpu_s=cpu_s, again=True)
