"""The shrinker: a greedy loop over passes that keeps each simpler value that still fails, and starts for restarts."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import field
from itertools import islice, permutations
from random import Random

from harness.shapes.kinds import Record, Shape
from harness.shapes.kinds.kind import Rank
from harness.shapes.limits import spans, with_limits
from harness.shapes.passes import PASSES, Pass
from harness.shapes.reader import ShapeError
from harness.shapes.steps import Steps
from harness.shapes.values import draw, enumerate_values, fits, is_simpler, rank, size, write
from harness.values import dataclass

_AHEAD = 32  # candidates that are tried at once, at most
_AHEAD_IN_ALL = 100_000  # cells, letters and items of these together: making larger ones again would take too long


@dataclass(frozen=True, kw_only=True)
class Shrunk:
    """The result of a search for a smaller value."""

    value: Record
    executions: int
    is_minimal: bool  # no candidate of any pass fails; False if the budget ran out first
    is_proven: bool  # no value of smaller size fails: all were tried


def candidates(shape: Shape, value: Record) -> Iterator[Record]:
    """Yield distinct simpler values of the shape, the largest cuts first, none larger than `value`."""
    seen = _Seen(shape=shape, best=value)
    for one_pass in PASSES:
        for candidate in one_pass(shape.block, value):
            if seen.is_new(candidate):
                yield candidate


def shrink(
    shape: Shape, value: Record, fails: Callable[[Record], bool], budget: int, *, exhaustive: int = 0
) -> Shrunk:
    """Return the simplest failing value that the passes reach from `value`, with at most `budget` calls of `fails`.

    Deterministic; no value is tried twice. When no pass helps any more, at most `exhaustive` smaller values of the
    shape are tried, the smallest first, since the greedy loop alone may miss the minimum.
    """

    def failing(candidates: Sequence[Record]) -> list[bool]:
        return [fails(candidate) for candidate in candidates]

    return shrink_ahead(shape, value, failing, budget, exhaustive=exhaustive, ahead=1)


def shrink_ahead(
    shape: Shape,
    value: Record,
    failing: Callable[[Sequence[Record]], Sequence[bool]],
    budget: int,
    *,
    exhaustive: int = 0,
    ahead: int = _AHEAD,
) -> Shrunk:
    """Shrink as `shrink`, but try up to `ahead` candidates at once, since the first ones mostly do not fail.

    failing: returns which values fail. The result is the same as that of `shrink`; some answers are not used.
    """
    search = _Search(seen=_Seen(shape=shape, best=value), failing=failing, budget=budget, ahead=ahead)
    progress = True
    while progress and search.executions < budget:
        progress = False
        for one_pass in PASSES:
            progress |= search.follow(one_pass)
    minimal = search.executions < budget and not progress
    proven = minimal and exhaustive > 0 and search.try_smaller(exhaustive)
    return Shrunk(value=search.seen.best, executions=search.executions, is_minimal=minimal, is_proven=proven)


def simplest_of_its_size(
    shape: Shape, value: Record, failing: Callable[[Sequence[Record]], Sequence[bool]], most: int
) -> Record:
    """Return the simplest failing value of the same size as a failing value, among the first `most` of that size."""
    seen = _Seen(shape=shape, best=value)
    search = _Search(seen=seen, failing=failing, budget=most, ahead=_AHEAD)
    values = islice(enumerate_values(shape, seen.best_rank[0], seen.best_rank[0]), most)
    while drawn := list(islice(values, _AHEAD)):
        while search.take_first(drawn):
            pass
    return seen.best


@dataclass(kw_only=True)
class _Seen:
    """The best value so far, and digests of all values that were tried."""

    shape: Shape
    best: Record
    digests: set[bytes] = field(default_factory=set)
    best_rank: Rank = (0, 0, 0)

    def __post_init__(self) -> None:
        self.take(self.best)

    def take(self, value: Record) -> None:
        """Set the best value."""
        self.best, self.best_rank = value, rank(self.shape, value)
        self.digests.add(self._digest(write(self.shape, value)))

    def forget(self, candidate: Record) -> None:
        """Let a candidate be tried again."""
        self.digests.discard(self._digest(write(self.shape, candidate)))

    def is_new(self, candidate: Record) -> bool:
        """Return whether a candidate fits the shape, is simpler than the best, and is new; from now on it is not."""
        if candidate == self.best or not fits(self.shape, candidate):
            return False
        key = rank(self.shape, candidate)
        if key > self.best_rank:
            return False
        text = write(self.shape, candidate)
        digest = self._digest(text)
        if digest in self.digests or (key == self.best_rank and text > write(self.shape, self.best)):
            return False
        self.digests.add(digest)
        return True

    def _digest(self, text: bytes) -> bytes:
        return hashlib.blake2b(text, digest_size=16).digest()


@dataclass(kw_only=True)
class _Search:
    seen: _Seen
    failing: Callable[[Sequence[Record]], Sequence[bool]]
    budget: int
    ahead: int
    executions: int = 0

    def follow(self, one_pass: Pass) -> bool:
        """Run a pass from the best value; return whether the best value improved.

        Several candidates are drawn before any is tried, as if none failed. If one before the last of them fails, the
        pass is started again and gets the same answers up to that one; its candidates depend only on the answers.
        """
        block, start, is_better, width = self.seen.shape.block, self.seen.best, False, 1
        answers: list[bool] = []
        steps, current = _after(one_pass(block, start), answers)
        while current is not None and self.executions < self.budget:
            drawn, indexes, current = self._drawn(steps, current, min(width, self.budget - self.executions))
            taken = self._first_taken([drawn[index] for index in indexes])
            last = len(drawn) - 1 if taken is None else indexes[taken]
            answers += [False] * last + [taken is not None]
            if taken is None:
                width = min(2 * width, self.ahead, max(1, _AHEAD_IN_ALL // max(1, self.seen.best_rank[0])))
            else:
                is_better, width = True, max(1, width // 4)
            if current is not None and last == len(drawn) - 1:
                current = _told(steps, answer=taken is not None)
            elif taken is not None:
                steps, current = _after(one_pass(block, start), answers)
        return is_better

    def _drawn(
        self, steps: Steps[Record], current: Record, most: int
    ) -> tuple[list[Record], list[int], Record | None]:
        """Return the next candidates, up to `most` new ones; the indexes of these; the last one, None at the end."""
        drawn: list[Record] = []
        indexes: list[int] = []
        upcoming: Record | None = current
        while upcoming is not None:
            if self.seen.is_new(upcoming):
                indexes.append(len(drawn))
            drawn.append(upcoming)
            if len(indexes) == most:
                break
            upcoming = _told(steps, answer=False)
        return drawn, indexes, upcoming

    def try_smaller(self, most: int) -> bool:
        """Try at most `most` values of smaller size, the smallest first; return whether all of them were tried."""
        smaller = enumerate_values(self.seen.shape, self.seen.best_rank[0] - 1)
        while most > 0 and self.executions < self.budget:
            width = min(self.ahead, most, self.budget - self.executions)
            drawn = list(islice(smaller, width))
            most -= len(drawn)
            if self.take_first(drawn):
                return True  # all smaller values were tried before it
            if len(drawn) < width:
                return True
        return next(smaller, None) is None

    def take_first(self, drawn: Sequence[Record]) -> bool:
        """Try the new ones of these candidates; return whether one fails. The first that does becomes the best."""
        return self._first_taken([candidate for candidate in drawn if self.seen.is_new(candidate)]) is not None

    def _first_taken(self, candidates: Sequence[Record]) -> int | None:
        """Return the index of the first failing candidate, which becomes the best value."""
        if not candidates:
            return None
        self.executions += len(candidates)
        answers = list(self.failing(candidates))
        if True not in answers:
            return None
        first = answers.index(True)
        for index in range(first + 1, len(candidates)):
            if answers[index]:
                self.seen.forget(candidates[index])
        self.seen.take(candidates[first])
        return first


def _told(steps: Steps[Record], *, answer: bool) -> Record | None:
    """Send the answer to a pass; return its next candidate, None at its end."""
    try:
        return steps.send(answer)
    except StopIteration:
        return None


def _after(steps: Steps[Record], answers: Sequence[bool]) -> tuple[Steps[Record], Record | None]:
    """Send these answers to a pass; return it and its next candidate."""
    current = next(steps, None)
    for answer in answers:
        current = _told(steps, answer=answer)
    return steps, current


_FIRST_STEPS, _SECOND_STEPS = 300, 60  # candidates for a value, and for a candidate, of which some are chosen
_ROUNDS = 300  # of such candidates, and of random values; a round may yield no simpler value
_AT_ONCE = 8  # of each in a round, at most
_TRADES = 8  # draws with a lower count and a higher other count


def others(shape: Shape, value: Record, source: Random) -> Iterator[Record]:
    """Yield simpler values as new starts: by two steps of passes, where one alone does not fail, and at random."""
    steps = list(islice(candidates(shape, value), _FIRST_STEPS))
    most = size(shape, value)
    for _ in range(_ROUNDS if most > 0 else 0):
        if steps:
            seconds = list(islice(candidates(shape, source.choice(steps)), _SECOND_STEPS))
            yield from source.sample(seconds, min(_AT_ONCE, len(seconds)))
        for _ in range(_AT_ONCE):
            try:
                drawn = draw(shape, source, source.randint(1 + most // 4, most))
            except ShapeError:
                return
            if is_simpler(shape, drawn, value):
                yield drawn


def traded(shape: Shape, value: Record) -> Iterator[Record]:
    """Yield smaller values with a lower count and a higher other count: 1 x 1000 for 2 x 999."""
    most, axes = size(shape, value), [span for span in spans(shape) if span.name in shape.block.axes]
    for fewer, more in permutations(axes, 2):
        old, other = value.part(fewer.name), value.part(more.name)
        for count in dict.fromkeys((1, old // 2, old - 1)):
            if more.high is None or not max(1, fewer.low or 0) <= count < old or other >= more.high:
                continue
            highest = min(more.high, old * other // count)
            forced = with_limits(shape, fewer.index, low=count, high=count)
            forced = with_limits(forced, more.index, low=min(other + 1, highest), high=highest)
            with suppress(ShapeError):
                drawn = (draw(forced, Random(number), most, full=number % 2 > 0) for number in range(_TRADES))
                yield from (smaller for smaller in drawn if size(shape, smaller) < most and fits(shape, smaller))
