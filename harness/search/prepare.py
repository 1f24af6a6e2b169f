"""What a search asks before it begins: the shape that a recipe's inputs tell, its limits, how large numbers may be."""

import contextlib
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.generate import Invocation
from harness.host.pool import Pool
from harness.sandbox import Sandbox
from harness.search.evaluate import Bench
from harness.search.large_numbers import raised
from harness.search.learn_graph_rules import loosened
from harness.search.learn_limits import Widening
from harness.search.learn_rules import tightened
from harness.search.learn_shape import learned
from harness.search.policy import VALIDITY
from harness.shapes import Shape


class _LateError(Exception):
    """The time for questions is over; what is known by then stands."""


@dataclass(frozen=True, kw_only=True)
class Preparing:
    """Questions to generators and to input validators, each on one worker."""

    bench: Bench
    pool: Pool

    def learned(self) -> Shape | None:
        """The shape of what the recipe makes, where there are no cases to guess it from; else the target's own."""

        def make(sandbox: Sandbox, calls: Sequence[Invocation]) -> list[bytes | None]:
            return self.bench.makers.make(sandbox, calls, patiently=False)

        return learned(self.bench.target, lambda calls: self.pool.alone(make, calls))

    def ruled(self, shape: Shape, seconds: float) -> Shape:
        """A guessed shape with the rules that the input validators tell, and without what samples show by chance."""
        samples = [case.input.read() for case in self.bench.target.package.sample.all_cases()]

        def rule(sandbox: Sandbox, known: Shape) -> Shape:
            valid = self._validity(sandbox, time.monotonic() + seconds)
            with contextlib.suppress(_LateError):
                known = loosened(known, valid)
                known = tightened(known, valid, samples)
            return known

        return self.pool.alone(rule, shape)

    def widened(self, shape: Shape, seconds: float) -> Shape:
        """A guessed shape with the limits that the input validators tell."""

        def widen(sandbox: Sandbox, known: Shape) -> Shape:
            deadline_s = time.monotonic() + seconds
            widening = Widening(shape=known, valid=self._validity(sandbox, deadline_s), deadline_s=deadline_s)
            with contextlib.suppress(_LateError):
                widening.run()
            return widening.shape

        return self.pool.alone(widen, shape)

    def raised(self, bases: Sequence[tuple[str, bytes]], seconds: float) -> list[tuple[str, bytes]]:
        """Cases with the largest numbers that the input validators accept: a guess does not look into words."""

        def largest(sandbox: Sandbox, known: Sequence[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
            return raised(known, self._validity(sandbox), time.monotonic() + seconds)

        return self.pool.alone(largest, bases)

    def _validity(self, sandbox: Sandbox, deadline_s: float = math.inf) -> Callable[[Sequence[bytes]], list[bool]]:
        """Which of some inputs are valid. Raises _LateError when it is asked after the deadline."""

        def valid(inputs: Sequence[bytes]) -> list[bool]:
            found: list[bool] = []
            for start in range(0, len(inputs), VALIDITY.validated_at_once):
                if time.monotonic() > deadline_s:
                    raise _LateError
                some = inputs[start : start + VALIDITY.validated_at_once]
                found += [one is not None for one in self.bench.guard.valid_under(sandbox, some)]
            return found

        return valid
