"""Learn the shape of inputs from the recipe, its rules and limits from the input validators.

Each step proposes a changed shape, asks the input validators about its inputs, and keeps it if accepted. Samples are
too few to show all rules, and show some by chance (a graph that is always connected). If most drawn inputs are
refused, few large inputs are ever tried; so rules come before limits (learn_limits.py). Without validators only the
samples give information (sample_rules.py).
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice

from harness.generate.recipe import Invocation
from harness.host.batches import Call
from harness.host.pool import Pool
from harness.host.run_many import OutOfTimeError
from harness.sandbox.facts import Sandbox
from harness.search import generator_calls
from harness.search.column_sums import ColumnSums
from harness.search.evaluate import Evaluator
from harness.search.learn_limits import LimitLearner, Valid, raise_numbers
from harness.search.narrowing import Narrowing, draws, valid_part
from harness.search.policy import HUNT
from harness.search.reads_of_programs import (
    best_handled,
    named_limits,
    shapes_of_programs,
    sources_of,
    usual_shape,
    with_other_letters,
)
from harness.search.shape_policy import GUESS, LEARN, PROBING
from harness.search.target import SearchTarget, guessed_shape, other_readings
from harness.search.time_guard import ended_by
from harness.shapes import Shape, parsed
from harness.shapes.limits import FLAGS, looser, spans, tighter
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Learning:
    """Learns the shape of inputs by running the generators, the reference and the input validators of a target."""

    evaluator: Evaluator
    pool: Pool

    def learn_shape(self) -> Shape | None:
        """Return the target's shape; without cases to guess from, the shape of the recipe's inputs."""

        def make(sandbox: Sandbox, calls: Sequence[Invocation]) -> list[bytes | None]:
            try:
                return self.evaluator.generators.make(sandbox, calls, full_time=False)
            except OutOfTimeError:
                return []

        return shape_from_recipe(self.evaluator.target, lambda calls: self.pool.alone(make, calls))

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
                share = 0.0
                if shape is not None:
                    shape, share = best_handled(drafts, handles, draws)
                    if share < PROBING.enough_handled and (lettered := with_other_letters(shape)):
                        other, other_share = best_handled(lettered, handles, draws)
                        if other_share > PROBING.letters_gain * share:
                            shape, share = other, other_share
                usual = usual_shape(handles, draws) if share < PROBING.least_handled else None
                if usual is not None:
                    return usual
                if shape is not None and serves and share < PROBING.enough_handled:
                    shape = add_rules(shape, handles, ())
            return shape

        return self.pool.alone(choose, next(iter(drafts), None))

    def demanded_sums(self, text: bytes) -> ColumnSums:
        """Return the sums in a single sample that the input validators demand."""
        with suppress(OutOfTimeError):
            return ColumnSums.demanded(text, lambda texts: self.pool.alone(self.evaluator.accepted, texts))
        return ColumnSums()

    def learn_rules(self, shape: Shape, seconds: float) -> Shape:
        """Return a guessed shape with the rules that the input validators demand, and no others."""
        samples = [case.input.read() for case in self.evaluator.target.package.sample.all_cases()]
        small = [data for data in samples if len(data) <= GUESS.case_bytes]
        end_s, described = time.monotonic() + seconds, self.evaluator.target.described
        if described is not None and described.has_limits:  # which should not be narrowed
            ruled = shape
            with suppress(OutOfTimeError), self._until(end_s - 3 * seconds / 4):
                ruled = add_rules(drop_graph_rules(shape, self._valid), self._valid, samples)
                if valid_part(self._valid, ruled) >= LEARN.well_read:
                    return ruled
                ruled = shape
            if ruled != shape:  # the time was over, but its rules helped
                return ruled
        with suppress(OutOfTimeError), self._until(end_s - seconds / 2):
            narrowing = Narrowing(
                valid=self._valid,
                samples=small,
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
        target = self.evaluator.target
        by_programs = shapes_of_programs(target.package.input_validators)
        return [*other_readings(target.sample_inputs, target.shape), *by_programs[: GUESS.readings]]

    def learn_limits(self, shape: Shape, seconds: float) -> Shape:
        """Return a guessed shape with limits as wide as the input validators accept."""
        described = self.evaluator.target.described
        if described is not None and described.has_limits and _limits(shape) == _limits(described.shape):
            return shape  # else it was narrowed, or rules limit some integers by others
        deadline_s = time.monotonic() + seconds
        named = named_limits(sources_of(self.evaluator.target.package.input_validators, headers=False))
        widening = LimitLearner(shape=shape, valid=self._valid, deadline_s=deadline_s, named=named)
        with suppress(OutOfTimeError), self._until(deadline_s):
            widening.run()
        return widening.shape

    def raise_numbers(self, bases: Sequence[tuple[str, bytes]], seconds: float) -> list[tuple[str, bytes]]:
        """Return cases (name, input) with numbers as large as the input validators accept, also inside words."""
        with self._until(time.monotonic() + seconds):
            return raise_numbers(bases, self._valid)

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
        inputs = list(map(self.evaluator.target.column_sums.corrected, inputs))
        if len(inputs) == 1 or self.pool.size == 1:
            return self.pool.alone(accepted, inputs)
        parts = [inputs[start :: self.pool.size] for start in range(min(self.pool.size, len(inputs)))]
        try:
            flags = list(self.pool.in_order(accepted, parts))
        except BaseException:
            self.pool.settle()  # wait for the other workers, which end soon, too
            raise
        return [flags[index % len(parts)][index // len(parts)] for index in range(len(inputs))]


Make = Callable[[Sequence[Invocation]], Sequence[bytes | None]]


def shape_from_recipe(target: SearchTarget, make: Make) -> Shape | None:
    """Guess a shape from the recipe's inputs and its generators' outputs; return the target's own if that fails.

    make: returns the inputs of some calls, None for a failed call.
    """
    recipe = target.recipe
    if recipe is None or not target.guessed or target.described:
        return target.shape
    written = [text for case in recipe.cases if (text := case.texts.get(".in")) is not None]
    calls = [
        candidate.invocation
        for candidate in islice(generator_calls.variations(recipe, 0), GUESS.generator_calls)
        if candidate.invocation is not None
    ]
    made = [data for data in make(calls) if data]
    for inputs in ([*written, *made], written, made):
        small = [data for data in inputs if len(data) <= GUESS.case_bytes]
        shape = guessed_shape(target.package, small) if small else None
        if shape is not None:
            return shape
    return target.shape


def add_rules(shape: Shape, valid: Valid, samples: Sequence[bytes]) -> Shape:
    """Add rules to the shape, one by one, that all samples keep and that make more draws valid.

    valid: may raise OutOfTimeError; then the shape with the rules so far is returned.
    """
    fitting = [data for data in samples if parsed(shape, data) is not None]
    with suppress(OutOfTimeError):
        for _ in range(LEARN.most_rules):
            drawn = list(draws(shape, LEARN.rule_draws))
            accepted = valid(drawn)
            share = sum(accepted) / LEARN.rule_draws
            if share >= LEARN.enough_valid:
                break
            keeping = [*fitting, *(data for data, is_valid in zip(drawn, accepted, strict=True) if is_valid)]
            better = _with_best_rule(shape, valid, keeping, drawn, share)
            if better is None:
                break
            shape = better
    return shape


def _with_best_rule(
    shape: Shape, valid: Valid, keeping: Sequence[bytes], drawn: Sequence[bytes], share: float
) -> Shape | None:
    """Return the shape with the rule under which most draws are valid; None if no rule helps.

    keeping: inputs that must keep the rule. drawn: draws of the shape, of which `share` is valid.
    """
    rules: list[tuple[int, Shape]] = []
    for other in tighter(shape):
        if all(parsed(other, data) is not None for data in keeping):
            broken = sum(parsed(other, data) is None for data in drawn)
            if broken >= LEARN.least_broken * len(drawn):
                rules.append((-broken, other))
    rules.sort(key=lambda rule: rule[0])
    best, best_share = None, LEARN.least_gain * share
    for _, other in rules[: LEARN.most_proposals]:
        other_share = valid_part(valid, other, may_be_rare=share * LEARN.first_draws < 1)
        if other_share > best_share:
            best, best_share = other, other_share
    return best


def _limits(shape: Shape) -> list[tuple[int | None, int | None, bytes]]:
    return [(span.low, span.high, span.alphabet) for span in spans(shape)]


def drop_graph_rules(shape: Shape, valid: Valid) -> Shape:
    """Remove the rules of the shape's graphs and arrays that valid inputs break."""
    for flag in FLAGS:
        wider = looser(shape, flag)
        if wider is not None:
            beyond = [data for data in draws(wider, LEARN.graph_draws) if parsed(shape, data) is None]
            if beyond and all(valid(beyond[: LEARN.graph_inputs])):
                shape = wider
    return shape
