"""Infer rules that all samples keep: without input validators they hint at which inputs are valid.

A guessed shape allows more than the samples show: equal numbers, loops, other letters. A failing input that has such
things may be invalid. So inputs that keep the rules are tried and shown first.
"""

import time
from collections.abc import Iterator, Sequence
from itertools import repeat, takewhile
from math import comb, prod

from harness.search.policy import SAMPLE_RULES
from harness.shapes import Record, Shape, draw_each, parsed, size, tidy_for, write
from harness.shapes.limits import (
    Span,
    seen_values,
    spans,
    tighter,
    with_alphabet,
    with_counts,
    with_limits,
    without_repeats,
)


def as_samples_show(shape: Shape, samples: Sequence[bytes]) -> Shape | None:
    """Return the shape with the lower limits, letters and rules that all samples keep, unless that may be chance.

    Samples that do not fit the shape are ignored. None: no sample fits.
    """
    values = [value for data in samples if (value := parsed(shape, tidy_for(shape, data))) is not None]
    if not values:
        return None
    texts = [write(shape, value) for value in values]
    for span, seen in zip(spans(shape), seen_values(shape, values), strict=True):
        shape = with_alphabet(shape, span.index, _letters(span.alphabet, texts))
        if seen and span.low is not None and not span.is_literal:
            shape = with_limits(shape, span.index, low=_low(span.low, min(seen)))
    end_s = time.thread_time() + SAMPLE_RULES.rules_s
    for _ in range(SAMPLE_RULES.most_rules):
        ruled = next(_ruled(shape, values, texts, end_s), None)
        if ruled is None:
            break
        shape = ruled
    return _unrepeated(shape, texts, time.thread_time() + SAMPLE_RULES.repeats_s)


def as_wide_as(shape: Shape, wider: Shape, samples: Sequence[bytes] = ()) -> Shape:
    """Return the shape with the upper limits and the letters of a wider one, but with its own rules.

    Rules are also: an alphabet of few letters, such as brackets; a limit such as 100000 that a sample reaches.
    """
    texts = [text for data in samples if parsed(shape, text := tidy_for(shape, data)) is not None]
    for own, other in zip(spans(shape), spans(wider), strict=True):
        if len(own.alphabet) > SAMPLE_RULES.most_letters:
            shape = with_alphabet(shape, own.index, other.alphabet)
        if own.high is not None and other.high is not None and not _is_reached(shape, own, texts):
            shape = with_limits(shape, own.index, high=other.high)
    return shape


def _is_reached(shape: Shape, span: Span, texts: Sequence[bytes]) -> bool:
    """Return whether the upper limit is a large power of ten and a text has this value: hardly by chance."""
    high = span.high or 0
    is_power = high >= SAMPLE_RULES.least_power * 10**span.decimals and str(high).strip("0") == "1"
    return is_power and not _fit(with_limits(shape, span.index, high=high - 1), texts)


def _letters(alphabet: bytes, texts: Sequence[bytes]) -> bytes:
    """Return the letters that the texts have, if they are few and come often; else the alphabet."""
    counts = [sum(text.count(letter) for text in texts) for letter in alphabet]
    held = bytes(letter for letter, count in zip(alphabet, counts, strict=True) if count)
    often = len(held) <= SAMPLE_RULES.sure_letters and sum(counts) >= SAMPLE_RULES.uses_a_letter * len(held)
    if not often and len(held) <= SAMPLE_RULES.most_letters:
        chance = comb(len(alphabet), len(held)) * (len(held) / max(1, len(alphabet))) ** sum(counts)
        often = chance < SAMPLE_RULES.chance_of_letters
    return held if held and often else alphabet


def _low(low: int, seen: int) -> int:
    """Return the lower limit that the samples suggest. low: that of the guess. seen: the least value in the samples.

    A least value between SAMPLE_RULES.low and SAMPLE_RULES.large is mostly chance.
    """
    return max(low, min(seen, SAMPLE_RULES.low)) if seen < SAMPLE_RULES.large else seen


def _fit(shape: Shape, texts: Sequence[bytes]) -> bool:
    return all(parsed(shape, text) is not None for text in texts)


def _ruled(shape: Shape, values: Sequence[Record], texts: Sequence[bytes], end_s: float) -> Iterator[Shape]:
    """Yield the shape with one more rule that all texts keep, but few draws of as many words do.

    values: the parsed texts. end_s: when to give up, by time.thread_time(), so that other load does not change the
    result: shapes of many integers have many rules.
    """
    drawn = [
        _drawn_like(shape, value, len(text.split()), end_s)
        for value, text in zip(values[: SAMPLE_RULES.samples], texts, strict=False)
    ]
    for ruled in tighter(shape):
        if time.thread_time() > end_s:
            return
        if all(parsed(ruled, text) is not None for text in texts):
            chances = (
                sum(parsed(ruled, text) is not None for text in draws) / len(draws) for draws in drawn if draws
            )
            if prod(chances) < SAMPLE_RULES.chance:
                yield ruled


def _unrepeated(shape: Shape, texts: Sequence[bytes], end_s: float) -> Shape:
    """Return the shape with the rules against repetition that all texts keep, though they could easily break them.

    Such a rule may hold by chance, but a wrong rule costs only a little time.
    """
    for _ in range(SAMPLE_RULES.most_rules):
        rules = (rule for rule in without_repeats(shape) if _fit(rule, texts))
        supported = (
            rule for rule in rules if _ways_to_break(shape, rule, texts, end_s) >= SAMPLE_RULES.ways_to_break
        )
        ruled = next(supported, None)
        if ruled is None:
            break
        shape = ruled
    return shape


def _ways_to_break(shape: Shape, rule: Shape, texts: Sequence[bytes], end_s: float) -> int:
    """Return how many repetitions of a line or a word in the texts break the rule, but not the shape without it."""
    repeated = (changed for text in texts for changed in _repetitions(text))
    in_time = takewhile(lambda _: time.thread_time() < end_s, repeated)
    return sum(parsed(rule, text) is None and parsed(shape, text) is not None for text in in_time)


def _repetitions(text: bytes) -> Iterator[bytes]:
    """Yield the text with a line, or a word of a line, replaced by a copy of another line, or word of that line."""
    lines = text.splitlines(keepends=True)
    first = lines[: SAMPLE_RULES.repeated]
    for row, line in enumerate(first):
        before, after = b"".join(lines[:row]), b"".join(lines[row + 1 :])
        yield from (before + other + after for other in first if other != line)
        words = line.split()
        for index, word in enumerate(words[: SAMPLE_RULES.repeated]):
            others = (other for other in words[: SAMPLE_RULES.repeated] if other != word)
            yield from (
                before + b" ".join((*words[:index], other, *words[index + 1 :])) + b"\n" + after
                for other in others
            )


def _drawn_like(shape: Shape, value: Record, words: int, end_s: float) -> list[bytes]:
    """Return draws of as many words as a sample; if few have as many, draws with the same counts."""
    most = min(size(shape, value), SAMPLE_RULES.most_size)
    drawn = _drawn(shape, most, words, end_s)
    return (
        drawn if len(drawn) >= SAMPLE_RULES.least_draws else _drawn(with_counts(shape, value), most, words, end_s)
    )


def _drawn(shape: Shape, most: int, words: int, end_s: float) -> list[bytes]:
    """Return draws of `words` words; few if such draws are rare."""
    in_time = takewhile(lambda _: time.thread_time() <= end_s, repeat(most, SAMPLE_RULES.draws))
    drawn = (write(shape, value) for value in draw_each(shape, in_time))
    return [text for text in drawn if len(text.split()) == words]
