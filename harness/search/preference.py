"""Weigh how small failing inputs are against how much they are like the samples."""

import math
from collections.abc import Sequence
from dataclasses import field

from harness.search.candidates import Source, TriedCandidate
from harness.search.likeness import Likeness, is_too_large
from harness.search.likeness_policy import LIKENESS
from harness.shapes import parsed
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
