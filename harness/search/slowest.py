"""Search the input on which a program is slowest relative to the reference.

1. Try a few large inputs: most programs that are too slow are too slow on any of them. 2. Change parts of a slow
input while that makes it slower. 3. Try known killers. 4. Try hundreds of small inputs, and changed calls of the
slowest generated ones. They are measured in basic blocks if the compiler can count these, since short times are
noise. 5. Make the slowest killer and the slowest kinds of inputs at growing sizes; change the slowest; try more large
inputs.
"""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import field, replace
from functools import partial
from itertools import chain, islice, takewhile
from random import Random

from harness.errors import MachineError
from harness.host.host import Host
from harness.host.run_many import OutOfTimeError, Programs
from harness.rules.time_limit import least_multiple_s
from harness.sandbox.facts import Sandbox
from harness.search import generator_calls
from harness.search.build_programs import build, build_slow_accepted, guarded
from harness.search.candidates import BUILDING, Candidate, Clock, Source
from harness.search.change_parts import with_one_part_changed
from harness.search.change_texts import mutations
from harness.search.evaluate import Evaluator
from harness.search.generator_calls import capped, changed
from harness.search.grow_texts import grown_validly
from harness.search.policy import CALLS, HUNT, REDUCE, SLOWEST
from harness.search.preparation import Preparation
from harness.search.sized_inputs import (
    in_turn,
    is_smaller,
    killers,
    large_inputs,
    larger_inputs,
    small_of,
    smaller_inputs,
)
from harness.search.sources import as_they_are, bases_of, cases_of
from harness.search.stopwatch import Slowest, SlowInput, Stopwatch, of_different_kinds
from harness.search.target import SearchTarget
from harness.search.time_fit import fitted
from harness.search.time_guard import ended_by
from harness.shapes import Shape, parsed
from harness.shapes.drawing import Bits
from harness.values import dataclass


