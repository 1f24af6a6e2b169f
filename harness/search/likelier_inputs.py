"""Weigh how small failing inputs are against how much they are like the samples; propose likelier ones."""

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import field
from itertools import combinations, product
from random import Random

from harness.errors import HarnessError
from harness.search.candidates import Source, TriedCandidate
from harness.search.likeness import Likeness, is_too_large
from harness.search.likeness_policy import LIKENESS
from harness.shapes import Record, Shape, draw, parsed, write
from harness.shapes.drawing import Bits
from harness.shapes.limits import with_counts
from harness.shapes.values import rank
from harness.values import dataclass


@dataclass(kw_only=True)
class Preference:
    """Decides between failing inputs that only samples tell to be valid, by the cost of their likeness."""

    likeness: Likeness
    _most: float | None = None  # the cost of the first input that was small enough to be compared
    _costs: dict[bytes, float] = field(default_factory=dict)  # of an input with many rows it takes milliseconds

    def cost(self, data: bytes) -> float:
        """Return the cost of an input (harness.search.likeness)."""
        if data not in self._costs:
            self._costs[data] = self.likeness.cost(data)
        return self._costs[data]

    def is_kept(self, data: bytes, best: bytes) -> bool:
        """Return whether an input costs no more than the first one that was `best` and could be compared."""
        if is_too_large(best):
            return True
        if self._most is None:
            self._most = self.cost(best)
        return math.log(1 + len(data)) <= self._most and self.cost(data) <= self._most

    def best_of(self, trials: Sequence[TriedCandidate]) -> TriedCandidate:
        """Return the input that costs least; of equal ones the last."""
        return min(reversed(trials), key=lambda trial: (is_too_large(trial.data), self.cost(trial.data)))

    def keeps_sample(self, first: TriedCandidate, made: TriedCandidate) -> bool:
        """Return whether a failing case is shown in place of an input made from it, since it is surely valid."""
        is_case = first.candidate.source is Source.CASE
        return is_case and self.cost(first.data) <= self.cost(made.data) + LIKENESS.made / 100

    def broken_by(self, data: bytes, better: bytes) -> str:
        """Describe a relation of the samples that an input breaks and a better one keeps; "" if there is none."""
        value, other = (parsed(self.likeness.shape, each) for each in (data, better))
        return "" if value is None or other is None else self.likeness.broken_by(value, other)


def is_comparable(data: bytes) -> bool:
    """Return whether an input is small enough to look for others that are more like the samples."""
    return 0 < len(data.split()) <= LIKENESS.most_words and len(data) <= LIKENESS.most_bytes


def more_like_samples(value: Record, likeness: Likeness, samples: Sequence[bytes], time_s: float) -> list[bytes]:
    """Return inputs that are more like the samples than a value, or simpler and as much like them; the best first.

    They have no more words and bytes than the value. time_s: the search for them ends then.
    """
    shape, end_s = likeness.shape, time.monotonic() + time_s
    text = write(shape, value)
    words = len(text.split())
    own = (likeness.faults(value), len(text), rank(shape, value), text)
    better = {}
    for other in _variants(shape, value, samples):
        if time.monotonic() > end_s:
            break
        if other in better or len(other) > len(text) or len(other.split()) > words:
            continue
        changed = parsed(shape, other)
        if changed is not None:
            better[other] = (likeness.faults(changed), len(other), rank(shape, changed), other)
    return [key[-1] for key in sorted(better.values()) if key < own]


def _variants(shape: Shape, value: Record, samples: Sequence[bytes]) -> Iterator[bytes]:
    """Yield random inputs, and the input with rows exchanged, numbers shifted, words or letters replaced.

    Half of the random inputs have the same counts. Shifted are all numbers of a row or column; replaced are a few
    words or letters, or all that are equal.
    """
    text = write(shape, value)
    source = Random(text)
    bits = Bits(source=source)
    for drawn in (with_counts(shape, value), shape):
        with suppress(HarnessError):
            for _ in range(LIKENESS.draws):
                yield write(shape, draw(drawn, source, len(text)))
    rows = [line.split(b" ") for line in text.splitlines()]
    places = [(row, at) for row, line in enumerate(rows) for at, word in enumerate(line) if word]
    words = {*text.split(), *(word for sample in samples for word in sample.split())}
    pool = sorted(word for word in words if len(word) <= len(text))
    if not places:
        return
    letters = sorted({*b"".join(word for word in pool if not word.isdigit())})
    for _ in range(LIKENESS.changes):
        changed = [list(words) for words in rows]
        for _ in range(bits.choice(LIKENESS.words_at_once)):
            row, at = bits.choice(places)
            changed[row][at] = _other_word(changed[row][at], pool, letters, bits)
        yield _joined(changed)
    for one, other in combinations(range(min(len(rows), LIKENESS.rows)), 2):
        yield _joined([rows[{one: other, other: one}.get(at, at)] for at in range(len(rows))])
    for at, step in product(range(min(len(rows), LIKENESS.rows)), LIKENESS.shifts):
        yield _joined([*rows[:at], [_shifted(word, step) for word in rows[at]], *rows[at + 1 :]])
        yield _joined(
            [[*row[:at], *(_shifted(word, step) for word in row[at : at + 1]), *row[at + 1 :]] for row in rows]
        )
    for _ in range(LIKENESS.renamed):
        row, at = bits.choice(places)
        old, new = rows[row][at], bits.choice(pool)
        yield _joined([[new if word == old else word for word in words] for words in rows])
        if letters:
            yield text.replace(bytes([bits.choice(old)]), bytes([bits.choice(letters)]))


def _joined(rows: Sequence[Sequence[bytes]]) -> bytes:
    return b"".join(b" ".join(words) + b"\n" for words in rows)


def _shifted(word: bytes, step: int) -> bytes:
    return b"%d" % (int(word) + step) if word.removeprefix(b"-").isdigit() else word


def _other_word(word: bytes, pool: Sequence[bytes], letters: Sequence[int], bits: Bits) -> bytes:
    """Return a word of the pool, a number near this one, or this word with another letter."""
    if bits.one_in(2):
        return bits.choice(pool)
    if word.removeprefix(b"-").isdigit():
        return b"%d" % (int(word) + bits.choice((-2, -1, 1, 2)))
    if not letters:
        return word
    at = bits.below(len(word))
    return word[:at] + bytes([bits.choice(letters)]) + word[at + 1 :]
