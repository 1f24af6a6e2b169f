"""Narrow a guessed shape to what the samples show, where the input validators demand it.

A guess allows more than was seen: all small letters where samples have four of them, counts from 1 on. If most of its
inputs are refused, few are ever tried. So the readings of the samples are compared, each as narrow as the samples; the
best is widened again, limit by limit, as long as the validators go on accepting its inputs.
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
from harness.search.sample_rules import least_seen, most_seen, parsed
from harness.shapes import Shape, draw, write
from harness.shapes.limits import spans, with_alphabet, with_limits
from harness.values import dataclass

_GOOD = (True, 0, 0.0)  # the merit of a reading that needs no comparison


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
    """A reading of the samples with what they show of some limits. share: the part of its draws that is valid."""

    reading: Shape
    aspects: tuple[Aspect, ...]
    share: float

    @property
    def shape(self) -> Shape:
        shape = self.reading
        for aspect in self.aspects:
            shape = aspect.put_into(shape)
        return shape

    @property
    def fixed_counts(self) -> int:
        """Return how many counts have only the numbers of the samples: a sign that the samples mean something else."""
        limits = [each.place for each in self.aspects if not each.letters]
        return sum(span.counts and not span.alphabet and span.place in limits for span in spans(self.reading))

    @property
    def merit(self) -> tuple[bool, int, float]:
        """Return a key by which the best reading is the largest."""
        return (self.share >= LEARN.well_read, -self.fixed_counts, self.share)


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
            if share >= LEARN.enough_valid or not self.samples:
                return self.shape
            best = replace(best, share=share)
            for wider in self._ever_wider(best, self.shape):
                best = wider
            for reading in others() if share < LEARN.well_read and best.merit < _GOOD else ():
                for wider in self._ever_wider(best, reading):
                    best = wider if wider.merit >= best.merit else best
        return best.shape

    def _ever_wider(self, best: _Narrowed, reading: Shape) -> Iterator[_Narrowed]:
        """Yield a reading, as narrow as the samples, then each time wider, while about as many inputs are valid.

        Nothing, unless far more of its inputs are valid than of the best shape, or that has counts that are fixed.
        """
        narrow = _Narrowed(reading=reading, aspects=tuple(aspects_of(reading, self.samples)), share=0.0)
        narrow = replace(narrow, share=self._valid_part(narrow.shape))
        if narrow.share <= LEARN.least_gain * best.share and not best.fixed_counts:
            return
        yield narrow
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
        inputs = list(draws(shape, LEARN.proposal_draws))
        return sum(self.valid(inputs)) / LEARN.proposal_draws if inputs else 0.0


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
