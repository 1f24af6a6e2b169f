"""What a search asks before it begins: the shape that a recipe's inputs tell, its limits, how large numbers may be."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.generate import Invocation
from harness.pool import Pool
from harness.sandbox import Sandbox
from harness.search.bench import Bench
from harness.search.learn import learned
from harness.search.loosen import loosened
from harness.search.raised import raised
from harness.search.tighten import tightened
from harness.search.widen import Widening
from harness.shapes import Shape


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

    def widened(self, shape: Shape, seconds: float) -> Shape:
        """A guessed shape with the limits and the rules that the input validators tell."""
        samples = [case.input.read() for case in self.bench.target.package.sample.all_cases()]

        def widen(sandbox: Sandbox, known: Shape) -> Shape:
            valid = self._validity(sandbox)
            known = tightened(loosened(known, valid), valid, samples)
            return Widening(shape=known, valid=valid, deadline_s=time.monotonic() + seconds).run()

        return self.pool.alone(widen, shape)

    def raised(self, bases: Sequence[tuple[str, bytes]], seconds: float) -> list[tuple[str, bytes]]:
        """Cases with the largest numbers that the input validators accept: a guess does not look into words."""

        def largest(sandbox: Sandbox, known: Sequence[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
            return raised(known, self._validity(sandbox), time.monotonic() + seconds)

        return self.pool.alone(largest, bases)

    def _validity(self, sandbox: Sandbox) -> Callable[[Sequence[bytes]], list[bool]]:
        def valid(inputs: Sequence[bytes]) -> list[bool]:
            return [settings is not None for settings in self.bench.guard.valid_under(sandbox, inputs)]

        return valid
