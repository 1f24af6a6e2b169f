"""Learn the rules of a guessed shape from the input validators: propose a shape, ask about its draws, keep the best.

Samples are too few to show all rules, and show some by chance (a graph that is always connected). So rules are added
and dropped. A guess also allows more than the samples hold: all small letters where samples have four of them, counts
from 1 on. If most drawn inputs are refused, few large inputs are ever tried. Then several readings (shapes that fit the
samples) are compared, each as narrow as the samples, and the best one is widened again. A count whose only valid values
are those of the samples may really be a constant, as in three rows of three numbers: it is stuck, and another reading
may be better.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import zip_longest
from random import Random
from typing import Any

from harness.errors import HarnessError
from harness.host.run_many import OutOfTimeError
from harness.search.learn_limits import Valid
from harness.search.policy import LEARN
from harness.search.sample_rules import as_samples_show
from harness.shapes import Shape, draw, parsed, write
from harness.shapes.limits import (
    FLAGS,
    Span,
    looser,
    seen_values,
    spans,
    tighter,
    with_alphabet,
    with_limits,
)
from harness.values import dataclass


def draws(shape: Shape, count: int) -> Iterator[bytes]:
    """Yield `count` inputs of the shape, of several sizes; fewer if draws fail."""
    for number in range(count):
        try:
            yield write(shape, draw(shape, Random(number), LEARN.rule_sizes[number % len(LEARN.rule_sizes)]))
        except HarnessError:
            continue  # an empty range


def valid_part(valid: Valid, shape: Shape, *, may_be_rare: bool = False) -> float:
    """Return the part of the shape's draws that is valid; 0 if none of the first LEARN.first_draws is.

    may_be_rare: try all draws, even if none of the first is valid. Slow validators are asked about twice the first
    draws only.
    """
    inputs = list(draws(shape, LEARN.proposal_draws))
    first, rest = inputs[: LEARN.first_draws], inputs[LEARN.first_draws :]
    began_s = time.monotonic()
    valid_count = sum(valid(first)) if first else 0
    if not valid_count and not may_be_rare:
        return 0.0
    if time.monotonic() - began_s > LEARN.slow_draws_s:
        rest = rest[: LEARN.first_draws]
    part = (valid_count + sum(valid(rest))) / max(1, len(first) + len(rest))
    return part * len(inputs) / LEARN.proposal_draws  # a draw that fails is as bad as a refusal


def drop_graph_rules(shape: Shape, valid: Valid) -> Shape:
    """Remove the rules of the shape's graphs and arrays that valid inputs break."""
    for flag in FLAGS:
        wider = looser(shape, flag)
        if wider is not None:
            beyond = [data for data in draws(wider, LEARN.graph_draws) if parsed(shape, data) is None]
            if beyond and all(valid(beyond[: LEARN.graph_inputs])):
                shape = wider
    return shape


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


@dataclass(frozen=True, kw_only=True)
class _Narrowed:
    """A reading of the samples, and the shape as narrow as the samples, or wider again.

    share: the part of the shape's draws that is valid. stuck: how many integers have no valid value that no sample has.
    """

    reading: Shape
    shape: Shape
    share: float = 0.0
    stuck: int = 0

    @property
    def merit(self) -> tuple[bool, int, float]:
        """Return a key by which the best reading is the largest."""
        return (self.share >= LEARN.well_read, -self.stuck, self.share)

    @property
    def is_good(self) -> bool:
        """Return whether no other reading is needed."""
        return self.share >= LEARN.well_read and not self.stuck

    def differing(self, limit: str) -> list[int]:
        """Return the indexes of the integers and strings whose limit is not that of the reading."""
        pairs = zip(spans(self.reading), spans(self.shape), strict=True)
        return [own.index for own, narrow in pairs if getattr(own, limit) != getattr(narrow, limit)]

    def widened(self, limit: str, indexes: Sequence[int]) -> "_Narrowed":
        """Return it with the reading's limit of these integers or strings."""
        shape = self.shape
        for span in spans(self.reading):
            if span.index in indexes:
                shape = _with(shape, span.index, limit, getattr(span, limit))
        return replace(self, shape=shape)


_LIMITS = ("high", "low", "alphabet")  # of a Span; widened in this order


def _with(shape: Shape, index: int, limit: str, value: Any) -> Shape:
    return (
        with_alphabet(shape, index, value) if limit == "alphabet" else with_limits(shape, index, **{limit: value})
    )


