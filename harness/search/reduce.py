"""Make a failing input small: first the generator's call, then the input itself, always failing in the same way."""

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from itertools import islice
from random import Random

from harness.host.run_many import OutOfTimeError
from harness.search.best_input import BestInput
from harness.search.candidates import LessCertainFind, Source, TriedCandidate
from harness.search.column_sums import ColumnSums
from harness.search.generator_calls import candidate_of, smaller_call
from harness.search.likelier_inputs import Preference, is_comparable, more_like_samples
from harness.search.likeness import Likeness, likeness_of
from harness.search.likeness_policy import LIKENESS
from harness.search.policy import GUESS, REDUCE
from harness.search.reduce_texts import shortened
from harness.search.sample_rules import as_samples_show
from harness.search.sources import bases_of
from harness.search.target import SearchTarget, guessed_shape, other_readings
from harness.search.wider_shapes import from_zero
from harness.shapes import Record, Shape, parse, parsed, size, tidy, write
from harness.shapes.shrinking import others, shrink_ahead, simplest_of_its_size, traded
from harness.values import dataclass


@dataclass(kw_only=True)
class Reduction(BestInput):
    """Makes a failing input small.

    proven: all smaller inputs were tried, and none fails. is_cut: the time was over before the end. unlike: a
    failing input that breaks a rule of the samples. less_certain: `best`, or a smaller one, less like the samples.
    """

    unlike: TriedCandidate | None = None
    exhaustive_s: float = REDUCE.exhaustive_s
    interrupted: bool = False
    proven: bool = False
    is_cut: bool = False
    less_certain: LessCertainFind | None = None
    _preference: Preference | None = None  # decides between small inputs and likely ones
    _is_free: bool = False  # whether any smaller input may become `best`, whatever that decides
    _less_alike: TriedCandidate | None = None  # a smaller input that is less like the samples than `best`
    _passing: set[tuple[bytes, float | None]] = field(default_factory=set)  # (input, time limit) that did not fail

    @property
    def target(self) -> SearchTarget:
        """Return what is known about valid inputs."""
        return self.evaluator.target

    def run(self) -> TriedCandidate:
        """Return the smallest failing input by the deadline."""
        began_s, end_s, first = time.monotonic(), self.deadline_s, self.best
        cap_s: float | None = self._first_cap_s()
        try:
            for share in (REDUCE.first_share, 1.0):
                self.deadline_s = began_s + share * (end_s - began_s)
                self.is_cut = not self._reduced(cap_s)
                if cap_s is not None and not self._fails_at_full_limit(self.best):
                    self.best, self.proven, cap_s = self._smallest_at_full_limit(end_s), False, None
                    self.less_certain, self.is_cut = None, True
                elif not self.is_cut:
                    break
        except KeyboardInterrupt:  # the user wants the best input so far
            self.interrupted = True
        self._prefer_sample(first)
        return self.best

    def _reduced(self, cap_s: float | None) -> bool:
        """Reduce with the time limit `cap_s` (None: the problem's); return False if the time ran out."""
        self._cap_s, self._trail = cap_s, [self.best]
        self._less_alike, self.less_certain = None, None
        try:
            self._reduce()
        except OutOfTimeError:
            return False
        return True

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
            shape = self._shrink_by_guesses()
            cases = [data for _, data in bases_of(self.target, spares_secret=True)]
            sums = ColumnSums.of([*cases, self.best.data])
            shortened(self.best.data, self._data_failing, sums.corrected)
        self._exhaust(shape)

    def _shrink_by_guesses(self) -> Shape | None:
        """Shrink by other readings of the samples than the target's shape, and by a guess from the failing input alone.

        Return the reading that made it smaller, else the target's shape: the reading may be the right one, as three
        rows of n numbers where n rows were guessed.
        """
        shape, readings = self.target.shape, other_readings(self.target.sample_inputs, self.target.shape)
        with self._within(REDUCE.readings_share * self._left_s):
            for reading in readings:
                before = self.best
                self._shrink(reading)
                shape = shape if self.best is before else reading
        small = len(self.best.data) <= GUESS.reduced_bytes
        alone = guessed_shape(None, [self.best.data]) if small else None
        if alone is not None:
            self._shrink(alone)
        for reading in map(from_zero, readings[:1]):  # validators may allow what no sample shows
            value = parsed(reading, self.best.data)
            if value is not None:
                with self._within(REDUCE.guess_share * self.exhaustive_s):
                    self._try_smaller(reading, value)
        return shape

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
        with self._within((1 - REDUCE.less_certain_share) * self._left_s):
            self._shrink_to_samples(sample_shape)
            is_done = True
        self.less_certain = self._broken_by(self.best) or self._smaller_less_certain()
        self._take_far_smaller()
        if not is_done:
            raise OutOfTimeError

    def _take_far_smaller(self) -> None:
        """Take the less certain input if the result is too large to be read, and that one a small part of it."""
        find = self.less_certain
        if find is None or find.trial is None or len(self.best.data) < REDUCE.unread_bytes:
            return
        if REDUCE.far_smaller * len(find.trial.data) <= len(self.best.data):
            self.best, self.less_certain = find.trial, replace(find, trial=None)
            self.tell(self.best)

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
        if not rule and self._preference is not None:
            rule = self._preference.broken_by(smaller.data, self.best.data)
        return LessCertainFind(rule=rule, trial=smaller)

    def _shrink_to_samples(self, shape: Shape) -> None:
        """Shrink to inputs that are small for how much they are like the samples; an input that was given, anyhow."""
        likeness = likeness_of(shape, self.target.sample_inputs)
        if likeness is None or self.best.candidate.source is Source.GIVEN:
            self._shrink(shape)
            self._exhaust(shape)
            return
        self._preference = Preference(likeness=likeness)
        is_done = False
        try:
            with self._within((1 - REDUCE.likeness_share) * self._left_s):
                self._shrink(shape)
                self._exhaust(shape)
                is_done = True
            if is_comparable(self.best.data):
                self._take_preferred()
                self._make_likelier(likeness)
            elif not is_done:
                self._shrink(shape)
                self._exhaust(shape)
                is_done = True
        finally:  # also after Ctrl-C
            self._take_preferred()
        if not is_done:
            raise OutOfTimeError

    def _take_preferred(self) -> None:
        """Take the input of the trail that costs least, and note the smallest. Runs no program."""
        smallest, before = min(self._trail, key=lambda trial: len(trial.data)), self.best
        if self._preference is not None:
            self.best = self._preference.best_of(self._trail)
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
        if self._preference is None or not self._preference.keeps_sample(first, self.best):
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
        is_written = shape is self.target.shape and not self.target.guessed
        certain = is_written and (shrunk.executions == 0 or not varies)
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
            candidate = replace(candidate, source=Source.CHANGED_CASE)  # not as surely valid
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
        if self._preference is None or self._is_free:
            return True
        if time.monotonic() > self.deadline_s:
            raise OutOfTimeError
        return self._preference.is_kept(data, self.best.data)
