"""Narrow a guessed shape to what the samples show, where the input validators demand it.

A guess allows more than was seen: all small letters where samples have four of them, counts from 1 on. If most of its
inputs are refused, few are ever tried. So the readings of the samples are compared, each as narrow as the samples; the
best is widened again, limit by limit, as long as the validators go on accepting its inputs.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import field
from random import Random

from harness.errors import HarnessError
from harness.host.run_many import OutOfTimeError
from harness.search.learn_limits import Valid
from harness.search.policy import LEARN
from harness.search.sample_rules import least_seen, most_seen, parsed
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

    def put_into(self, shape: Shape) -> Shape:
        """Return the shape with it."""
        if self.letters:
            return with_alphabet(shape, self.place, self.letters)
        return with_limits(shape, self.place, low=self.low, high=self.high)


@dataclass(kw_only=True)
class Narrowing:
    """Asks the validators about drawn inputs. valid: may raise OutOfTimeError; the best shape by then is returned."""

    valid: Valid
    samples: Sequence[bytes]
    best: Shape
    _share: float = 0.0  # part of the draws of `best` that are valid
    _aspects: list[Aspect] = field(default_factory=list)
    _reading: Shape | None = None

    def run(self, others: Callable[[], Sequence[Shape]]) -> Shape:
        """Return the narrowed shape. others: gives other readings of the samples, asked for only if need be."""
        with suppress(OutOfTimeError):
            self._share = self._valid_part(self.best)
            if self._share < LEARN.enough_valid and self.samples:
                self._try(self.best)
                for shape in others() if self._share < LEARN.well_read else ():
                    self._try(shape)
                self._widen()
        return self.best

    def _try(self, reading: Shape) -> None:
        """Take a reading, as narrow as the samples, if far more of its inputs are valid."""
        aspects = list(aspects_of(reading, self.samples))
        narrow = _with_all(reading, aspects)
        share = self._valid_part(narrow)
        if share > LEARN.least_gain * self._share:
            self.best, self._share, self._aspects, self._reading = narrow, share, aspects, reading

    def _widen(self) -> None:
        """Leave out what is not needed, as long as about as many inputs are valid."""
        if self._reading is None:
            return
        for aspect in list(self._aspects):
            fewer = [each for each in self._aspects if each != aspect]
            wider = _with_all(self._reading, fewer)
            share = self._valid_part(wider)
            if share >= LEARN.as_valid * self._share:
                self.best, self._share, self._aspects = wider, max(self._share, share), fewer

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


def _with_all(shape: Shape, aspects: Sequence[Aspect]) -> Shape:
    for aspect in aspects:
        shape = aspect.put_into(shape)
    return shape


def draws(shape: Shape, count: int) -> Iterator[bytes]:
    """Yield `count` inputs of the shape, of several sizes; fewer if draws fail."""
    for number in range(count):
        try:
            yield write(shape, draw(shape, Random(number), LEARN.rule_sizes[number % len(LEARN.rule_sizes)]))
        except HarnessError:
            continue  # an empty range: as bad as a refusal
