"""The rules that all samples keep: all that says which inputs are valid where there is neither validator nor shape.

A guessed shape allows more than the samples show: counts from 1 on, equal numbers, loops. What fails only there may be
no valid input. So a find is looked for that keeps to what the samples show, and one that does not is said to.
"""

from collections.abc import Iterator, Sequence
from math import prod
from random import Random

from harness.errors import HarnessError
from harness.search.policy import SHOWN
from harness.shapes import InputError, Record, Shape, draw, parse, size, write
from harness.shapes.limits import Span, spans, with_alphabet, with_limits
from harness.shapes.rules import tighter


def as_samples_show(shape: Shape, samples: Sequence[bytes]) -> Shape:
    """Return the shape with the lower limits and the rules that all samples of it keep, and not by chance."""
    known = [value for data in samples if (value := parsed(shape, tidy(data))) is not None]
    if not known:
        return shape
    texts = [write(shape, value) for value in known]
    for span in spans(shape):
        if span.low is not None and not span.is_literal:
            shape = with_limits(shape, span.place, low=_least(shape, span, texts))
    for _ in range(SHOWN.most_rules):
        ruled = next(_ruled(shape, known, texts), None)
        if ruled is None:
            break
        shape = ruled
    return shape


def as_wide_as(shape: Shape, wider: Shape) -> Shape:
    """Return the shape with the upper limits and the letters of a wider one, and its own rules."""
    for span in spans(wider):
        if span.alphabet:
            shape = with_alphabet(shape, span.place, span.alphabet)
        if span.high is not None:
            shape = with_limits(shape, span.place, high=span.high)
    return shape


def parsed(shape: Shape, data: bytes) -> Record | None:
    """Return the value that an input is; None: it is not of the shape."""
    try:
        return parse(shape, data)
    except InputError:
        return None


def broken_rule(shape: Shape, data: bytes) -> str:
    """Say where an input is not of the shape, and what stands there instead; "" where it is."""
    try:
        parse(shape, data)
    except InputError as error:
        return str(error)
    return ""


def tidy(data: bytes) -> bytes:
    """The input as a shape has it: without spaces at ends of lines, with one line feed at its end."""
    return b"\n".join(line.rstrip() for line in data.rstrip().splitlines()) + b"\n"


def _least(shape: Shape, span: Span, texts: Sequence[bytes]) -> int:
    """The largest lower limit with which all texts are of the shape, by bisection."""
    low = span.low or 0
    high = max(low, span.ceiling if span.ceiling is not None else SHOWN.highest)
    while low < high:
        middle = (low + high + 1) // 2
        raised = with_limits(shape, span.place, low=middle)
        if all(parsed(raised, text) is not None for text in texts):
            low = middle
        else:
            high = middle - 1
    return low


def _ruled(shape: Shape, known: Sequence[Record], texts: Sequence[bytes]) -> Iterator[Shape]:
    """The shape with one rule more that all texts keep, where draws of as many words hardly ever do."""
    drawn = [
        _drawn(shape, size(shape, value), len(text.split())) for value, text in zip(known, texts, strict=True)
    ]
    for ruled in tighter(shape):
        if all(parsed(ruled, text) is not None for text in texts):
            chances = (sum(parsed(ruled, text) is not None for text in some) / len(some) for some in drawn if some)
            if prod(chances) < SHOWN.chance:
                yield ruled


def _drawn(shape: Shape, most: int, words: int) -> list[bytes]:
    """Draws of so many words; few if these are rare."""
    drawn = []
    for number in range(SHOWN.draws):
        try:
            drawn.append(write(shape, draw(shape, Random(number), most)))
        except HarnessError:
            break
    return [text for text in drawn if len(text.split()) == words]
