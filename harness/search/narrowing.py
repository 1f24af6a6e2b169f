"""Narrow a guessed shape to what the samples show, where the input validators demand it.

A guess allows more than was seen: all small letters where samples have four of them, counts from 1 on. If most of its
inputs are refused, few are ever tried. So the readings of the samples are compared, each as narrow as the samples; the
best is widened again, limit by limit, as long as the validators go on accepting its inputs. A reading of which a count
cannot rise above the samples takes a chance for a count: 3 rows of 3 numbers.
"""

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
from harness.shapes.limits import spans, with_alphabet, with_limits
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

    share: the part of its draws that is valid. stuck: how many counts cannot rise above the samples.
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
    """Asks the validators about drawn inputs. valid: may raise OutOfTimeError; the best shape by then is returned."""

    valid: Valid
    samples: Sequence[bytes]
    shape: Shape

    def run(self, others: Callable[[], Sequence[Shape]]) -> Shape:
        """Return the narrowed shape. others: gives other readings of the samples, asked for only if need be."""
        best = _Narrowed(reading=self.shape, aspects=(), share=0.0)
        with suppress(OutOfTimeError):
            share = self._valid_part(self.shape)
            if not self.samples:
                return self.shape
            best = replace(best, share=share, stuck=self._stuck(self.shape))
            if share >= LEARN.enough_valid and best.is_good:
                return self.shape
            for narrow in self._narrowed(others):
                if narrow.share > LEARN.least_gain * best.share or (best.stuck and narrow.merit >= best.merit):
                    best = narrow
                if best.is_good:
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
        narrow = _Narrowed(reading=reading, aspects=tuple(aspects_of(reading, self.samples)), share=0.0)
        share = self._valid_part(narrow.shape)
        return replace(narrow, share=share, stuck=self._stuck(narrow.shape) if share else 0)

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
        """Return how many counts of lines, numbers and letters have no valid input above what the samples show."""
        if any(parsed(shape, data) is None for data in self.samples):
            return 0
        counts = [
            (span, most_seen(shape, span, self.samples))
            for span in spans(shape)
            if span.counts and not (span.alphabet or span.words) and span.high is not None
        ]
        for span, most in counts:
            shape = with_limits(shape, span.place, high=max(span.high or 0, 2 * most + 1))
        stuck = 0
        for span, most in counts:
            risen = (with_limits(shape, span.place, low=more, high=more) for more in (most + 1, 2 * most + 1))
            inputs = [data for other in risen for data in draws(other, LEARN.stuck_draws)]
            stuck += bool(inputs) and not any(self.valid(inputs))
        return stuck


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
