"""Narrow a guessed shape to what the samples show, where the input validators demand it.

A guess allows more than was seen: all small letters where samples have four of them, counts from 1 on. If most of its
inputs are refused, few are ever tried. So the readings of the samples are compared, each as narrow as the samples; the
best is widened again, limit by limit, as long as the validators go on accepting its inputs. If a count has no valid
value but those of the samples, the reading may take a constant for it, as in three rows of three numbers.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from random import Random

from harness.errors import HarnessError
from harness.host.run_many import OutOfTimeError
from harness.search.learn_limits import Valid
from harness.search.policy import LEARN
from harness.search.sample_rules import as_samples_show, least_seen, most_seen, parsed
from harness.shapes import Shape, draw, write
from harness.shapes.limits import Span, spans, with_alphabet, with_limits
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Aspect:
    """What samples show of one integer or string, by its index in the shape: its letters, or a limit."""

    place: int
    letters: bytes = b""
    low: int | None = None
    high: int | None = None

    @property
    def kind(self) -> str:
        """Return whether it is about letters, the lower or the upper limit."""
        return "letters" if self.letters else "high" if self.low is None else "low"

    def put_into(self, shape: Shape) -> Shape:
        """Return the shape with it."""
        if self.letters:
            return with_alphabet(shape, self.place, self.letters)
        return with_limits(shape, self.place, low=self.low, high=self.high)


@dataclass(frozen=True, kw_only=True)
class _Narrowed:
    """A reading of the samples with what they show of some limits.

    share: the part of its draws that is valid. stuck: how many integers have no valid value but those of the samples.
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
    """Asks the validators about drawn inputs. valid: may raise OutOfTimeError; the best shape by then is returned.

    compare_until_s: by time.monotonic(), when to begin to widen the best reading so far.
    """

    valid: Valid
    samples: Sequence[bytes]
    shape: Shape
    compare_until_s: float = math.inf

    def run(self, others: Callable[[], Sequence[Shape]]) -> Shape:
        """Return the narrowed shape. others: gives other readings of the samples, asked for only if need be."""
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
            for wider in self._ever_wider(best):
                best = wider
        return best.shape

    def _narrowed(self, others: Callable[[], Sequence[Shape]]) -> Iterator[_Narrowed]:
        """Yield the readings as narrow as the samples; then with the rules that samples show."""
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
        """Return it with its share and its stuck counts: without a valid input all are."""
        share = self._valid_part(narrow.shape)
        return replace(narrow, share=share, stuck=self._stuck(narrow.shape) if share else len(spans(narrow.shape)))

    def _ever_wider(self, narrow: _Narrowed) -> Iterator[_Narrowed]:
        """Yield a narrow reading each time wider, while about as many inputs are valid."""
        waiting = [list(group) for _, group in groupby(narrow.aspects, key=lambda each: each.kind)]
        while waiting:
            left_out = waiting.pop(0)
            wider = replace(narrow, aspects=tuple(each for each in narrow.aspects if each not in left_out))
            share = self._valid_part(wider.shape)
            if share >= LEARN.as_valid * narrow.share:
                narrow = replace(wider, share=max(share, narrow.share))
                yield narrow
            elif len(left_out) > 1:
                waiting = [[each] for each in left_out] + waiting

    def _valid_part(self, shape: Shape) -> float:
        """Return the part of the shape's draws that is valid; 0 if none of the first is."""
        inputs = list(draws(shape, LEARN.proposal_draws))
        first, rest = inputs[: LEARN.first_draws], inputs[LEARN.first_draws :]
        valid = sum(self.valid(first)) if first else 0
        return (valid + sum(self.valid(rest))) / LEARN.proposal_draws if valid else 0.0

    def _stuck(self, shape: Shape) -> int:
        """Return how many counts, and integers outside of blocks, have no valid value but those of the samples."""
        if any(parsed(shape, data) is None for data in self.samples):
            return 0
        tested = [
            (span, least_seen(shape, span, self.samples), most_seen(shape, span, self.samples))
            for span in spans(shape)
            if (span.counts or span.outer) and not (span.alphabet or span.words) and span.high is not None
        ]
        for span, _, most in tested:
            shape = with_limits(shape, span.place, high=max(span.high or 0, 2 * most + 1))
        return sum(self._is_stuck(shape, *each) for each in tested)

    def _is_stuck(self, shape: Shape, span: Span, least: int, most: int) -> bool:
        """Return whether no draw is valid with a value below or above those of the samples, odd or even."""
        below = [value for value in (least - 1, least - 2) if value > 0]
        others = [most + 1, most + 2, 2 * most, 2 * most + 1, *below]
        forced = (with_limits(shape, span.place, low=value, high=value) for value in dict.fromkeys(others))
        inputs = [data for other in forced for data in draws(other, LEARN.stuck_draws)]
        return bool(inputs) and not any(self.valid(inputs))


def aspects_of(shape: Shape, samples: Sequence[bytes]) -> Iterator[Aspect]:
    """Yield what the samples show beyond the shape, if they fit it: highest numbers first, letters last."""
    if any(parsed(shape, data) is None for data in samples):
        return
    known = spans(shape)
    plain = [span for span in known if span.low is not None and span.high is not None and not span.is_literal]
    for span in plain:
        high = most_seen(shape, span, samples)
        if high < (span.high or 0):
            yield Aspect(place=span.place, high=high)
    for span in plain:
        low = least_seen(shape, span, samples)
        if low > (span.low or 0):
            yield Aspect(place=span.place, low=low)
    for span in known:
        letters = bytes(letter for letter in span.alphabet if any(letter in data for data in samples))
        if 0 < len(letters) < len(span.alphabet):
            yield Aspect(place=span.place, letters=letters)


def draws(shape: Shape, count: int) -> Iterator[bytes]:
    """Yield `count` inputs of the shape, of several sizes; fewer if draws fail."""
    for number in range(count):
        try:
            yield write(shape, draw(shape, Random(number), LEARN.rule_sizes[number % len(LEARN.rule_sizes)]))
        except HarnessError:
            continue  # an empty range: as bad as a refusal