@dataclass(kw_only=True)
class SlowHunt:
    """A search for slow inputs, within `time_s` seconds; building may take longer.

    interrupted: the user ended it early (KeyboardInterrupt). has_grown: inputs of some kind were tried up to the
    largest. _timed: inputs of plain runs: the slowest so far, and
    others of their kinds. _small: the small inputs with the highest fitness, whose kinds are still to grow.
    """

    target: SearchTarget
    host: Host
    seed: int
    time_s: float
    tell: Callable[[str, SlowInput | None], None] = lambda _phase, _worst: None
    clock: Clock = field(default_factory=Clock)
    interrupted: bool = False
    has_grown: bool = False
    _timed: list[SlowInput] = field(default_factory=list)
    _small: list[SlowInput] = field(default_factory=list)

    def run(self) -> Slowest | None:
        """Return the slowest input; None if no input could be tried."""
        self.clock.enter(BUILDING)
        if not self.target.played:  # outputs are not judged
            self.target = replace(self.target, package=replace(self.target.package, output_validators=()))
        built, limits = build(self.target, self.host), self.target.package.limits
        accepted = [] if limits.time_limit_s is not None else build_slow_accepted(self.target, self.host)
        self.target = guarded(self.target, built)
        with Programs(host=self.host) as programs:
            self.evaluator = Evaluator(target=self.target, programs=programs, built=built)
            programs.deadline_s = self.clock.end_s(self.time_s, REDUCE.beyond_s)
            least_s = min(
                time.monotonic() + min(self.time_s, SLOWEST.least_s), programs.deadline_s - HUNT.least_search_s
            )
            search_end_s = self.clock.search_end_s(self.time_s, REDUCE.beyond_s)
            self._watch = Stopwatch(
                evaluator=self.evaluator,
                deadline_s=max(search_end_s, least_s),
                limit_s=limits.time_limit_s or least_multiple_s(0, limits),
                accepted=accepted,
            )
            try:
                self._search(programs)
            except KeyboardInterrupt:
                self.interrupted = True
            return self._result()

    def _search(self, programs: Programs) -> None:
        """Fill `_timed`."""
        self.clock.enter("learning what inputs look like")
        preparation = Preparation(
            evaluator=self.evaluator, pool=self.host.pool, time_s=self._watch.left_s, enter=self.clock.enter
        )
        with self._in_time():
            preparation.run()
        self.target = self.evaluator.target
        self.clock.enter("trying large inputs")
        with self._in_time():
            self._alone(self._try_some_large)
            self.host.pool.alone(self._climb, SLOWEST.promising_part * self.limit_s)
        if not self._is_over:
            self.clock.enter("trying known killers")
            with self._in_time():
                self._alone(self._try_killers)
        if not self._is_over:
            self._count_blocks(programs)
            self.clock.enter("trying small inputs")
            with self._in_time():
                self._alone(self._try_small)
        self.clock.enter("growing the slowest")
        with suppress(OutOfTimeError), ended_by(programs.deadline_s):
            self._alone(self._grow)

    def _alone(self, work: Callable[[Sandbox], None]) -> None:
        """Do some work in one sandbox, while nothing else runs: that would distort the measurements."""
        self.host.pool.alone(lambda sandbox, _: work(sandbox), None)

    @contextmanager
    def _in_time(self) -> Iterator[None]:
        """End the block soon after the deadline of the search."""
        latest_s = self._watch.deadline_s + HUNT.late_s
        with suppress(OutOfTimeError), ended_by(latest_s), self._watch.evaluator.programs.until(latest_s):
            yield

    def _count_blocks(self, programs: Programs) -> None:
        """Build programs that count basic blocks, if there is time; it delays the end of the search a little."""
        if self._watch.left_s < SLOWEST.least_s:
            return
        self.clock.enter(BUILDING)
        began_s = time.monotonic()
        with suppress(MachineError):
            self._watch.count_blocks(self.host)
        took_s = time.monotonic() - began_s
        programs.deadline_s = self.clock.end_s(self.time_s, REDUCE.beyond_s)
        latest_s = programs.deadline_s - HUNT.least_search_s
        self._watch.deadline_s = min(self._watch.deadline_s + min(took_s, SLOWEST.least_s), latest_s)

    @property
    def limit_s(self) -> float:
        """Return the time limit of the problem, in seconds; if none is stated, what the inputs so far infer."""
        return self._watch.limit_s

    @property
    def _shape(self) -> Shape | None:
        """Return the shape with the widest limits if it is guessed: inputs of the samples' sizes are never slow."""
        return self.target.widest

    @property
    def _is_over(self) -> bool:
        """Return whether some input exceeds the time limit, as `_exceeds` says, in a plain run."""
        return any(map(self._exceeds, self._timed))

    @property
    def _slowest(self) -> SlowInput | None:
        return max(self._timed, key=lambda slow: slow.cpu_s, default=None)

    def _exceeds(self, contender: SlowInput) -> bool:
        """Return whether an input exceeds the time limit; one that stops a solution of the package is doubtful."""
        stopped = contender.reference.stopped and not self.target.has_brute_force
        return contender.cpu_s > self.limit_s and not stopped

    def _stands_out(self, contender: SlowInput) -> bool:
        """Return whether an input is clearly slower than all so far, or slower for its size and the reference."""
        least_s = max((slow.cpu_s for slow in self._timed), default=0.0)
        least = max((slow.fitness for slow in self._timed), default=0.0)
        return contender.cpu_s > SLOWEST.least_slower * least_s or contender.fitness > SLOWEST.least_slower * least

    def _is_slow(self, contender: SlowInput) -> bool:
        return contender.cpu_s > SLOWEST.slow_small_part * self.limit_s

    def _try_some_large(self, sandbox: Sandbox) -> None:
        """Try a few large inputs: most programs that are too slow are too slow on nearly all of them."""
        end_s = time.monotonic() + SLOWEST.large_first_part * self._watch.left_s
        cases = self._grown(sandbox, turn=0) if self.target.package.input_validators else iter(())
        self._try_large(sandbox, Random(self.seed), chain(as_they_are(self.target.raised_cases), cases), end_s)

    def _try_small(self, sandbox: Sandbox) -> None:
        """Try small inputs, then changed calls of the best generated inputs."""
        began_s = time.monotonic()
        left_s, source = self._watch.deadline_s - began_s, Random(self.seed)
        for candidate in self._small_inputs(sandbox, source):
            if self._small and time.monotonic() - began_s > SLOWEST.small_part * left_s:
                break
            if not self._watch.has_time:
                break
            self._consider(sandbox, candidate)
        while time.monotonic() - began_s < SLOWEST.changed_part * left_s:
            calls = [call for slow in self._small if (call := slow.candidate.invocation) is not None]
            if not calls:
                break
            parent = calls[source.getrandbits(8) % len(calls)]
            self._consider(sandbox, generator_calls.candidate_of(changed(parent, source)))

    def _small_inputs(self, sandbox: Sandbox, source: Random) -> Iterator[Candidate]:
        """Yield a small call of each kind, then random inputs of the shape; with changed cases if few are valid."""
        recipe, shape, package = self.target.recipe, self._shape, self.target.package
        for call in generator_calls.distinct(recipe) if recipe is not None else ():
            yield generator_calls.candidate_of(capped(call, CALLS.small_side))
        cases = chain(as_they_are(self.target.raised_cases), self._changed_cases(sandbox, turn=1))
        if shape is None:
            cases = chain(
                *(cases_of(each, with_answers=False) for each in (package.sample, package.secret)), cases
            )
        while shape is not None and (drawn := small_of(shape, source.getrandbits(30))) is not None:
            yield drawn
            if self._watch.refused > SLOWEST.refused_times * max(self._watch.tried, SLOWEST.refused_first):
                yield from islice(cases, 1)
        yield from cases

    def _changed_cases(self, sandbox: Sandbox, *, turn: int) -> Iterator[Candidate]:
        """Yield changed and larger copies of the cases. turn: added to the seed."""
        bases, seed = bases_of(self.target, spares_secret=False), self.seed + turn
        if not self.target.package.input_validators:
            yield from mutations(bases, seed)
            return
        bases += self.target.raised_cases
        pairs = chain.from_iterable(zip(self._grown(sandbox, turn=turn), mutations(bases, seed), strict=False))
        yield from (candidate for candidate in pairs if candidate is not None)

    def _grown(self, sandbox: Sandbox, *, turn: int) -> Iterator[Candidate | None]:
        """Yield large copies of cases, which grow in ways that are valid when small; None: many ways were not."""
        bases, raised = bases_of(self.target, spares_secret=False), self.target.raised_cases
        bases *= 1 + len(raised) // max(1, len(bases))  # a case raised to its limit cannot rise
        valid = partial(self.evaluator.accepted, sandbox)
        return grown_validly([*bases, *raised], self.seed + turn, valid)

    def _consider(self, sandbox: Sandbox, candidate: Candidate) -> None:
        """Run a candidate; keep it if it is among the slowest for its size."""
        contender = self._watch.timed(sandbox, candidate, plainly=False)
        if contender is not None:
            ranked = sorted([*self._small, contender], key=lambda slow: -slow.fitness)
            self._small = ranked[: 2 * SLOWEST.finalists]
            self.tell("trying", self._small[0])

    def _keep(self, contender: SlowInput) -> SlowInput:
        self._timed.append(contender)
        self.tell("growing", contender)
        return contender

    def _grow(self, sandbox: Sandbox) -> None:
        """Try the finalists at growing sizes, then other large inputs, until one exceeds the time limit."""
        self.tell("growing", self._small[0] if self._small else None)
        if not self._is_over:
            fittest = sorted(self._timed, key=lambda slow: -slow.fitness)
            for slow in of_different_kinds(fittest)[: SLOWEST.fittest]:
                self._grow_kind(sandbox, slow)
            for finalist in of_different_kinds(self._small)[: SLOWEST.finalists]:
                if not self._timed or self._watch.has_time:
                    first = self._watch.timed(sandbox, finalist.candidate, plainly=True) or finalist
                    self._grow_kind(sandbox, self._keep(first))
            self._climb(sandbox, SLOWEST.least_climbed_s, turn=1)
            cases = self._changed_cases(sandbox, turn=2)
            self._try_large(sandbox, Random(self.seed + 1), cases, self._watch.deadline_s)
        alike = self._slowest_kind
        if alike and all(slow.parent_kind is not None for slow in alike[1:]):  # one input, with changes
            self._grow_kind(sandbox, alike[0], below=len(alike[0].data))

    def _try_large(
        self, sandbox: Sandbox, source: Random, cases: Iterator[Candidate | None], end_s: float
    ) -> None:
        """Try large inputs of all kinds, and changed cases, until one exceeds the time limit; keep the slowest."""

        def cases_a_draw() -> int:
            refused = self._watch.refused > SLOWEST.refused_times * max(self._watch.tried, 1)
            return SLOWEST.cases_a_draw if refused else 1

        if time.monotonic() > end_s:
            return
        for candidate in in_turn(large_inputs(self._shape, source), cases, cases_a_draw):
            if self._is_over or time.monotonic() > end_s:
                return
            contender = self._watch.timed(sandbox, candidate, plainly=True) if candidate is not None else None
            if contender is not None and (self._stands_out(contender) or self._exceeds(contender)):
                self._keep(contender)

    def _climb(self, sandbox: Sandbox, least_s: float, turn: int = 0) -> None:
        """Change the words of one place of the slowest input, again and again, while that makes it slower.

        least_s: only an input that takes longer is changed. turn: added to the seed, for other changes in a later
        call.
        """
        end_s = time.monotonic() + SLOWEST.climbing_part * self._watch.left_s
        worst, source = self._slowest, Random(self.seed + turn)
        while worst is not None and worst.cpu_s > least_s and not self._is_over:
            worst = self._slower(sandbox, worst, source, end_s)

    def _slower(self, sandbox: Sandbox, worst: SlowInput, source: Random, end_s: float) -> SlowInput | None:
        """Return the first changed copy of the slowest input that is even slower; None: there is none, or no time."""
        description = f"{worst.candidate.description.partition(',')[0]}, changed"
        for data in with_one_part_changed(worst.data, Bits(source=source)):
            if time.monotonic() > end_s:
                return None
            if not (self.target.can_validate or self._shape is None or parsed(self._shape, data) is not None):
                continue
            candidate = Candidate(source=Source.RANDOM, description=description, data=data)
            contender = self._watch.timed(sandbox, candidate, plainly=True)
            if contender is not None and contender.cpu_s > SLOWEST.least_climb * worst.cpu_s:
                return self._keep(replace(contender, parent_kind=worst.kind))
        return None

    def _try_killers(self, sandbox: Sandbox) -> None:
        """Try the known killers that fit the shape, until one exceeds the time limit; keep the fittest."""
        shape, end_s = self._shape, time.monotonic() + SLOWEST.killer_part * self._watch.left_s
        if shape is None:
            return
        worst: SlowInput | None = None
        for candidate in killers(shape, [SLOWEST.killer_size]):
            if time.monotonic() > end_s or self._is_over or (worst is not None and worst.cost.stopped):
                return
            contender = self._watch.timed(sandbox, candidate, plainly=True)
            if contender is not None and (worst is None or contender.fitness > worst.fitness):
                worst = self._keep(contender)

    @property
    def _slowest_kind(self) -> list[SlowInput]:
        """Return the slowest input and others of its kind, in the order in which they were timed."""
        slowest = self._slowest
        return [slow for slow in self._timed if slowest is not None and slow.kind == slowest.kind]

    def _result(self) -> Slowest | None:
        """Return the slowest input and the points of its kind; None: no input was tried."""
        alike = self._slowest_kind or self._small[:1]
        if not alike:
            return None
        points = sorted((slow.point for slow in alike), key=lambda point: point.size)
        return Slowest(
            worst=max(alike, key=lambda slow: slow.cpu_s),
            points=tuple(points),
            fit=fitted(points),
            tried=self._watch.tried,
            crashes=self._watch.crashes,
        )

    def _grow_kind(self, sandbox: Sandbox, first: SlowInput, *, below: float = math.inf) -> None:
        """Time small inputs of its kind, then larger ones up to the limit or deadline; a changed case has none.

        below: the larger ones have fewer bytes than this.
        """
        self._time_smaller(sandbox, first)
        if below == math.inf and self._exceeds(first):
            return
        refused = 0
        for candidate in takewhile(partial(is_smaller, below), larger_inputs(first.candidate, self.target.recipe)):
            if not self._watch.has_time:
                return
            if refused == SLOWEST.most_stalls:
                break
            contender = self._watch.timed(sandbox, candidate, plainly=True)
            refused = 0 if contender is not None else refused + 1
            if contender is not None and self._keep(contender).cpu_s > self.limit_s:
                return
        self.has_grown = self.has_grown or below == math.inf

    def _time_smaller(self, sandbox: Sandbox, first: SlowInput) -> None:
        """Time smaller inputs of the same kind: several if `first` is slow, else only the smallest one."""
        candidates = list(filter(partial(is_smaller, length := len(first.data)), smaller_inputs(first.candidate)))
        for candidate in candidates if self._is_slow(first) else candidates[-1:]:
            if not self._watch.has_time:
                return
            contender = self._watch.timed(sandbox, candidate, plainly=True)
            if contender is not None and len(contender.data) < length:
                length = len(contender.data)
                self._keep(contender)
