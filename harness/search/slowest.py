"""Hunts the input on which a program is slowest in proportion to the reference: families, then evolution, then size.

Small inputs first, for there hundreds fit into the time; the kinds of input that cost most for their size are changed
and kept while that helps; the winners are made at growing sizes up to the largest, and timed by plain runs.
"""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

from harness.generate import Invocation
from harness.host import Host
from harness.sandbox import Sandbox
from harness.search import families
from harness.search.batch import Call
from harness.search.bench import Bench
from harness.search.building import build
from harness.search.growth import Fit, Point, fitted
from harness.search.linked import Runnable
from harness.search.programs import Programs
from harness.search.target import Target
from harness.search.trial import Candidate, Source
from harness.shapes import Shape, ShapeError, draw, write

_NUMBER = re.compile(r"(?P<name>(?:--?)?[A-Za-z_][\w-]*=|)(?P<value>\d{1,18})")
_SMALL = 60
_FINALISTS = 4
_STEPS = 6
_SIZES = tuple(5000 << step for step in range(8))
_PATIENCE = 2  # limits that are waited for
_DRAWS = 6
_FLOOR_S = 0.002  # what a process costs without any input; noise below it


@dataclass(frozen=True, kw_only=True)
class Contender:
    """An input and what it cost: seconds per byte beyond what the reference takes are its fitness."""

    candidate: Candidate
    data: bytes
    cpu_s: float
    reference_s: float

    @property
    def fitness(self) -> float:
        """How slow it is for its size and against the reference."""
        return (self.cpu_s + _FLOOR_S) / (self.reference_s + _FLOOR_S) * (self.cpu_s + _FLOOR_S)


@dataclass(frozen=True, kw_only=True)
class Slowest:
    """The slowest input that was found, and how time grows on its kind."""

    worst: Contender
    points: tuple[Point, ...]
    fit: Fit | None
    tried: int


@dataclass(kw_only=True)
class SlowHunt:
    """A hunt for slow inputs, within `time_s` seconds."""

    target: Target
    host: Host
    seed: int
    time_s: float
    tell: Callable[[str, Contender | None], None] = lambda _phase, _worst: None
    tried: int = 0
    _best: list[Contender] = field(default_factory=list)
    _plain: dict[int, Runnable] = field(default_factory=dict)

    def run(self) -> Slowest | None:
        """The worst, None where no input could be tried."""
        built = build(self.target, self.host)
        with Programs(host=self.host) as programs:
            self.bench = Bench(target=self.target, programs=programs, built=built)
            return self.host.pool.alone(lambda sandbox, _: self._hunt(sandbox), None)

    @property
    def limit_s(self) -> float:
        """The time limit of the problem."""
        return self.bench.limits.cpu_s

    @property
    def _shape(self) -> Shape | None:
        """The shape, or the widest where it is a guess: the samples' own sizes are never slow."""
        shapes = self.target.shapes
        return shapes[-1] if shapes else None

    def _hunt(self, sandbox: Sandbox) -> Slowest | None:
        began_s = time.monotonic()
        source = Random(self.seed)
        for candidate in self._small(source):
            if time.monotonic() - began_s > 0.3 * self.time_s:
                break
            self._consider(sandbox, candidate)
        while self._best and time.monotonic() - began_s < 0.5 * self.time_s:
            parent = self._best[source.getrandbits(8) % len(self._best)]
            self._consider(sandbox, _child(parent.candidate, source))
        return self._grown(sandbox, began_s + self.time_s)

    def _small(self, source: Random) -> Iterator[Candidate]:
        """One of each family, small; then random ones of the shape."""
        recipe, shape = self.target.recipe, self._shape
        for call in families.distinct(recipe) if recipe is not None else ():
            yield families.candidate_of(scaled(call, _SMALL))
        while shape is not None:
            state = source.getrandbits(30)
            try:
                data = write(shape, draw(shape, Random(state), 2000))
            except ShapeError:
                return
            yield Candidate(source=Source.RANDOM, words=f"random input {state} of size 2000", data=data)

    def _consider(self, sandbox: Sandbox, candidate: Candidate) -> Contender | None:
        """Run it; keep it if it is among the slowest of its kind."""
        contender = self._timed(sandbox, candidate, plainly=False)
        if contender is None:
            return None
        self._best = sorted([*self._best, contender], key=lambda one: -one.fitness)[: 2 * _FINALISTS]
        self.tell("trying", self._best[0])
        return contender

    def _timed(self, sandbox: Sandbox, candidate: Candidate, *, plainly: bool) -> Contender | None:
        data = candidate.data
        if data is None and candidate.invocation is not None:
            [data] = self.bench.makers.make(sandbox, [candidate.invocation])
        if data is None:
            return None
        [settings] = self.bench.guard.valid_under(sandbox, [data])
        if settings is None:
            return None
        self.tried += 1
        call = Call(given=data, arguments=settings.args)
        mine = self._seconds(sandbox, self.bench.built.submission, call, plainly=plainly)
        oracle = self.bench.built.oracle
        theirs = self._seconds(sandbox, oracle, call, plainly=plainly) if oracle is not None else 0.0
        return Contender(candidate=candidate, data=data, cpu_s=mine, reference_s=theirs)

    def _seconds(self, sandbox: Sandbox, program: Runnable, call: Call, *, plainly: bool) -> float:
        """CPU seconds, until it is stopped."""
        limits = replace(self.bench.limits, cpu_s=_PATIENCE * self.limit_s, wall_s=3 * self.bench.limits.wall_s)
        chosen = self._plain.setdefault(id(program), replace(program, serves=False)) if plainly else program
        return self.bench.programs.run(sandbox, chosen, [call], limits)[0].result.cpu_s

    def _grown(self, sandbox: Sandbox, deadline_s: float) -> Slowest | None:
        """The finalists at growing sizes; the slowest at the end is the worst."""
        self.tell("growing", self._best[0] if self._best else None)
        lines: list[list[Contender]] = []
        for finalist in _different(self._best)[:_FINALISTS]:
            line = [finalist]
            for candidate in self._sizes(finalist.candidate):
                if time.monotonic() > deadline_s and len(line) > 1:
                    break
                contender = self._timed(sandbox, candidate, plainly=True)
                if contender is not None:
                    line.append(contender)
                    self.tell("growing", contender)
                if contender is not None and contender.cpu_s > self.limit_s:
                    break
            lines.append(line)
        if not lines:
            return None
        worst = max(lines, key=lambda line: max(one.cpu_s for one in line))
        points = sorted(map(self._point, worst), key=lambda one: one.size)
        return Slowest(
            worst=max(worst, key=lambda one: one.cpu_s), points=tuple(points), fit=fitted(points), tried=self.tried
        )

    def _point(self, one: Contender) -> Point:
        stopped = one.cpu_s >= _PATIENCE * self.limit_s
        return Point(size=len(one.data), cpu_s=one.cpu_s, reference_s=one.reference_s, stopped=stopped)

    def _sizes(self, candidate: Candidate) -> Iterator[Candidate]:
        """The same kind of input, larger and larger, up to the largest that the recipe or the shape knows."""
        call, shape, recipe = candidate.invocation, self._shape, self.target.recipe
        if call is not None and recipe is not None:
            full = largest_like(call, [one.invocation for one in recipe.cases if one.invocation is not None])
            for step in range(1, _STEPS + 1):
                yield families.candidate_of(between(call, full, step / _STEPS))
        elif shape is not None:
            for size in _SIZES:
                try:
                    drawn = (write(shape, draw(shape, Random(size + more), size)) for more in range(_DRAWS))
                    yield replace(candidate, data=max(drawn, key=len))  # a draw may be small
                except ShapeError:
                    return


