"""Narrow a guessed shape to the values of the samples, where the input validators demand it.

A guess allows more than the samples hold: all small letters where samples have four of them, counts from 1 on. If the
validators refuse most of its inputs, few are ever tried. So several readings (shapes that fit the samples) are
compared, each as narrow as the samples. The best one is widened again, limit by limit, as long as the validators
accept its inputs. A count whose only valid values are those of the samples may really be a constant, as in three rows
of three numbers: it is stuck, and another reading may be better.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby, zip_longest
from random import Random

from harness.errors import HarnessError
from harness.host.run_many import OutOfTimeError
from harness.search.learn_limits import Valid
from harness.search.sample_rules import as_samples_show
from harness.search.shape_policy import LEARN
from harness.shapes import Shape, draw, parsed, write
from harness.shapes.limits import Span, seen_values, spans, with_alphabet, with_limits
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Aspect:
    """A restriction that the samples suggest for an integer or string: its letters, or a limit.

    index: of the integer or string, as in Span.
    """

    index: int
    letters: bytes = b""
    low: int | None = None
    high: int | None = None

    @property
    def kind(self) -> str:
        """Return "letters", "low" or "high"."""
        return "letters" if self.letters else "high" if self.low is None else "low"

    def put_into(self, shape: Shape) -> Shape:
        """Return the shape with this restriction."""
        if self.letters:
            return with_alphabet(shape, self.index, self.letters)
        return with_limits(shape, self.index, low=self.low, high=self.high)


@dataclass(frozen=True, kw_only=True)
class _Narrowed:
    """A reading of the samples, restricted by some aspects.

    share: the part of its draws that is valid. stuck: how many integers have no valid value that no sample has.
    """

    reading: Shape
    aspects: tuple[Aspect, ...]
    share: float
    stuck: int = 0

    @property
    def shape(self) -> Shape:
        shape = self.reading
        for aspect in self.aspects:
            shape = aspect.put_into(shape)
        return shape

    @property
    def merit(self) -> tuple[bool, int, float]:
        """Return a key by which the best reading is the largest."""
        return (self.share >= LEARN.well_read, -self.stuck, self.share)

    @property
    def is_good(self) -> bool:
        """Return whether no other reading is needed."""
        return self.share >= LEARN.well_read and not self.stuck


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
        best = _Narrowed(reading=self.shape, aspects=(), share=0.0)
        with suppress(OutOfTimeError):
            if not self.samples:
                return self.shape
            best = self._measured(best)
            if best.share >= LEARN.enough_valid and best.is_good:
                return self.shape
            for narrow in self._narrowed(others):
                better = best.stuck and narrow.share and narrow.merit >= best.merit
                if better or narrow.share > LEARN.least_gain * best.share:
                    best = narrow
                if best.is_good or time.monotonic() > self.compare_until_s:
                    break
            for wider in self._widened(best):
                best = wider
        return best.shape

    def _narrowed(self, others: Callable[[], Sequence[Shape]]) -> Iterator[_Narrowed]:
        """Yield each reading as narrow as the samples; then each with the rules that the samples show."""
        readings = [self.shape]
        yield self._narrow(self.shape)
        readings += others()
        yield from map(self._narrow, readings[1:])
        for reading in readings:
            ruled = as_samples_show(reading, self.samples)
            if ruled is not None and ruled.block != reading.block:
                yield self._narrow(ruled)

    def _narrow(self, reading: Shape) -> _Narrowed:
        """Return a reading as narrow as the samples."""
        aspects = tuple(aspects_of(reading, self.samples))
        return self._measured(_Narrowed(reading=reading, aspects=aspects, share=0.0))

    def _measured(self, narrow: _Narrowed) -> _Narrowed:
        """Fill in `share` and `stuck`; without any valid draw all integers count as stuck."""
        share = valid_part(self.valid, narrow.shape)
        return replace(narrow, share=share, stuck=self._stuck(narrow.shape) if share else len(spans(narrow.shape)))

    def _widened(self, narrow: _Narrowed) -> Iterator[_Narrowed]:
        """Drop restrictions, a whole kind or one by one, while about as many draws are valid; yield each result."""
        waiting = [list(group) for _, group in groupby(narrow.aspects, key=lambda aspect: aspect.kind)]
        while waiting:
            left_out = waiting.pop(0)
            wider = replace(narrow, aspects=tuple(aspect for aspect in narrow.aspects if aspect not in left_out))
            share = valid_part(self.valid, wider.shape)
            if share >= LEARN.as_valid * narrow.share:
                narrow = replace(wider, share=max(share, narrow.share))
                yield narrow
            elif len(left_out) > 1:
                waiting = [[aspect] for aspect in left_out] + waiting

    def _stuck(self, shape: Shape) -> int:
        """Return how many integers (counts, and those outside of blocks) have no valid value that no sample has."""
        values = [value for data in self.samples if (value := parsed(shape, data)) is not None]
        if len(values) < len(self.samples):
            return 0
        tested = [
            (span, min(seen), max(seen))
            for span, seen in zip(spans(shape), seen_values(shape, values), strict=True)
            if (span.counts or span.outer) and not (span.alphabet or span.words) and span.high is not None and seen
        ]
        for span, _, most in tested:
            shape = with_limits(shape, span.index, high=max(span.high or 0, 2 * most + 1))
        return sum(self._is_stuck(shape, span, least, most) for span, least, most in tested)

    def _is_stuck(self, shape: Shape, span: Span, least: int, most: int) -> bool:
        """Return whether draws with values just below and above the samples', odd and even, are all invalid."""
        below = [value for value in (least - 1, least - 2) if value > 0]
        others = [most + 1, most + 2, 2 * most, 2 * most + 1, *below]
        forced = (with_limits(shape, span.index, low=value, high=value) for value in dict.fromkeys(others))
        drawn = [list(draws(other, LEARN.stuck_draws)) for other in forced]
        rounds = [[data for data in inputs if data is not None] for inputs in zip_longest(*drawn)]
        return bool(rounds) and not any(any(self.valid(inputs)) for inputs in rounds)


def aspects_of(shape: Shape, samples: Sequence[bytes]) -> Iterator[Aspect]:
    """Yield restrictions that the samples suggest: upper limits, lower limits, letters. All samples must fit."""
    values = [value for data in samples if (value := parsed(shape, data)) is not None]
    if len(values) < len(samples):
        return
    leaves = spans(shape)
    plain = [
        (span, seen)
        for span, seen in zip(leaves, seen_values(shape, values), strict=True)
        if seen and span.low is not None and span.high is not None and not span.is_literal
    ]
    for span, seen in plain:
        if max(seen) < (span.high or 0):
            yield Aspect(index=span.index, high=max(seen))
    for span, seen in plain:
        if min(seen) > (span.low or 0):
            yield Aspect(index=span.index, low=min(seen))
    for span in leaves:
        letters = bytes(letter for letter in span.alphabet if any(letter in data for data in samples))
        if 0 < len(letters) < len(span.alphabet):
            yield Aspect(index=span.index, letters=letters)


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


def draws(shape: Shape, count: int) -> Iterator[bytes]:
    """Yield `count` inputs of the shape, of several sizes; fewer if draws fail."""
    for number in range(count):
        try:
            yield write(shape, draw(shape, Random(number), LEARN.rule_sizes[number % len(LEARN.rule_sizes)]))
        except HarnessError:
            continue  # an empty range
