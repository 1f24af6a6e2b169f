"""A shape guessed from samples, with limits beyond what they show, for where no input validator can be asked.

Samples are small: overflow, small tables and slow loops only show further out. So wider shapes are tried after the
guessed one, numbers first, then counts; whoever knows the statement is told that the input may be beyond it.
"""

from collections.abc import Iterator

from harness.search.policy import ASSUMED
from harness.shapes import Shape
from harness.shapes.limits import of_whole_kinds, spans, with_alphabet, with_limits
from harness.shapes.relax import looser

# The highest number, the highest count, and what graphs of samples often are by chance.
# Beyond 2·10^9 only where samples are: right programs overflow there too. Beyond 10^18 there are many digits.
_BITS = frozenset(b"01")


def wider_shapes(shape: Shape) -> Iterator[Shape]:
    """The shape with wider and wider limits; those that are another integer, or always the same, stay."""
    for number, count, flags in ASSUMED.steps:
        looser_one = shape
        for flag in flags:
            looser_one = looser(looser_one, flag) or looser_one
        yield _widened(looser_one, number, count)


def _widened(shape: Shape, number: int, count: int) -> Shape:
    for span in spans(shape):
        if not set(span.alphabet) <= _BITS:
            shape = with_alphabet(shape, span.place, of_whole_kinds(span.alphabet))
        if span.high is None or span.low == span.high:
            continue
        most = count if span.counts or span.bounds else number
        if span.words:
            most = 2 * span.high
        if not span.counts and span.high > ASSUMED.wide:
            most = (
                ASSUMED.long
                if span.high <= ASSUMED.long
                else 10 ** min(ASSUMED.digits, 10 * len(str(count)) * len(str(span.high)))
            )
        low = -most if span.low is not None and span.low < 0 and most > span.high else None
        shape = with_limits(shape, span.place, low=low, high=max(span.high, most))
    return shape
