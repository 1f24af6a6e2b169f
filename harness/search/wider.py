"""A shape guessed from samples, with limits beyond what they show, for where no input validator can be asked.

Samples are small: overflow, small tables and slow loops only show further out. So wider shapes are tried after the
guessed one, numbers first, then counts; whoever knows the statement is told that the input may be beyond it.
"""

from collections.abc import Iterator

from harness.shapes import Shape
from harness.shapes.limits import spans, wider_alphabets, with_alphabet, with_limits
from harness.shapes.looser import looser

_STEPS = ((10**4, 20), (10**9, 100), (10**9, 10**5), (10**9, 2 * 10**5))  # the highest number, the highest count
# Beyond 10^9 only where samples are: right programs overflow there too. Beyond 10^18 there are many digits.
_WIDE, _LONG = 10**9, 10**18
_DIGITS = 999
_MANY = 20


def wider_shapes(shape: Shape) -> Iterator[Shape]:
    """The shape with wider and wider limits; those that are another integer, or always the same, stay."""
    for number, count in _STEPS:
        yield _widened(shape if count <= _MANY else _loose(shape), number, count)


def _loose(shape: Shape) -> Shape:
    """Graphs of samples often hang together, and go from smaller to larger vertices, by chance."""
    for flag in ("connected", "rising"):
        shape = looser(shape, flag) or shape
    return shape


def _widened(shape: Shape, number: int, count: int) -> Shape:
    for span in spans(shape):
        for letters in wider_alphabets(span.alphabet)[:1]:
            shape = with_alphabet(shape, span.place, letters)
        if span.high is None or span.low == span.high:
            continue
        most = count if span.counts or span.bounds else number
        if not span.counts and span.high > _WIDE:
            most = _LONG if span.high <= _LONG else 10 ** min(_DIGITS, 10 * len(str(count)) * len(str(span.high)))
        low = -most if span.low is not None and span.low < 0 and most > span.high else None
        shape = with_limits(shape, span.place, low=low, high=max(span.high, most))
    return shape
