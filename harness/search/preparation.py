"""Learn what inputs look like before a search, and try small inputs meanwhile: most wrong programs fail on them."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from harness.host.pool import Pool
from harness.search.candidates import ASKING, Candidate, Source, TriedCandidate
from harness.search.evaluate import Evaluator
from harness.search.learn import Learning
from harness.search.policy import HUNT
from harness.search.sample_rules import as_samples_show
from harness.search.search_loop import SearchLoop
from harness.search.shape_policy import PROBING
from harness.search.sources import bases_of, mixture
from harness.search.target import SearchTarget
from harness.values import dataclass


@dataclass(kw_only=True)
class Preparation:
    """What is done before a search. What is learnt is kept in the evaluator's target, step by step.

    time_s: of the whole search. enter: tells the phase. raises_numbers: whether to learn `raised_cases`. loop: tries
    inputs meanwhile; None: no input is tried. spares_secret: do not derive inputs from secret cases.
    """

    evaluator: Evaluator
    pool: Pool
    time_s: float
    enter: Callable[[str], None]
    raises_numbers: bool = True
    loop: SearchLoop | None = None
    seed: int = 0
    spares_secret: bool = False

    @property
    def target(self) -> SearchTarget:
        """Return what is known so far."""
        return self.evaluator.target

    def _learn(self, **known: Any) -> None:
        self.evaluator.target = replace(self.evaluator.target, **known)

    def run(self, search_end_s: float = math.inf) -> TriedCandidate | None:
        """Learn the shape and limits of inputs; return an input that fails meanwhile, which ends the preparation."""
        learning = Learning(evaluator=self.evaluator, pool=self.pool)
        self._learn_shape(learning)
        if not self.target.guessed:
            return None
        bases = bases_of(self.target, spares_secret=self.spares_secret)
        if (early := self._try_cases(bases, search_end_s)) is not None:
            return early
        if not self.target.package.input_validators:
            return None
        self._learn_sums(learning)
        seconds = min(HUNT.learn_limits_s, self.time_s / 5)
        if self.target.shape is not None:
            self._learn(shape=learning.learn_rules(self.target.shape, seconds))
        if (early := self._try_small()) is not None:
            return early
        self.enter(ASKING)
        if self.target.shape is not None:
            self._learn(shape=learning.learn_limits(self.target.shape, seconds))
        if self.raises_numbers:
            self._learn(raised_cases=learning.raise_numbers(bases, min(HUNT.raise_numbers_s, self.time_s / 10)))
        return None

    def _learn_shape(self, learning: Learning) -> None:
        shape = learning.learn_shape()
        if (self.target.drafts or self.target.has_unknown_format) and self.evaluator.built.reference is not None:
            shape = learning.learn_from_reference(self.target.drafts, min(PROBING.all_s, self.time_s / 4))
        self._learn(shape=shape)
        if shape is not None and not self.target.can_validate:
            self._learn(sample_shape=as_samples_show(shape, self.target.sample_inputs))

    def _learn_sums(self, learning: Learning) -> None:
        """Ask the validators about the sums in a single sample, which may be chance."""
        samples = set(self.target.sample_inputs)
        if len(samples) == 1:
            self._learn(demanded_sums=learning.demanded_sums(samples.pop()))

    def _try_cases(self, bases: Sequence[tuple[str, bytes]], search_end_s: float) -> TriedCandidate | None:
        """Try the smallest cases; return one that fails, or None.

        Where there are no cases, they are draws of a shape, which only validators can tell to be valid.
        """
        are_unsure = bool(self.target.drafts) and not self.target.package.input_validators
        if self.loop is None or self.target.played or are_unsure:
            return None
        smallest = sorted(bases, key=lambda case: len(case[1]))[: HUNT.first_cases]
        cases = [Candidate(source=Source.CASE, description=name, data=data) for name, data in smallest]
        return self.loop.failing_in(cases, search_end_s)

    def _try_small(self) -> TriedCandidate | None:
        """Try small inputs for a short time, as learning limits takes longer; return one that fails, or None."""
        if self.loop is None:
            return None
        deadline_s = time.monotonic() + min(HUNT.try_small_s, self.time_s / 10)
        mixed = mixture(self.target, self.seed, spares_secret=self.spares_secret).small()
        return self.loop.first_failing(mixed, deadline_s)
