"""Measure what an input costs: CPU seconds of the program and of the reference, and basic blocks if possible."""

import math
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import field, replace

from harness.build.builder import Builder
from harness.host.batches import Call
from harness.host.host import Host, judge_build_limits
from harness.host.run_many import OutOfTimeError, Runnable, build_counting, ending
from harness.rules.time_limit import least_multiple_s
from harness.sandbox.facts import Sandbox, wall_limit_s
from harness.search.candidates import Candidate
from harness.search.evaluate import Evaluator
from harness.search.generator_calls import kind_of
from harness.search.policy import RUNNING, SLOWEST
from harness.search.time_fit import Fit, Point, size_of
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Cost:
    """The cost of a run. steps: executed basic blocks, 0 if not counted. stopped: the run would have taken longer.

    crash: how the program ended if it failed by itself. succeeded: whether it ended well.
    """

    cpu_s: float
    steps: int = 0
    stopped: bool = False
    crash: str = ""
    succeeded: bool = True

    @property
    def effort_s(self) -> float:
        """Return the cost in seconds, plus a constant against noise; computed from steps if these are meaningful."""
        if self.steps_tell:
            return self.steps * SLOWEST.step_s + SLOWEST.step_floor_s
        return self.cpu_s + SLOWEST.start_s

    @property
    def steps_tell(self) -> bool:
        """Return whether the number of steps is meaningful: most of the time was spent in counted steps."""
        return (
            self.steps > 0
            and self.cpu_s - SLOWEST.start_s < SLOWEST.uncounted_factor * self.steps * SLOWEST.step_s
        )


@dataclass(frozen=True, kw_only=True)
class SlowInput:
    """An input, its cost for the program, and its cost for the reference.

    parent_kind: the kind of the input that this one is a changed copy of; None: it is no changed copy.
    """

    candidate: Candidate
    data: bytes
    cost: Cost
    reference: Cost
    parent_kind: object = None

    @property
    def fitness(self) -> float:
        """Return how slow it is for its size and relative to the reference."""
        return self.cost.effort_s / self.reference.effort_s * self.cost.effort_s

    @property
    def cpu_s(self) -> float:
        """Return the CPU seconds of the program."""
        return self.cost.cpu_s

    @property
    def kind(self) -> object:
        """Return what inputs of one kind share: the kind of the call, or a name; the data if there are no others."""
        candidate = self.candidate
        if self.parent_kind is not None:
            return self.parent_kind
        if candidate.invocation is not None:
            return kind_of(candidate.invocation)
        return candidate.description if candidate.at_size is not None else self.data

    @property
    def point(self) -> Point:
        """Return the input as a point of a plot: its size and costs."""
        return Point(
            size=size_of(self.data),
            bytes=len(self.data),
            cpu_s=self.cpu_s,
            reference_s=self.reference.cpu_s,
            steps=self.cost.steps if self.cost.steps_tell else 0,
            stopped=self.cost.stopped,
            reference_stopped=self.reference.stopped,
        )


@dataclass(frozen=True, kw_only=True)
class Slowest:
    """The slowest input, and how the time grows for its kind. tried: how many ran. crashes: see Stopwatch."""

    worst: SlowInput
    points: tuple[Point, ...]
    fit: Fit | None
    tried: int
    crashes: Sequence[str] = ()


