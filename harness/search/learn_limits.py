"""Learn the limits of a guessed shape from the input validators.

Cases stay below the limits, but overflow, small tables and quadratic time only show near the limits. So each
limit is forced to larger and larger powers of ten in drawn inputs; the largest valid power is kept.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import takewhile
from math import isqrt

from harness.host.run_many import OutOfTimeError
from harness.search.policy import LEARN
from harness.shapes import Shape, draw_each, write
from harness.shapes.limits import (
    Span,
    present,
    spans,
    wider_alphabets,
    with_alphabet,
    with_limits,
)
from harness.values import dataclass

Valid = Callable[[Sequence[bytes]], Sequence[bool]]


@dataclass(kw_only=True)
class LimitLearner:
    """Widens the limits of a guessed shape until the deadline, by time.monotonic().

    valid: returns which inputs the validators accept. named: numbers in the validators' sources.
    """

    shape: Shape
    valid: Valid
    deadline_s: float
    named: Sequence[int] = ()

    def run(self) -> Shape:
        """Return the shape with the widest limits that the validators accept."""
        end_s = self.deadline_s
        # Half the time: leaves time for counts even with slow validators.
        self.deadline_s = (time.monotonic() + end_s) / 2
        self._widen_alphabets()
        self._widen_values()
        self.deadline_s = end_s
        self._raise_counts()
        self._widen_values()  # again: a higher count may allow higher values
        return self.shape

    def allows(self, span: Span, value: int) -> bool:
        """Return whether some valid input has this value at this span."""
        return bool(self._allows(span, [value]))

    def _widen_values(self) -> None:
        for span in reversed(spans(self.shape)):
            if span.counts or span.is_literal or time.monotonic() > self.deadline_s:
                continue
            index = span.index
            if span.low is None and self._are_valid(with_limits(self.shape, index, low=1, high=1), index):
                self.shape = with_limits(self.shape, index, low=1)  # it was another integer
            if span.ceiling is not None:
                self._raise(span, span.ceiling)
            if span.low is not None and span.low <= 1:
                self._lower(span, span.low)

    def _widen_alphabets(self) -> None:
        """Widen alphabets of few letters to all letters of their kind, then other kinds, if valid."""
        for span in spans(self.shape):
            for letters in wider_alphabets(span.alphabet):
                wider = with_alphabet(self.shape, span.index, letters)
                if time.monotonic() > self.deadline_s or not self._are_valid(wider, span.index):
                    break
                self.shape = wider

    def _are_valid(self, shape: Shape, index: int) -> bool:
        """Draw a few inputs of the shape; return whether some hold a value at this index, and all these are valid."""
        inputs = list(_drawn(shape, index, LEARN.limit_sizes))
        return bool(inputs) and all(self.valid(inputs))

    def _raise_counts(self) -> None:
        """Raise all counts step by step, small steps first: large inputs are costly."""
        climbing = [span for span in reversed(spans(self.shape)) if span.counts and span.high is not None]
        for span in climbing:
            if span.low == 1 and self._allows(span, [0]):
                self.shape = with_limits(self.shape, span.index, low=0)
        for step in LEARN.counts:
            refused = self._raised_to(step, climbing)
            climbing = [span for span in climbing if span not in refused]
            self._refine(refused, step)

    def _raised_to(self, step: int, counts: Sequence[Span]) -> list[Span]:
        """Raise counts to a step; return those that stay below it: no input with that value is valid.

        A count may limit another, as vertices limit edges: so a count is tried again after another was raised, and in
        the end all are raised together.
        """
        waiting = [span for span in counts if step > self._high(span)]
        risen = waiting
        while waiting and risen:
            risen = [span for span in waiting if self._step(span, step)]
            if not risen and len(waiting) > 1:
                risen = [span for span in waiting if self._step(span, step, beside=waiting)]
            waiting = [span for span in waiting if span not in risen]
        return waiting

    def _refine(self, refused: list[Span], below: int) -> None:
        """Raise counts to named numbers and multiples below the first invalid step.

        A named number may be refused for another reason than its size: odd where a count must be even.
        """
        waiting = refused
        for number in sorted((each for each in self.named if each < below), reverse=True):
            waiting = self._raised_to(number, waiting)
        for span in refused:
            high = self._high(span)
            all(self._step(span, step * high) for step in LEARN.multiples if step * high < below)

    def _high(self, span: Span) -> int:
        """Return the upper limit that a count has by now."""
        return spans(self.shape)[span.index].high or 1

    def _step(self, span: Span, step: int, beside: Sequence[Span] = ()) -> bool:
        """Raise a count to a step if some input with that value is valid; return whether it was raised."""
        if time.monotonic() > self.deadline_s or not self._allows(span, [step], beside):
            return False
        self.shape = with_limits(self.shape, span.index, high=step)
        return True

    def _raise(self, span: Span, ceiling: int) -> None:
        """Raise the upper limit to the largest valid value among round and named numbers.

        A limit that is another integer stays unless a larger value is valid. If the guessed limit is refused, it is
        lowered to the largest valid named number.
        """
        near = [number for number in self.named if LEARN.guessed_factor * number > ceiling]
        allowed = self._allows(span, sorted({ceiling, *near}))
        named = [number for number in allowed if number > ceiling or (ceiling not in allowed and span.high)]
        high = max(named, default=span.high)
        beyond = max(ceiling, high or 0)
        powers = [power for power in LEARN.powers if power > beyond] or list(LEARN.long_powers)
        high = max(self._climbed(span, powers), default=high)
        if high is not None and high not in named:
            steps = [
                step * high for step in LEARN.multiples if ceiling < step * high <= max(LEARN.powers[-1], high)
            ]
            high = max(self._allows(span, steps), default=high)
        if high is not None:
            self.shape = with_limits(self.shape, span.index, high=high)

    def _climbed(self, span: Span, values: Sequence[int]) -> list[int]:
        """Return the valid values; stop at the first `LEARN.at_once` of which none is valid."""
        valid: list[int] = []
        for start in range(0, len(values), LEARN.at_once):
            allowed = self._allows(span, values[start : start + LEARN.at_once])
            valid += allowed
            if not allowed:
                break
        return valid

    def _lower(self, span: Span, low: int) -> None:
        """Lower the limit to 0, -1 or a negative power of ten: the least that is valid."""
        powers = LEARN.powers if (span.high or 0) <= LEARN.powers[-1] else LEARN.long_powers
        falling = [value for value in (0, -1, *(-power for power in powers)) if value < low]
        self.shape = with_limits(self.shape, span.index, low=min(self._climbed(span, falling), default=low))

    def _allows(self, span: Span, values: Sequence[int], beside: Sequence[Span] = ()) -> list[int]:
        """Return the values that some valid input has at this span. beside: counts that may be as high there, too."""
        if span.counts:
            return [value for value in values if any(map(self._is_valid, self._forced(span, value, beside)))]
        tries = [
            (value, data)
            for value in values
            for data in (*self._forced(span, value), *self._raised_together(span, value))
        ]
        answers = self.valid([data for _, data in tries]) if tries else []
        return [value for (value, _), is_valid in zip(tries, answers, strict=True) if is_valid]

    def _raised_together(self, span: Span, value: int) -> Iterator[bytes]:
        """Yield inputs with this value where no other number is smaller: another number may be its limit."""
        raised = self.shape
        for other in spans(self.shape):
            if not (other.counts or other.is_literal or other.alphabet) and (other.ceiling or 0) >= value:
                raised = with_limits(raised, other.index, low=max(value, other.low or value))
        raised = with_limits(raised, span.index, low=value, high=value)
        if raised.block != self.shape.block:
            yield from _drawn(raised, span.index, LEARN.limit_sizes[:1])

    def _is_valid(self, data: bytes) -> bool:
        return self.valid([data])[0]

    def _forced(self, span: Span, value: int, beside: Sequence[Span] = ()) -> Iterator[bytes]:
        """Return inputs of several sizes with this value at this span; few if it is large. beside: see `_allows`."""
        forced = self.shape
        for other in beside:
            forced = with_limits(forced, other.index, high=value)
        forced = with_limits(forced, span.index, low=value, high=value)
        sizes = (
            tuple(factor * value for factor in _factors(value))
            if span.counts and value >= LEARN.large_count
            else LEARN.limit_sizes
        )
        in_time = takewhile(lambda _: time.monotonic() <= self.deadline_s, sizes)
        return _drawn(forced, span.index, in_time)


def _drawn(shape: Shape, index: int, sizes: Iterable[int]) -> Iterator[bytes]:
    """Yield an input of each size that holds a value at this index, until a draw fails."""
    return (write(shape, value) for value in draw_each(shape, sizes) if index in present(shape, value))


def _factors(count: int) -> tuple[int, ...]:
    """Return the sizes of inputs to try, as multiples of a count. Large inputs are costly: few sizes."""
    if count >= LEARN.huge_count:
        return (1,)
    return (1, 2, 4, 8) if count < LEARN.costly_count else (1, 2)


_INTEGER = re.compile(rb"(?<!\d)\d+(?!\d)")


def raise_numbers(bases: Sequence[tuple[str, bytes]], valid: Valid) -> list[tuple[str, bytes]]:
    """Raise the numbers of cases (name, input) line by line; return the valid inputs, each with one more raised line.

    Takes the cases with most numbers, up to LEARN.most_raised_numbers in each. valid: may raise OutOfTimeError;
    inputs made by then are kept.
    """
    counted = [(len(_INTEGER.findall(data)), name, data) for name, data in bases]
    usable = [case for case in counted if 0 < case[0] <= LEARN.most_raised_numbers]
    names: dict[bytes, str] = {}
    with suppress(OutOfTimeError):
        for _, name, base in sorted(usable, key=lambda case: -case[0])[: LEARN.most_raised_cases]:
            for data in _raised_line_by_line(base, valid):
                names.setdefault(data, f"{name}, raised")
    return [(name, data) for data, name in names.items()]


def _raised_line_by_line(base: bytes, valid: Valid) -> Iterator[bytes]:
    """Yield the input after each line with numbers that could be raised; earlier lines stay raised."""
    lines = base.splitlines(keepends=True)
    for row in range(len(lines)):
        unchanged, index = lines[row], 0
        while (match := _INTEGER.search(lines[row], index)) is not None:
            before, after = lines[row][: match.start()], lines[row][match.end() :]
            above, below = b"".join(lines[:row]), b"".join(lines[row + 1 :])
            number = b"%d" % _largest(int(match[0]), above + before, after + below, valid)
            lines[row] = before + number + after
            index = len(before) + len(number)
        if lines[row] != unchanged:
            yield b"".join(lines)


def _largest(value: int, before: bytes, after: bytes, valid: Valid) -> int:
    """Return the largest of some values that is valid between these texts; for a prime, also try large primes."""
    is_prime = 1 < value < LEARN.raised_primes[0] and all(value % factor for factor in range(2, isqrt(value) + 1))
    for values in (LEARN.raised_values, *([LEARN.raised_primes] if is_prime else [])):
        higher = [other for other in values if other > value]
        answers = valid([before + b"%d" % other + after for other in higher]) if higher else []
        for other, is_valid in zip(higher, answers, strict=True):
            if is_valid:
                return other
    return value
