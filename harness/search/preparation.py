"""Learn what inputs look like before a search, and try small inputs meanwhile: most wrong programs fail on them.

The shape comes from the recipe, its rules and limits from the input validators. If most drawn inputs are refused, few
large inputs are ever tried; so rules (learn_rules.py) come before limits (learn_limits.py). Without validators only
the samples give information (sample_rules.py).
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import islice
from typing import Any

from harness.generate.recipe import Invocation
from harness.host.batches import Call
from harness.host.pool import Pool
from harness.host.run_many import OutOfTimeError
from harness.sandbox.facts import Sandbox
from harness.search import generator_calls
from harness.search.candidates import ASKING, Candidate, Source, TriedCandidate
from harness.search.column_sums import ColumnSums
from harness.search.evaluate import Evaluator
from harness.search.learn_limits import LimitLearner, raise_numbers
from harness.search.learn_rules import Narrowing, add_rules, drop_graph_rules, valid_part
from harness.search.numbers_in_sources import named_limits
from harness.search.policy import GUESS, HUNT, LEARN, PROBING
from harness.search.reads_of_programs import (
    best_handled,
    shapes_of_programs,
    sources_of,
    usual_shape,
    with_other_letters,
)
from harness.search.sample_rules import as_samples_show
from harness.search.search_loop import SearchLoop
from harness.search.sources import bases_of, mixture
from harness.search.target import SearchTarget, guessed_shape, other_readings
from harness.search.time_guard import ended_by
from harness.shapes import Shape
from harness.shapes.limits import spans
from harness.values import dataclass

Make = Callable[[Sequence[Invocation]], Sequence[bytes | None]]


@dataclass(kw_only=True)
class Preparation:
    """What is done before a search. What is learnt is kept in the evaluator's target, step by step.

    time_s: of the whole search. enter: tells the phase. raises_numbers: whether to learn `raised_cases`. loop: tries
    inputs meanwhile; None: no input is tried. spares_secret: do not derive inputs from secret cases.
    """

    evaluator: Evaluator
    pool: Pool
    time_s: float = math.inf
    enter: Callable[[str], None] = lambda _: None
    raises_numbers: bool = True
    loop: SearchLoop | None = None
    seed: int = 0
    spares_secret: bool = False

    @property
    def target(self) -> SearchTarget:
        """Return what is known so far."""
        return self.evaluator.target

    def _learn(self, **known: Any) -> None:
        self.evaluator.target = replace(self.evaluator.target, **known)

    def run(self, search_end_s: float = math.inf) -> TriedCandidate | None:
        """Learn the shape and limits of inputs; return an input that fails meanwhile, which ends the preparation."""
        self._learn_shape()
        if not self.target.guessed:
            return None
        bases = bases_of(self.target, spares_secret=self.spares_secret)
        if (early := self._try_cases(bases, search_end_s)) is not None:
            return early
        if not self.target.package.input_validators:
            return None
        self.learn_sums()
        seconds = min(HUNT.learn_limits_s, self.time_s / 5)
        if self.target.shape is not None:
            self._learn(shape=self.learn_rules(self.target.shape, seconds))
        if (early := self._try_small()) is not None:
            return early
        self.enter(ASKING)
        if self.target.shape is not None:
            self._learn(shape=self.learn_limits(self.target.shape, seconds))
        if self.raises_numbers:
            with self._until(time.monotonic() + min(HUNT.raise_numbers_s, self.time_s / 10)):
                self._learn(raised_cases=raise_numbers(bases, self._valid))
        return None

    def _try_cases(self, bases: Sequence[tuple[str, bytes]], search_end_s: float) -> TriedCandidate | None:
        """Try the smallest cases; return one that fails, or None.

        Where there are no cases, they are draws of a shape, which only validators can tell to be valid.
        """
        are_unsure = bool(self.target.drafts) and not self.target.package.input_validators
        if self.loop is None or self.target.played or are_unsure:
            return None
        smallest = sorted(bases, key=lambda case: len(case[1]))[: HUNT.first_cases]
        cases = [Candidate(source=Source.CASE, description=name, data=data) for name, data in smallest]
        return self.loop.failing_in(cases, search_end_s)

    def _try_small(self) -> TriedCandidate | None:
        """Try small inputs for a short time, as learning limits takes longer; return one that fails, or None."""
        if self.loop is None:
            return None
        deadline_s = time.monotonic() + min(HUNT.try_small_s, self.time_s / 10)
        mixed = mixture(self.target, self.seed, spares_secret=self.spares_secret).small()
        return self.loop.first_failing(mixed, deadline_s)

    def _learn_shape(self) -> None:
        """Guess from the recipe; without cases, choose a draft; without validators, note the rules of the samples."""

        def make(sandbox: Sandbox, calls: Sequence[Invocation]) -> list[bytes | None]:
            try:
                return self.evaluator.generators.make(sandbox, calls, full_time=False)
            except OutOfTimeError:
                return []

        shape = shape_from_recipe(self.target, lambda calls: self.pool.alone(make, calls))
        if (self.target.drafts or self.target.has_unknown_format) and self.evaluator.built.reference is not None:
            shape = self.learn_from_reference(self.target.drafts, min(PROBING.all_s, self.time_s / 4))
        self._learn(shape=shape)
        if shape is not None and not self.target.can_validate:
            self._learn(sample_shape=as_samples_show(shape, self.target.sample_inputs))

    def learn_from_reference(self, drafts: Sequence[Shape], seconds: float) -> Shape | None:
        """Return the draft on whose inputs the reference exits with 0 most often, with rules that raise that share.

        If the share is tiny, return the first usual shape that the reference reads to the end, if there is one.
        """

        def choose(sandbox: Sandbox, shape: Shape | None) -> Shape | None:
            def handles(inputs: Sequence[bytes]) -> list[bool]:
                calls = [Call(stdin=data) for data in inputs]
                runs = self.evaluator.reference.runs(sandbox, calls, PROBING.run_s)
                return [ran.succeeded for ran in runs]

            with self.evaluator.programs.until(time.monotonic() + seconds), suppress(OutOfTimeError):
                program = self.evaluator.reference.program
                serves = program is not None and program.serves
                draws = PROBING.draws if serves else PROBING.unserved_draws
                shape, share = best_handled(drafts, handles, draws)
                if shape is not None and share < PROBING.enough_handled:
                    other, other_share = best_handled(with_other_letters(shape), handles, draws)
                    if other_share > PROBING.letters_gain * share:
                        shape, share = other, other_share
                usual = usual_shape(handles, draws) if share < PROBING.least_handled else None
                if usual is not None:
                    return usual
                if shape is not None and serves and share < PROBING.enough_handled:
                    shape = add_rules(shape, handles, ())
            return shape

        return self.pool.alone(choose, next(iter(drafts), None))

    def learn_sums(self) -> None:
        """Ask the validators about the sums in a single sample, which may be chance."""
        samples = set(self.target.sample_inputs)
        if len(samples) == 1:
            sums = ColumnSums()
            with suppress(OutOfTimeError):
                ask = self.evaluator.accepted
                sums = ColumnSums.demanded(samples.pop(), lambda texts: self.pool.alone(ask, texts))
            self._learn(demanded_sums=sums)

    def learn_rules(self, shape: Shape, seconds: float) -> Shape:
        """Return a guessed shape with the rules that the input validators demand, and no others."""
        samples = [case.input.read() for case in self.target.package.sample.all_cases()]
        end_s, described = time.monotonic() + seconds, self.target.described
        if described is not None and described.has_limits:  # which should not be narrowed
            ruled, is_well_read = shape, False
            with suppress(OutOfTimeError), self._until(end_s - 3 * seconds / 4):
                ruled = add_rules(drop_graph_rules(shape, self._valid), self._valid, samples)
                is_well_read = ruled != shape  # also if the time is over now
                is_well_read = valid_part(self._valid, ruled) >= LEARN.well_read
            if is_well_read:
                return ruled
        with suppress(OutOfTimeError), self._until(end_s - seconds / 2):
            narrowing = Narrowing(
                valid=self._valid,
                samples=[data for data in samples if len(data) <= GUESS.case_bytes],
                shape=shape,
                compare_until_s=end_s - LEARN.widening_part * seconds,
            )
            shape = narrowing.run(self._other_readings)
        with suppress(OutOfTimeError), self._until(end_s):
            shape = drop_graph_rules(shape, self._valid)
            shape = add_rules(shape, self._valid, samples)
        return shape

    def _other_readings(self) -> Sequence[Shape]:
        """Return other shapes that fit the samples, and shapes read from the sources of the input validators."""
        by_programs = shapes_of_programs(self.target.package.input_validators)
        return [*other_readings(self.target.sample_inputs, self.target.shape), *by_programs[: GUESS.readings]]

    def learn_limits(self, shape: Shape, seconds: float) -> Shape:
        """Return a guessed shape with limits as wide as the input validators accept."""
        described = self.target.described
        if described is not None and described.has_limits and _limits(shape) == _limits(described.shape):
            return shape  # else it was narrowed, or rules limit some integers by others
        deadline_s = time.monotonic() + seconds
        named = named_limits(sources_of(self.target.package.input_validators, headers=False))
        learner = LimitLearner(shape=shape, valid=self._valid, deadline_s=deadline_s, named=named)
        with suppress(OutOfTimeError), self._until(deadline_s):
            learner.run()
        return learner.shape

    @contextmanager
    def _until(self, deadline_s: float) -> Iterator[None]:
        """End runs of programs at the deadline, and soon after it our own drawing of large inputs."""
        with self.evaluator.programs.until(deadline_s), ended_by(deadline_s + HUNT.late_s):
            yield

    def _valid(self, inputs: Sequence[bytes]) -> list[bool]:
        """Return which inputs the validators accept if their sums are corrected, using all workers.

        Raises OutOfTimeError at the deadline.
        """
        accepted = self.evaluator.accepted
        inputs = list(map(self.target.column_sums.corrected, inputs))
        if len(inputs) == 1 or self.pool.size == 1:
            return self.pool.alone(accepted, inputs)
        parts = [inputs[start :: self.pool.size] for start in range(min(self.pool.size, len(inputs)))]
        try:
            flags = list(self.pool.in_order(accepted, parts))
        except BaseException:
            self.pool.settle()  # wait for the other workers, which end soon, too
            raise
        return [flags[index % len(parts)][index // len(parts)] for index in range(len(inputs))]


def shape_from_recipe(target: SearchTarget, make: Make) -> Shape | None:
    """Guess a shape from the recipe's inputs and its generators' outputs; return the target's own if that fails.

    make: returns the inputs of some calls, None for a failed call.
    """
    recipe = target.recipe
    if recipe is None or not target.guessed or target.described:
        return target.shape
    written = [text for case in recipe.cases if (text := case.texts.get(".in")) is not None]
    variations = islice(generator_calls.variations(recipe, 0), GUESS.generator_calls)
    made = [data for data in make([each.invocation for each in variations if each.invocation is not None]) if data]
    for inputs in ([*written, *made], written, made):
        small = [data for data in inputs if len(data) <= GUESS.case_bytes]
        shape = guessed_shape(target.package, small) if small else None
        if shape is not None:
            return shape
    return target.shape


def _limits(shape: Shape) -> list[tuple[int | None, int | None, bytes]]:
    return [(span.low, span.high, span.alphabet) for span in spans(shape)]