@dataclass(kw_only=True)
class Stopwatch:
    """Runs the program and the reference on inputs, until `deadline_s` by time.monotonic().

    limit_s: the time limit in seconds. accepted: programs that may raise it, if none is stated. tried, refused: numbers
    of inputs that ran, and that the input validators refused. crashes: how the program ended where it crashed and the
    reference ended well. counting: programs that count basic blocks, by the id() of the normal program. _too_large:
    bytes of the smallest input on which a brute force was stopped; on larger ones it does not run.
    """

    evaluator: Evaluator
    deadline_s: float
    limit_s: float = RUNNING.default_limit_s
    accepted: Sequence[Runnable] = ()
    tried: int = 0
    refused: int = 0
    crashes: list[str] = field(default_factory=list)
    counting: dict[int, Runnable] = field(default_factory=dict)
    _too_large: float = math.inf

    @property
    def left_s(self) -> float:
        """Return the seconds until the deadline."""
        return max(0.0, self.deadline_s - time.monotonic())

    @property
    def has_time(self) -> bool:
        """Return whether the deadline has not passed."""
        return time.monotonic() < self.deadline_s

    def count_blocks(self, host: Host) -> None:
        """Build the program and the reference with counters of basic blocks, if possible."""
        package, built = self.evaluator.target.package, self.evaluator.built
        wanted = [(built.submission, host.builder), *([(built.reference, host.judges)] if built.reference else [])]

        def build_one(sandbox: Sandbox, pair: tuple[Runnable, Builder]) -> tuple[int, Runnable | None]:
            program, builder = pair
            limits = judge_build_limits(package.limits)
            return id(program), build_counting(
                builder, program.executable.program, limits, sandbox, package.include
            )

        pairs = host.pool.in_order(build_one, wanted)
        self.counting = {key: counting for key, counting in pairs if counting is not None}

    def timed(self, sandbox: Sandbox, candidate: Candidate, *, plainly: bool) -> SlowInput | None:
        """Run the program and the reference. None: the input is invalid, or time is over. plainly: see `_cost`."""
        data = candidate.data
        with suppress(OutOfTimeError):
            if data is None and candidate.invocation is not None:
                [data] = self.evaluator.generators.make(sandbox, [candidate.invocation])
            if data is None:
                return None
            if candidate.invocation is None:
                data = self.evaluator.target.column_sums.corrected(data)
            [settings] = self.evaluator.valid_under(sandbox, [data])
            if settings is None:
                self.refused += 1
                return None
            call, built = Call(stdin=data, arguments=settings.args), self.evaluator.built
            cost, reference = self._cost(sandbox, built.submission, call, plainly=plainly), Cost(cpu_s=0.0)
            if built.reference is not None:
                reference = self._cost_of_reference(sandbox, built.reference, call, plainly=plainly)
            target = self.evaluator.target
            fails = built.reference is not None and not reference.succeeded and not reference.stopped
            if fails and not target.can_validate and not target.played:
                return None  # probably invalid
            self.tried += 1
            if plainly and self.accepted and cost.cpu_s > self.limit_s:
                self._raise_limit(sandbox, call)
            if cost.crash and reference.succeeded and not target.played:
                self.crashes.append(cost.crash)
            return SlowInput(candidate=candidate, data=data, cost=cost, reference=reference)
        return None

    def _raise_limit(self, sandbox: Sandbox, call: Call) -> None:
        """Raise the limit as if the input were a case and no limit stated (2025-09, "Timelimit inference")."""
        limits = self.evaluator.target.package.limits
        slowest_s = max(self._cost(sandbox, program, call, plainly=True).cpu_s for program in self.accepted)
        self.limit_s = max(self.limit_s, least_multiple_s(limits.ac_to_time_limit * slowest_s, limits))

    def _cost_of_reference(self, sandbox: Sandbox, program: Runnable, call: Call, *, plainly: bool) -> Cost:
        if len(call.stdin) >= self._too_large:
            return Cost(cpu_s=self.limit_s, stopped=True, succeeded=False)
        cost = self._cost(sandbox, program, call, plainly=plainly)
        if cost.stopped and self.evaluator.target.has_brute_force:
            self._too_large = len(call.stdin)
        return cost

    def _cost(self, sandbox: Sandbox, program: Runnable, call: Call, *, plainly: bool) -> Cost:
        """Measure a run, up to a few time limits.

        plainly: in a process of its own, and steps are counted in a second run; else a single run of the program with
        counters, if there is one.
        """
        limit_s = max(self.evaluator.limits.cpu_s, self.limit_s)
        most_s = max(limit_s, min(SLOWEST.time_limits * limit_s, self.deadline_s - time.monotonic()))
        limits = replace(self.evaluator.limits, cpu_s=most_s, wall_s=wall_limit_s(most_s))
        chosen = replace(program, serves=False) if plainly else self.counting.get(id(program), program)
        [ran] = self.evaluator.programs.run(sandbox, chosen, [call], limits)
        cost = Cost(
            cpu_s=ran.result.cpu_s,
            steps=ran.steps,
            stopped=ran.is_late,
            crash="" if ran.succeeded or ran.result.killed_for is not None else ending(ran),
            succeeded=ran.succeeded,
        )
        counting = self.counting.get(id(program)) if plainly else None
        if counting is None or ran.result.cpu_s > SLOWEST.counted_part * limit_s:
            return cost
        [counted] = self.evaluator.programs.run(sandbox, counting, [call], limits)
        return replace(cost, steps=counted.steps)


def of_different_kinds(contenders: Sequence[SlowInput]) -> list[SlowInput]:
    """Return the first input of each kind."""
    kinds: dict[object, SlowInput] = {}
    for contender in contenders:
        kinds.setdefault(contender.kind, contender)
    return list(kinds.values())
