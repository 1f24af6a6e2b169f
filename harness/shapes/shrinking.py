"""Smaller values: the stream of candidates for one value, and the greedy loop that follows those which still fail."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from itertools import islice
from random import Random

from harness.shapes.errors import ShapeError
from harness.shapes.kinds import Record, Shape
from harness.shapes.measure import Rank
from harness.shapes.passes import PASSES, Pass
from harness.shapes.steps import Steps
from harness.shapes.values import draw, enumerate_values, fits, is_simpler, rank, size, write
from harness.values import dataclass

_AHEAD_IN_ALL = (
    100_000  # cells, letters, …: to draw large values again takes longer than to ask about them one by one
)


@dataclass(frozen=True, kw_only=True)
class Shrunk:
    """What a search for a smaller value found."""

    value: Record
    executions: int
    is_minimal: bool  # no candidate of any pass fails; False if the budget ran out first
    is_proven: bool  # no value of the shape that is smaller in size fails: all were tried


def candidates(shape: Shape, value: Record) -> Iterator[Record]:
    """Simpler values of the shape, lazily, the largest cuts first; each is no larger than `value` and comes once."""
    seen = _Seen(shape=shape, best=value)
    for one_pass in PASSES:
        for candidate in one_pass(shape.block, value):
            if seen.is_new(candidate):
                yield candidate


def shrink(
    shape: Shape, value: Record, fails: Callable[[Record], bool], budget: int, *, exhaustive: int = 0
) -> Shrunk:
    """The simplest value that the passes find from `value`, which fails, with at most `budget` calls of `fails`.

    Deterministic; never asks for a value twice. When no pass finds anything any more, the smaller values of the shape
    are tried one after the other, the smallest first, `exhaustive` of them at most: greed alone may miss the minimum.
    """

    def failing(asked: Sequence[Record]) -> list[bool]:
        return [fails(candidate) for candidate in asked]

    return shrink_ahead(shape, value, failing, budget, exhaustive=exhaustive, ahead=1)


def shrink_ahead(
    shape: Shape,
    value: Record,
    failing: Callable[[Sequence[Record]], Sequence[bool]],
    budget: int,
    *,
    exhaustive: int = 0,
    ahead: int = 32,
) -> Shrunk:
    """As `shrink`, but asks about up to `ahead` candidates at once, in the hope that the first of them do not fail.

    The outcome is the same; some answers are for nothing.
    """
    seen = _Seen(shape=shape, best=value)
    search = _Search(shape=shape, failing=failing, budget=budget, ahead=ahead, seen=seen)
    progress = True
    while progress and search.executions < budget:
        progress = False
        for one_pass in PASSES:
            progress |= search.follow(one_pass)
    minimal = search.executions < budget and not progress
    proven = minimal and exhaustive > 0 and search.try_smaller(exhaustive)
    return Shrunk(value=search.seen.best, executions=search.executions, is_minimal=minimal, is_proven=proven)


def simplest_of_its_size(
    shape: Shape, value: Record, failing: Callable[[Sequence[Record]], Sequence[bool]], most: int, ahead: int = 32
) -> Record:
    """The simplest value that fails of the size of `value`, which fails; of `most` in the order of enumeration."""
    seen = _Seen(shape=shape, best=value)
    search = _Search(shape=shape, failing=failing, budget=most, ahead=ahead, seen=seen)
    values = islice(enumerate_values(shape, seen.best_rank[0], seen.best_rank[0]), most)
    while drawn := list(islice(values, ahead)):
        while search.take_first(drawn):
            pass
    return seen.best


@dataclass(kw_only=True)
class _Seen:
    """The best value yet, and digests of all values that have been asked for."""

    shape: Shape
    best: Record
    digests: set[bytes] = field(default_factory=set)
    best_rank: Rank = (0, 0, 0)

    def __post_init__(self) -> None:
        self.take(self.best)

    def take(self, value: Record) -> None:
        """This is the best value now."""
        self.best, self.best_rank = value, rank(self.shape, value)
        self.digests.add(self._digest(write(self.shape, value)))

    def forget(self, candidate: Record) -> None:
        """A candidate that may be asked about again."""
        self.digests.discard(self._digest(write(self.shape, candidate)))

    def is_new(self, candidate: Record) -> bool:
        """Whether a candidate is of the shape, simpler than the best, and was not asked for before."""
        if candidate == self.best or not fits(self.shape, candidate):
            return False
        place = rank(self.shape, candidate)
        if place > self.best_rank:
            return False
        text = write(self.shape, candidate)
        digest = self._digest(text)
        if digest in self.digests or (place == self.best_rank and text > write(self.shape, self.best)):
            return False
        self.digests.add(digest)
        return True

    def _digest(self, text: bytes) -> bytes:
        return hashlib.blake2b(text, digest_size=16).digest()


@dataclass(kw_only=True)
class _Search:
    shape: Shape
    failing: Callable[[Sequence[Record]], Sequence[bool]]
    budget: int
    ahead: int
    seen: _Seen
    executions: int = 0

    def follow(self, one_pass: Pass) -> bool:
        """Run a pass from the best value; whether it found a better one.

        Candidates are drawn as if none of them failed. Where one does that the pass no longer stands at, the pass is
        started again and told the same answers up to that one, since what it yields depends on nothing else.
        """
        start, is_better, width = self.seen.best, False, 1
        answers: list[bool] = []
        steps, current = _after(one_pass(self.shape.block, start), answers)
        while current is not None and self.executions < self.budget:
            drawn, asked, current = self._drawn(steps, current, min(width, self.budget - self.executions))
            taken = self._first_taken([drawn[place] for place in asked])
            last = len(drawn) - 1 if taken is None else asked[taken]
            answers += [False] * last + [taken is not None]
            if taken is None:
                width = min(2 * width, self.ahead, max(1, _AHEAD_IN_ALL // max(1, self.seen.best_rank[0])))
            else:
                is_better, width = True, max(1, width // 4)
            if current is not None and last == len(drawn) - 1:
                current = _told(steps, answer=taken is not None)
            elif taken is not None:
                steps, current = _after(one_pass(self.shape.block, start), answers)
        return is_better

    def _drawn(
        self, steps: Steps[Record], current: Record, most: int
    ) -> tuple[list[Record], list[int], Record | None]:
        """The next candidates; the places of at most `most` that are new; the last, unless the pass is at its end."""
        drawn: list[Record] = []
        asked: list[int] = []
        upcoming: Record | None = current
        while upcoming is not None:
            if self.seen.is_new(upcoming):
                asked.append(len(drawn))
            drawn.append(upcoming)
            if len(asked) == most:
                break
            upcoming = _told(steps, answer=False)
        return drawn, asked, upcoming

    def try_smaller(self, most: int) -> bool:
        """Try values of smaller size, the smallest first; whether none is left that could fail."""
        smaller = enumerate_values(self.shape, self.seen.best_rank[0] - 1)
        while most > 0 and self.executions < self.budget:
            width = min(self.ahead, most, self.budget - self.executions)
            drawn = list(islice(smaller, width))
            most -= len(drawn)
            if self.take_first(drawn):
                return True  # all that are smaller still were tried before it
            if len(drawn) < width:
                return True
        return next(smaller, None) is None

    def take_first(self, drawn: Sequence[Record]) -> bool:
        """Ask about those that are new and simpler than the best; whether one of them fails, which is the best then."""
        return self._first_taken([candidate for candidate in drawn if self.seen.is_new(candidate)]) is not None

    def _first_taken(self, asked: Sequence[Record]) -> int | None:
        """Ask; the place of the first that fails, which is the best value then."""
        if not asked:
            return None
        self.executions += len(asked)
        answers = list(self.failing(asked))
        if True not in answers:
            return None
        first = answers.index(True)
        for place in range(first + 1, len(asked)):
            if answers[place]:
                self.seen.forget(asked[place])
        self.seen.take(asked[first])
        return first


def _told(steps: Steps[Record], *, answer: bool) -> Record | None:
    """The next candidate of a pass, None at its end."""
    try:
        return steps.send(answer)
    except StopIteration:
        return None


def _after(steps: Steps[Record], answers: Sequence[bool]) -> tuple[Steps[Record], Record | None]:
    """A pass that has been given these answers, and its next candidate."""
    current = next(steps, None)
    for answer in answers:
        current = _told(steps, answer=answer)
    return steps, current


_FIRST_STEPS, _SECOND_STEPS, _AT_ONCE = 300, 60, 8
_ROUNDS = 300  # of which each may find nothing that is simpler


def others(shape: Shape, value: Record, source: Random) -> Iterator[Record]:
    """Many simpler values: by two steps of reducers, of which neither alone would do, and by chance."""
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
