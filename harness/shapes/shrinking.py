"""Smaller values: the stream of candidates for one value, and the greedy loop that follows those which still fail."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from harness.shapes.enumeration import enumerate_values
from harness.shapes.faults import fits
from harness.shapes.measure import Rank, rank
from harness.shapes.model import Record, Shape
from harness.shapes.passes import PASSES, Pass
from harness.shapes.writing import write


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
    search = _Search(shape=shape, fails=fails, budget=budget, seen=_Seen(shape=shape, best=value))
    progress = True
    while progress and search.executions < budget:
        progress = False
        for one_pass in PASSES:
            progress |= search.follow(one_pass)
    minimal = search.executions < budget and not progress
    proven = minimal and exhaustive > 0 and search.try_smaller(exhaustive)
    return Shrunk(value=search.seen.best, executions=search.executions, is_minimal=minimal, is_proven=proven)


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
    fails: Callable[[Record], bool]
    budget: int
    seen: _Seen
    executions: int = 0

    def follow(self, one_pass: Pass) -> bool:
        """Run a pass from the best value; whether it found a better one."""
        steps, answer, found = one_pass(self.shape.block, self.seen.best), None, False
        while self.executions < self.budget:
            try:
                candidate = steps.send(answer)
            except StopIteration:
                break
            answer = self._is_taken(candidate)
            found |= answer
        return found

    def try_smaller(self, most: int) -> bool:
        """Try values of smaller size, the smallest first; whether none is left that could fail."""
        smaller = enumerate_values(self.shape, self.seen.best_rank[0] - 1)
        for number, candidate in enumerate(smaller):
            if number == most or self.executions >= self.budget:
                return False
            if self._is_taken(candidate):
                return True  # all that are smaller still were tried before it
        return True

    def _is_taken(self, candidate: Record) -> bool:
        if not self.seen.is_new(candidate):
            return False
        self.executions += 1
        if not self.fails(candidate):
            return False
        self.seen.take(candidate)
        return True