@dataclass(frozen=True, kw_only=True)
class Narrowing:
    """Compares readings of the samples by asking the validators about drawn inputs.

    valid: may raise OutOfTimeError; then the best shape so far is returned. compare_until_s: by time.monotonic(),
    when to begin to widen the best reading so far.
    """

    valid: Valid
    samples: Sequence[bytes]
    shape: Shape
    compare_until_s: float = math.inf

    def run(self, others: Callable[[], Sequence[Shape]]) -> Shape:
        """Return the narrowed shape. others: returns other readings of the samples, called only if needed."""
        best = _Narrowed(reading=self.shape, shape=self.shape)
        with suppress(OutOfTimeError):
            if not self.samples:
                return self.shape
            best = self._measured(self.shape, self.shape)
            if best.share >= LEARN.enough_valid and best.is_good:
                return self.shape
            for narrow in self._readings(others):
                better = best.stuck and narrow.share and narrow.merit >= best.merit
                if better or narrow.share > LEARN.least_gain * best.share:
                    best = narrow
                if best.is_good or time.monotonic() > self.compare_until_s:
                    break
            for wider in self._widened(best):
                best = wider
        return best.shape

    def _readings(self, others: Callable[[], Sequence[Shape]]) -> Iterator[_Narrowed]:
        """Yield each reading as narrow as the samples; then each with the rules that the samples show."""
        yield self._narrow(self.shape)
        readings = others()
        yield from map(self._narrow, readings)
        for reading in (self.shape, *readings):
            ruled = as_samples_show(reading, self.samples)
            if ruled is not None and ruled.block != reading.block:
                yield self._narrow(ruled)

    def _narrow(self, reading: Shape) -> _Narrowed:
        return self._measured(reading, as_narrow_as(reading, self.samples))

    def _measured(self, reading: Shape, shape: Shape) -> _Narrowed:
        """Measure `share` and `stuck`; without any valid draw all integers count as stuck."""
        share = valid_part(self.valid, shape)
        stuck = self._stuck(shape) if share else len(spans(shape))
        return _Narrowed(reading=reading, shape=shape, share=share, stuck=stuck)

    def _widened(self, narrow: _Narrowed) -> Iterator[_Narrowed]:
        """Give limits back, all of a kind or one by one, while about as many draws are valid; yield each result."""
        for limit in _LIMITS:
            waiting = [narrow.differing(limit)]
            while waiting:
                indexes = waiting.pop(0)
                wider = narrow.widened(limit, indexes)
                share = valid_part(self.valid, wider.shape) if indexes else 0.0
                if indexes and share >= LEARN.as_valid * narrow.share:
                    narrow = replace(wider, share=max(share, narrow.share))
                    yield narrow
                elif len(indexes) > 1:
                    waiting = [[index] for index in indexes]

    def _stuck(self, shape: Shape) -> int:
        """Return how many integers (counts, and those outside of blocks) have no valid value that no sample has."""
        tested = [
            (span, min(seen), max(seen))
            for span, seen in _seen(shape, self.samples)
            if (span.counts or span.outer) and not (span.alphabet or span.words) and span.high is not None and seen
        ]
        for span, _, most in tested:
            shape = with_limits(shape, span.index, high=max(span.high or 0, 2 * most + 1))
        return sum(self._is_stuck(shape, span, least, most) for span, least, most in tested)

    def _is_stuck(self, shape: Shape, span: Span, least: int, most: int) -> bool:
        """Return whether draws with values just below and above the samples', odd and even, are all invalid."""
        below = [value for value in (least - 1, least - 2) if value > 0]
        values = dict.fromkeys([most + 1, most + 2, 2 * most, 2 * most + 1, *below])
        forced = (with_limits(shape, span.index, low=value, high=value) for value in values)
        drawn = [list(draws(other, LEARN.stuck_draws)) for other in forced]
        rounds = [[data for data in inputs if data is not None] for inputs in zip_longest(*drawn)]
        return bool(rounds) and not any(any(self.valid(inputs)) for inputs in rounds)


def as_narrow_as(shape: Shape, samples: Sequence[bytes]) -> Shape:
    """Return the shape with the limits and letters of the samples, which all must fit; else unchanged."""
    for span, seen in _seen(shape, samples):
        if seen and span.low is not None and span.high is not None and not span.is_literal:
            shape = with_limits(shape, span.index, low=min(seen), high=max(seen))
        letters = bytes(letter for letter in span.alphabet if any(letter in data for data in samples))
        if letters:
            shape = with_alphabet(shape, span.index, letters)
    return shape


def _seen(shape: Shape, samples: Sequence[bytes]) -> list[tuple[Span, list[int]]]:
    """Return each integer and string of a shape, and its values in the samples; none if some sample does not fit."""
    values = [value for data in samples if (value := parsed(shape, data)) is not None]
    return list(zip(spans(shape), seen_values(shape, values), strict=True)) if len(values) == len(samples) else []
