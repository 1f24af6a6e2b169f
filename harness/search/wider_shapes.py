"""Assume wider limits than the samples show, where no validator tells them, and drop what samples may show by chance.

If the samples show rules, the wider limits are tried with these rules before the plain guess; else after it. Freer
shapes come last.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from harness.search.numbers_in_sources import NumbersOfReference
from harness.search.policy import ASSUMED
from harness.shapes import Shape
from harness.shapes.kinds import Grid
from harness.shapes.kinds.kind import Kind
from harness.shapes.limits import FLAGS, looser, of_whole_kinds, spans, with_alphabet, with_limits

_BITS = frozenset(b"01")
_PRINTABLE = bytes(range(33, 127))
_NOTHING_KNOWN = NumbersOfReference()


def wider_shapes(shape: Shape, numbers: NumbersOfReference = _NOTHING_KNOWN) -> Iterator[Shape]:
    """Yield the shape with ever wider limits (ASSUMED.steps); limits that are another integer or a constant stay.

    Numbers above 2·10^9 only if samples have such, or if the reference reads integers of 64 bits: right programs
    overflow there, too. The highest number of the first step is what the reference's largest table can hold; in the
    last steps counts reach that, too. In the last shape numbers may be negative, if the reference's source tells so.
    """
    steps, letters = [*ASSUMED.steps], numbers.letters
    shape = replace(shape, block=shape.block.mapped(lambda item: _with_letters(item, letters)))
    if numbers.table:
        steps[0] = (numbers.table, *steps[0][1:])
        number, count, flags = steps[-1]
        steps[-1] = (number, max(count, numbers.table - 1), flags)
    if numbers.are_long:
        steps.append((ASSUMED.long, *steps[-1][1:]))
    wider = shape
    for number, count, flags in steps:
        wider = shape
        for flag in flags:
            wider = looser(wider, flag) or wider
        wider, letters = _widened(wider, number, count, letters), b""
        yield wider
    if numbers.are_negative:
        yield _lowered(wider, -1, indexes=False)


def _widened(shape: Shape, number: int, count: int, letters: bytes = b"") -> Shape:
    """Return the shape with upper limits of at least `number`, for counts at least `count`, and whole alphabets.

    letters: these are added, in place of all of their kinds, to an alphabet whose own letters are among them.
    Numbers that are 0 and 1 in the samples, at least nine, stay so (harness.shapes.guess_ranges).
    """
    for span in spans(shape):
        if not set(span.alphabet) <= _BITS:
            more = _more_letters(span.alphabet, letters)
            wider = span.alphabet + more if more else of_whole_kinds(span.alphabet)
            shape = with_alphabet(shape, span.index, wider)
        is_flag = (span.low, span.high) == (0, 1) and not (span.counts or span.bounds)
        if span.high is None or span.low == span.high or is_flag:
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
        shape = with_limits(shape, span.index, low=low, high=max(span.high, most))
    return shape


def _more_letters(alphabet: bytes, letters: bytes) -> bytes:
    """Return the letters that an alphabet lacks, if all of its own letters are among them."""
    own = {letter for letter in alphabet if bytes([letter]).isalpha()}
    return bytes(letter for letter in letters if letter not in own) if own and own < set(letters) else b""


def _with_letters(item: Kind[Any], letters: bytes) -> Kind[Any]:
    """Return an item with these letters in its grids, too, if all of their own letters are among them."""
    if isinstance(item, Grid):
        return replace(item, alphabet=item.alphabet + _more_letters(item.alphabet, letters))
    return item.with_inner([block.mapped(lambda inner: _with_letters(inner, letters)) for block in item.inner])


def freer_shapes(
    shape: Shape, numbers: NumbersOfReference = _NOTHING_KNOWN, *, few: bool = False
) -> Iterator[Shape]:
    """Yield the plausible shape, then shapes whose inputs are probably invalid, but better than none.

    The plausible shape comes first without negative numbers. The others have no integers as limits of others; then
    also 0 as a count; then long numbers; then negative numbers. Counts are as high as in the widest shape.
    """
    yield plausible_shape(shape, replace(numbers, are_negative=False), few=few)
    if numbers.are_negative:
        yield plausible_shape(shape, numbers, few=few)
    shape = _raised(_without_chance(shape, numbers), ASSUMED.wide // 2)
    yield shape
    shape = _lowered(shape, 0)
    yield shape
    shape = _raised(shape, ASSUMED.long)
    yield shape
    yield _lowered(shape, -1)


def plausible_shape(shape: Shape, numbers: NumbersOfReference = _NOTHING_KNOWN, *, few: bool = False) -> Shape:
    """Return the shape without everything that the samples may show by chance; other inputs are probably invalid.

    few: the samples have few words. These limits stay: a single number keeps within the integers that limit it (if
    `few`, only between two of them, as `q: k..n`); a number is at least 0, if neither the guess nor the reference's
    source tells of negative ones; a count that begins the input is at least 1, unless it is 0 in a sample (of 305
    problems of Codeflaws that begin so, one allows 0). Numbers of arrays may exceed the integer that seems to limit
    them.
    """
    plausible = _without_chance(shape, numbers)
    for span in spans(plausible) if few else ():
        if span.high is None and span.low is not None and not (span.bounds or span.counts):
            plausible = with_limits(plausible, span.index, high=ASSUMED.wide // 2)
    plausible = _lowered(plausible, 0, indexes=False)
    first = next(iter(spans(shape)), None)
    is_count = first is not None and first.counts and first.outer and not first.is_literal
    if first is None or not is_count or first.low is None or first.low < 1:
        return plausible
    return with_limits(plausible, first.index, low=1)


def _without_chance(shape: Shape, numbers: NumbersOfReference) -> Shape:
    """Return the widest shape without rules.

    Small letters, digits and alphabets of two signs stay; lines that nothing counts have up to ASSUMED.words items.
    """
    *_, shape = wider_shapes(looser(shape, "numbers") or shape, numbers)
    for flag in FLAGS:
        shape = looser(shape, flag) or shape
    for span in spans(shape):
        if (
            len(span.alphabet) >= ASSUMED.open_alphabet
            and not span.alphabet.islower()
            and not span.alphabet.isdigit()
        ):
            shape = with_alphabet(shape, span.index, span.alphabet + bytes(set(_PRINTABLE) - set(span.alphabet)))
        if span.words:
            shape = with_limits(shape, span.index, high=ASSUMED.words)
        if span.alphabet and span.low is not None:
            shape = with_limits(shape, span.index, low=min(span.low, 1))
    return shape


def from_zero(shape: Shape) -> Shape:
    """Return the shape without rules about graphs and arrays, and with 0 as the lower limit of all higher ones."""
    for flag in FLAGS:
        shape = looser(shape, flag) or shape
    return _lowered(shape, 0)


def _raised(shape: Shape, most: int) -> Shape:
    """Raise the upper limits of all numbers that are no counts to `most`; no other integers limit them any more."""
    for span in spans(shape):
        low, high = 1 if span.low is None else None, most if (span.high or 0) < most else None
        if not (span.counts or span.bounds or span.is_literal):
            shape = with_limits(shape, span.index, low=low, high=high)
    return shape


def _lowered(shape: Shape, factor: int, *, indexes: bool = True) -> Shape:
    """Lower the lower limits to 0 (factor 0), or to minus the upper limits (factor -1).

    indexes: whether to do so for numbers whose upper limit is another integer, too.
    """
    for span in spans(shape):
        if span.high is None and not indexes:
            continue
        plain = not (span.bounds or span.is_literal or span.alphabet) and (factor == 0 or not span.counts)
        if plain and span.low is not None and span.low > factor:
            shape = with_limits(shape, span.index, low=min(span.low, factor * (span.high or 1)))
    return shape