def scaled(call: Invocation, most: int) -> Invocation:
    """The call with each large number lowered to `most`."""

    def lower(word: str) -> str:
        found = _NUMBER.fullmatch(word)
        return word if found is None or int(found["value"]) <= most else f"{found['name']}{most}"

    arguments = [word if place in call.seeded else lower(word) for place, word in enumerate(call.arguments)]
    return replace(call, arguments=tuple(arguments))


def largest_like(call: Invocation, calls: list[Invocation]) -> Invocation:
    """The largest call of the recipe with the same words but for the numbers; the call itself if there is none."""
    alike = [one for one in calls if _kind(one) == _kind(call)]
    return max([*alike, call], key=lambda one: sum(_values(one)))


def between(small: Invocation, large: Invocation, part: float) -> Invocation:
    """The small call with its numbers moved towards the large one's: in geometric steps, since time is fitted so."""
    arguments = list(small.arguments)
    for place, (word, other) in enumerate(zip(small.arguments, large.arguments, strict=False)):
        mine, theirs = _NUMBER.fullmatch(word), _NUMBER.fullmatch(other)
        if mine is None or theirs is None or place in small.seeded or int(theirs["value"]) <= _SMALL:
            continue
        low, high = max(1, int(mine["value"])), int(theirs["value"])
        arguments[place] = f"{mine['name']}{round(low * (high / low) ** part)}"
    return replace(small, arguments=tuple(arguments))


def _child(candidate: Candidate, source: Random) -> Candidate:
    """A changed copy: another seed, or a number that is no size moved."""
    call = candidate.invocation
    if call is None:
        return candidate
    arguments = list(call.arguments)
    for place, word in enumerate(arguments):
        found = _NUMBER.fullmatch(word)
        if found is None:
            continue
        value = int(found["value"])
        if place in call.seeded:
            arguments[place] = str(source.getrandbits(30))
        elif found["name"] and source.getrandbits(1):
            arguments[place] = f"{found['name']}{max(0, value + source.getrandbits(4) - 7)}"
    return families.candidate_of(replace(call, arguments=tuple(arguments)))


def _different(contenders: list[Contender]) -> list[Contender]:
    """The first of each kind."""
    found: dict[object, Contender] = {}
    for one in contenders:
        call = one.candidate.invocation
        found.setdefault(_kind(call) if call is not None else "random", one)
    return list(found.values())


def _kind(call: Invocation) -> tuple[str, ...]:
    return (call.generator, *(_NUMBER.sub(r"\g<name>", word) for word in call.arguments))


def _values(call: Invocation) -> list[int]:
    words = [word for place, word in enumerate(call.arguments) if place not in call.seeded]
    return [int(found["value"]) for word in words if (found := _NUMBER.fullmatch(word)) is not None]
