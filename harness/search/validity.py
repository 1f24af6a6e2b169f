"""Run generators, and decide which inputs to check by the input validators."""

import re
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import field, replace

from harness.errors import HarnessError
from harness.generate.programs import generator_program
from harness.generate.recipe import Invocation
from harness.host.batches import Call, Ran
from harness.host.host import judge_build_limits
from harness.host.run_many import Programs, Runnable, build_one, ending
from harness.package import Program
from harness.sandbox.facts import Limits, Sandbox
from harness.search.candidates import Candidate, CandidateOutcome, Source, TriedCandidate
from harness.search.generator_calls import command_line
from harness.search.policy import VALIDITY
from harness.search.target import SearchTarget
from harness.values import dataclass

_NUMBER = re.compile(r"\d{1,18}")


@dataclass(kw_only=True)
class SourceTrust:
    """Counts the invalid inputs of each source: of a reliable source only failing inputs are validated.

    asks_always: validate all inputs.
    """

    asks_always: bool
    _asked: Counter[Source] = field(default_factory=Counter)
    _refused: Counter[Source] = field(default_factory=Counter)

    def must_ask(self, source: Source) -> bool:
        """Return whether to ask the validators before the submission runs."""
        count = self._asked[source]
        return self.asks_always or count < VALIDITY.probes or VALIDITY.most_refused * self._refused[source] > count

    def note(self, source: Source, *, refused: bool, late: bool) -> None:
        """Record a validation. late: it came after the run; then a refusal counts more, since the run was useless."""
        self._asked[source] += 1
        self._refused[source] += VALIDITY.probes * refused if late else refused


@dataclass(kw_only=True)
class Generators:
    """The generators of a target, built at their first call.

    faults: how the first failed call of each generator ended. made: generators that made an input.
    """

    target: SearchTarget
    programs: Programs
    limits: Limits
    faults: dict[str, str] = field(default_factory=dict)
    made: set[str] = field(default_factory=set)
    _built: dict[str, Runnable | None] = field(default_factory=dict)
    _endless: Counter[str] = field(default_factory=Counter)
    _ended: Counter[str] = field(default_factory=Counter)
    _asked: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._generous = replace(
            self.limits,
            cpu_s=VALIDITY.generator_s,
            wall_s=2 * VALIDITY.generator_s,
            output_bytes=VALIDITY.generator_bytes,
        )

    @property
    def fault(self) -> str:
        """Return how the user's generator, or else the first failing one of the recipe, failed; "" if one succeeded."""
        named = self.target.generator
        if named is not None:
            return "" if named.path in self.made else self.faults.get(named.path, "")
        return "" if self.made else next(iter(self.faults.values()), "")

    def trials(self, sandbox: Sandbox, candidates: Sequence[Candidate], *, again: bool) -> list[TriedCandidate]:
        """Return the candidates with their inputs; a candidate whose generator fails is refused.

        again: they were tried before.
        """
        trials = [TriedCandidate(candidate=candidate, data=candidate.data or b"") for candidate in candidates]
        for full_time in (False, True):
            calls = {
                index: candidate.invocation
                for index, candidate in enumerate(candidates)
                if candidate.data is None and candidate.invocation is not None
                if self._has_full_time(candidate, again=again) == full_time
            }
            inputs = self.make(sandbox, list(calls.values()), full_time=full_time)
            for index, data in zip(calls, inputs, strict=True):
                outcome = CandidateOutcome.REFUSED if data is None else CandidateOutcome.PENDING
                trials[index] = replace(trials[index], data=data or b"", outcome=outcome)
        return trials

    def _has_full_time(self, candidate: Candidate, *, again: bool) -> bool:
        """Return whether its generator may take long: if the user named it, and at the recipe's own calls, once."""
        if self.target.generator is not None:
            return True
        return candidate.source is not Source.GENERATOR and not again

    def make(
        self,
        sandbox: Sandbox,
        invocations: Sequence[Invocation],
        *,
        full_time: bool = True,
    ) -> list[bytes | None]:
        """Return the generators' outputs; None for a failed or skipped call.

        full_time: with the time limit of the recipe's own calls; else with a short one, since with some arguments a
        generator never ends.
        """
        limits = (
            self._generous
            if full_time
            else replace(self._generous, cpu_s=VALIDITY.quick_generator_s, wall_s=VALIDITY.quick_generator_wall_s)
        )
        inputs: list[bytes | None] = [None] * len(invocations)
        for name in dict.fromkeys(call.generator for call in invocations):
            program = self._program(sandbox, name)
            if program is None:
                continue
            own = [index for index, call in enumerate(invocations) if call.generator == name]
            indices = [index for index in own if full_time or self._admit_call(invocations[index])]
            if not indices:
                continue
            calls = [Call(arguments=invocations[index].arguments) for index in indices]
            ran = self.programs.run(sandbox, program, calls, limits)
            for index, run in zip(indices, ran, strict=True):
                inputs[index] = run.output if run.succeeded else None
                self._note(invocations[index], run, full_time=full_time)
        return inputs

    def _admit_call(self, invocation: Invocation) -> bool:
        """Count a call; return whether to make it: not if calls of its kind seem endless and too many were."""
        kind = _kind(invocation)
        with self._lock:
            self._asked += 1
            safe = VALIDITY.calls_for_one * self._endless[kind] < self._ended[kind]
            return (
                safe or self._endless.total() < VALIDITY.endless_at_first + self._asked // VALIDITY.calls_for_one
            )

    def _note(self, invocation: Invocation, ran: Ran, *, full_time: bool) -> None:
        with self._lock:
            if ran.succeeded:
                self.made.add(invocation.generator)
            else:
                self.faults.setdefault(invocation.generator, f"{command_line(invocation)}: {ending(ran)}")
            if not full_time:
                counts = self._endless if ran.is_late else self._ended
                counts[_kind(invocation)] += 1

    def _program(self, sandbox: Sandbox, name: str) -> Runnable | None:
        with self._lock:
            if name not in self._built:
                self._built[name] = self._build(sandbox, name)
            return self._built[name]

    def _build(self, sandbox: Sandbox, name: str) -> Runnable | None:
        try:
            program = self._named(name)
            limits = judge_build_limits(self.target.package.limits)
            return None if program is None else build_one(self.programs.host.judges, program, limits, sandbox)
        except HarnessError:
            if self.target.generator is not None and name == self.target.generator.path:
                raise  # the user named it
            return None  # the other sources of candidates remain

    def _named(self, name: str) -> Program | None:
        own, recipe = self.target.generator, self.target.recipe
        if own is not None and name == own.path:
            return own
        return None if recipe is None else generator_program(self.target.package, recipe, name)


def quick_limits(limits: Limits, length: int) -> Limits:
    """Return a validator's limits for an input of `length` bytes: some validators never end on invalid inputs."""
    cpu_s = VALIDITY.validator_s + length / VALIDITY.validator_bytes_a_second
    return replace(limits, cpu_s=min(limits.cpu_s, cpu_s))


def _kind(invocation: Invocation) -> str:
    """Return the generator, its first argument if that is a word, and the magnitude of its largest number."""
    first = next(iter(invocation.arguments), "")
    words = (word for index, word in enumerate(invocation.arguments) if index not in invocation.seeded)
    largest = max((int(number) for word in words for number in _NUMBER.findall(word)), default=0)
    word = "" if any(map(str.isdigit, first)) else first
    return f"{invocation.generator} {word} {largest.bit_length()}"
