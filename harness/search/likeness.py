"""How alike an input is to samples: the relations between its values that hold in all samples.

A few samples keep many relations by chance, so these are no rules (harness.search.sample_rules infers those). But of
failing inputs of the same size the one that keeps most relations is the most probably valid.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import combinations, pairwise
from random import Random
from typing import Any, TypeAlias

from harness.errors import HarnessError
from harness.search.sample_rules import parsed, tidy
from harness.shapes import Record, Shape, draw, size, write
from harness.shapes.limits import with_counts
from harness.values import dataclass

Place: TypeAlias = tuple[
    int, ...
]  # of a value in the shape: the indexes of the items that hold it, and their forms
Key: TypeAlias = tuple[Any, ...]  # a relation and the places of its values
Values: TypeAlias = Sequence[Any]

_MOST_WEIGHT = 4
_ALL_ROWS = -1  # in place of an index: the lists of all rows, as one list
_FEW_ITEMS = 4  # of a list whose items are compared with one another, and with other words, by their place
_ALIKE_DRAWS, _ALIKE_CHANGES, _ALIKE_RENAMED = 200, 500, 100
_ALIKE_ROWS = 12  # first rows of which two change places
_ALIKE_WORDS = (1, 1, 2, 2, 3)  # words that are replaced at once
_FROM_POOL = 0.6  # of the replaced words: by another of the samples


@dataclass(frozen=True, kw_only=True)
class Likeness:
    """What all samples keep. weights: of the relations, by how often they could have been broken, up to a limit.

    seen: for each place the values of samples, as the least and the largest number, or as the letters.
    """

    weights: dict[Key, int]
    seen: dict[Place, Any]

    def faults(self, value: Record) -> int:
        """Return the weight of the relations that a value breaks."""
        found = _Relations()
        found.of_record(value, ())
        broken = sum(weight for key, weight in self.weights.items() if not found.held.get(key, (True, 0))[0])
        outside = [
            _MOST_WEIGHT if isinstance(seen, tuple) else 1
            for place, seen in self.seen.items()
            if not _covers(seen, found.seen.get(place, seen))
        ]
        return broken + sum(outside)


def likeness_of(shape: Shape, samples: Sequence[bytes]) -> Likeness | None:
    """Return what all samples of the shape keep; None if no sample fits it."""
    values = [value for data in samples if (value := parsed(shape, tidy(data))) is not None]
    if not values:
        return None
    found = _Relations()
    for value in values:
        found.of_record(value, ())
    weights = {key: min(times, _MOST_WEIGHT) for key, (holds, times) in found.held.items() if holds}
    return Likeness(weights=weights, seen=found.seen)


def more_alike(shape: Shape, value: Record, likeness: Likeness, samples: Sequence[bytes]) -> list[bytes]:
    """Return inputs that are no larger than a value and more alike to the samples, or simpler; the best first."""
    text = write(shape, value)
    own = (likeness.faults(value), len(text), text)
    better = set[tuple[int, int, bytes]]()
    for other in {*_variants(shape, value, samples)}:
        if len(other) <= len(text) and (changed := parsed(shape, other)) is not None:
            better.add((likeness.faults(changed), len(other), other))
    return [other[-1] for other in sorted(better) if other < own]


def _variants(shape: Shape, value: Record, samples: Sequence[bytes]) -> Iterator[bytes]:
    """Yield random inputs, and the input with two rows exchanged, or with words or letters replaced.

    Half of the random inputs have the same counts. A few words or letters are replaced, or all that are equal.
    """
    text = write(shape, value)
    bits, most, fixed = Random(len(text)), size(shape, value), with_counts(shape, value)
    for source in (fixed, shape):
        with suppress(HarnessError):
            for _ in range(_ALIKE_DRAWS):
                yield write(shape, draw(source, bits, most))
    rows = [line.split(b" ") for line in text.splitlines()]
    places = [(row, at) for row, words in enumerate(rows) for at in range(len(words))]
    pool = sorted({*text.split(), *(word for sample in samples for word in sample.split())})
    letters = sorted({*b"".join(word for word in pool if not word.isdigit())})
    for _ in range(_ALIKE_CHANGES):
        changed = [list(words) for words in rows]
        for row, at in bits.sample(places, min(len(places), bits.choice(_ALIKE_WORDS))):
            changed[row][at] = _other_word(changed[row][at], pool, letters, bits)
        yield _joined(changed)
    for one, other in combinations(range(min(len(rows), _ALIKE_ROWS)), 2):
        yield _joined([rows[{one: other, other: one}.get(at, at)] for at in range(len(rows))])
    for _ in range(_ALIKE_RENAMED):
        old, new = bits.choice(rows[bits.choice(places)[0]]), bits.choice(pool)
        yield _joined([[new if word == old else word for word in words] for words in rows])
        if letters:
            table = bytes.maketrans(*(bytes([bits.choice(among)]) for among in (text.rstrip(), letters)))
            yield text.translate(table)


def _joined(rows: Sequence[Sequence[bytes]]) -> bytes:
    return b"".join(b" ".join(words) + b"\n" for words in rows)


def _other_word(word: bytes, pool: Sequence[bytes], letters: Sequence[int], bits: Random) -> bytes:
    """Return a word of the pool, a number beside this one, or this word with another letter."""
    if bits.random() < _FROM_POOL:
        return bits.choice(pool)
    if word.removeprefix(b"-").isdigit():
        return b"%d" % (int(word) + bits.choice((-2, -1, 1, 2)))
    at = bits.randrange(len(word) or 1)
    return word[:at] + bytes([bits.choice(letters)]) + word[at + 1 :] if letters else word


class _Relations:
    """The relations of values that were looked at. held: for each relation whether it holds, and how often it could
    have been broken; seen: as in Likeness.
    """

    def __init__(self) -> None:
        self.held: dict[Key, tuple[bool, int]] = {}
        self.seen: dict[Place, Any] = {}

    def of_record(self, record: Record | Values, place: Place) -> None:
        """Note the relations of the words of a record, or of an edge, and of what it holds."""
        scalars: dict[Place, Any] = {}
        lists: dict[Place, Values] = {}
        self._collect(record, place, scalars, lists)
        for (one, left), (other, right) in combinations(scalars.items(), 2):
            if isinstance(left, int) and isinstance(right, int):
                self._compare((one, other), left, right)
        for where, values in lists.items():
            self._of_list(values, where)
            for one, scalar in scalars.items():
                self._relate((one, where), scalar, values)

    def _collect(
        self, record: Record | Values, place: Place, scalars: dict[Place, Any], lists: dict[Place, Values]
    ) -> None:
        parts = record.parts if isinstance(record, Record) else record
        form = record.form if isinstance(record, Record) else 0
        for index, part in enumerate(parts):
            where = (*place, form, index)
            if isinstance(part, Record):
                self._collect(part, where, scalars, lists)
            elif isinstance(part, int | bytes):
                scalars[where] = part
                self._see(where, part)
            elif isinstance(part, tuple) and part:
                self._collect_tuple(part, where, scalars, lists)

    def _collect_tuple(
        self, part: Values, where: Place, scalars: dict[Place, Any], lists: dict[Place, Values]
    ) -> None:
        if isinstance(part[0], tuple):  # rows: of records, or the ends of edges
            columns: dict[Place, Values] = {}
            for row in part:
                self.of_record(row, where)
                self._add_to_columns(row, where, columns)
            lists |= {where: part} | columns
            return
        lists[where] = part
        for value in part:
            self._see(where, value)
        if isinstance(part[0], bytes) and len(part) > 1:  # the corners of a grid
            for corner, cell in enumerate((part[0][:1], part[0][-1:], part[-1][:1], part[-1][-1:])):
                self._see((*where, 0, corner), cell)
        if len(part) <= _FEW_ITEMS:
            scalars |= {(*where, len(part), index): value for index, value in enumerate(part)}

    def _add_to_columns(self, row: Record | Values, where: Place, columns: dict[Place, Any]) -> None:
        form = row.form if isinstance(row, Record) else 0
        for index, part in enumerate(row.parts if isinstance(row, Record) else row):
            place = (*where, form, index)
            if isinstance(part, Record):
                self._add_to_columns(part, place, columns)
            elif isinstance(part, int | bytes):
                columns.setdefault(place, []).append(part)
            elif part and not isinstance(part[0], tuple):
                columns.setdefault((*place, _ALL_ROWS), []).extend(part)

    def _see(self, where: Place, value: int | bytes) -> None:
        before = self.seen.get(where)
        now = (value, value) if isinstance(value, int) else frozenset(value)
        if before is None or isinstance(before, tuple) is not isinstance(now, tuple):
            self.seen[where] = now
        elif isinstance(now, tuple):
            self.seen[where] = (min(before[0], now[0]), max(before[1], now[1]))
        else:
            self.seen[where] = before | now

    def _note(self, name: str, places: Sequence[Place], times: int, *, holds: bool) -> None:
        held, before = self.held.get((name, *places), (True, 0))
        self.held[name, *places] = (held and holds, before + times)

    def _compare(self, places: Sequence[Place], left: int, right: int) -> None:
        self._note("<", places, 1, holds=left < right)
        self._note("<=", places, 1, holds=left <= right)
        self._note(">", places, 1, holds=left > right)
        self._note(">=", places, 1, holds=left >= right)
        self._note("!=", places, 1, holds=left != right)
        self._note("next", places, 1, holds=abs(left - right) == 1)

    def _of_list(self, values: Values, where: Place) -> None:
        times = len(values) - 1
        if not times:
            return
        self._note("distinct", (where,), times, holds=len(set(values)) == len(values))
        self._note("several", (where,), times, holds=len(set(values)) > 1)
        if not isinstance(values[0], tuple):
            self._note("rising", (where,), times, holds=all(left < right for left, right in pairwise(values)))
            self._note("sorted", (where,), times, holds=all(left <= right for left, right in pairwise(values)))
            self._note("changing", (where,), times, holds=all(left != right for left, right in pairwise(values)))

    def _relate(self, places: Sequence[Place], scalar: int | bytes, values: Values) -> None:
        """Note the relations of a word and a list."""
        if isinstance(scalar, int):
            letters = {letter for value in values if isinstance(value, bytes) for letter in value}
            self._note("number of different letters", places, 1, holds=len(letters) == scalar)
            self._note("number of different values", places, 1, holds=len(set(values)) == scalar)
        if isinstance(values[0], tuple) or type(values[0]) is not type(scalar):
            return
        self._note("first", places, 1, holds=values[0] == scalar)
        self._note("last", places, 1, holds=values[-1] == scalar)
        self._note("one of", places, 1, holds=scalar in values)
        self._note("none of", places, 1, holds=scalar not in values)
        if isinstance(scalar, int):
            self._note("at most", places, 1, holds=max(values) <= scalar)
            self._note("below", places, 1, holds=max(values) < scalar)
            self._note("sum", places, 1, holds=sum(values) == scalar)


def _covers(seen: Any, values: Any) -> bool:
    """Return whether numbers are between those of the samples, and letters among theirs."""
    if isinstance(seen, tuple) is not isinstance(values, tuple):
        return True
    return bool(seen[0] <= values[0] and values[1] <= seen[1]) if isinstance(seen, tuple) else values <= seen
