"""Where candidates come from, and in what mixture: each source an endless or finite stream, drawn by weight."""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from harness.errors import HarnessError
from harness.generate import Invocation, Recipe
from harness.package import Case, Group, Program
from harness.search import generator_calls
from harness.search.change_texts import mutations
from harness.search.model import Candidate, Source
from harness.search.policy import SOURCES
from harness.search.scaled_cases import grown
from harness.search.target import Target, length_of
from harness.shapes import Shape, draw, enumerate_values, write

_NUMBER = re.compile(rb"\d{1,18}")


@dataclass(kw_only=True)
class Stream:
    """A source under way. spent: what its candidates have cost so far, by size and not by the clock.

    weight: its share while several are left. small: whether its inputs are small ones of the problem's own shape.
    """

    candidates: Iterator[Candidate]
    weight: float
    small: bool
    spent: float = 0.0


@dataclass(kw_only=True)
class Mixture:
    """All sources, interleaved: whoever has had least for its weight is next. Same seed, same order."""

    streams: list[Stream] = field(default_factory=list)

    def add(
        self, candidates: Iterator[Candidate], weight: float, *, after: float = 0, small: bool = False
    ) -> None:
        """One more source; `after`: it begins when the others have had so much for their weight."""
        self.streams.append(Stream(candidates=candidates, weight=weight, spent=after, small=small))

    def small(self) -> "Mixture":
        """The sources of small inputs alone, as far as they are."""
        return Mixture(streams=[one for one in self.streams if one.small])

    def take(self, count: int) -> list[Candidate]:
        """The next candidates; fewer when all sources are at their end."""
        found: list[Candidate] = []
        while self.streams and len(found) < count:
            stream = min(self.streams, key=lambda one: one.spent)
            candidate = next(stream.candidates, None)
            if candidate is None:
                self.streams.remove(stream)
                continue
            stream.spent += _cost(candidate) / stream.weight
            found.append(candidate)
        return found


def mixture(
    target: Target, seed: int, *, raised: Sequence[tuple[str, bytes]] = (), spares_secret: bool = False
) -> Mixture:
    """The sources that a target has. raised: valid inputs (name, input) with large numbers.

    spares_secret: without those that start from secret cases or make them again.
    """
    mixed = Mixture()
    played = target.played
    mixed.add(cases_of(target.package.sample, with_answers=played), SOURCES.sample_weight, small=True)
    if not spares_secret:
        cost = sum(1 + length_of(case) / SOURCES.bytes_a_step for case in target.package.secret.all_cases())
        weight = min(SOURCES.most_case_weight, max(SOURCES.least_case_weight, cost / SOURCES.cases_until))
        secret = cases_of(target.package.secret, with_answers=played, both_ends=True)
        mixed.add(called(secret, target.recipe), weight, after=SOURCES.cases_after)
    if target.generator is not None:
        mixed.add(seeded(target.generator, seed), SOURCES.seeded_weight, small=True)
    if target.package.input_validators:
        bases = [*bases_of(target, spares_secret=spares_secret), *raised]
        mixed.add(mutations(bases, seed), SOURCES.changed_weight, small=True)
        if target.guessed:  # of a shape that somebody wrote all large inputs are known
            mixed.add(as_they_are(raised), SOURCES.raised_weight, after=SOURCES.small_first)
            mixed.add(grown(bases, seed), SOURCES.scaled_weight, after=SOURCES.small_first)
    if target.shape is not None and target.trusts_shape:
        mixed.add(tiny(target.shape), SOURCES.tiny_weight, small=True)
        mixed.add(randoms(target.shape, seed, SOURCES.sizes), SOURCES.random_weight, small=True)
        mixed.add(
            randoms(target.shape, seed + 1, SOURCES.large_sizes, Source.LARGE),
            SOURCES.large_weight,
            after=2 * SOURCES.small_first,
        )
        for step, wider in enumerate(target.shapes[1:], start=2):
            mixed.add(
                randoms(wider, seed + step, SOURCES.sizes), SOURCES.wide_weight, after=step * SOURCES.small_first
            )
            mixed.add(
                randoms(wider, seed - step, SOURCES.large_sizes, Source.LARGE),
                SOURCES.wide_large_weight,
                after=(step + 1) * SOURCES.small_first,
            )
    if target.recipe is not None:
        mixed.add(generator_calls.variations(target.recipe, seed), SOURCES.varied_weight, small=True)
        if not spares_secret:
            mixed.add(generator_calls.originals(target.recipe), SOURCES.recipe_weight, after=SOURCES.small_first)
        mixed.add(
            generator_calls.reseeded(target.recipe, seed), SOURCES.reseeded_weight, after=2 * SOURCES.small_first
        )
    return mixed


def bases_of(target: Target, *, spares_secret: bool) -> list[tuple[str, bytes]]:
    """The cases (name, input) that are small enough to be changed."""
    known = target.package.sample.all_cases() if spares_secret else target.package.judged_cases()
    return [(case.name, case.input.read()) for case in known if length_of(case) <= SOURCES.base_bytes]


def as_they_are(inputs: Sequence[tuple[str, bytes]]) -> Iterator[Candidate]:
    """Inputs (name, input) that were made of cases."""
    return (Candidate(source=Source.MUTATION, words=name, data=data) for name, data in inputs)


def tiny(shape: Shape) -> Iterator[Candidate]:
    """All inputs of the shape, the smallest first."""
    for number, value in enumerate(enumerate_values(shape, SOURCES.tiny_size), start=1):
        yield Candidate(source=Source.TINY, words=f"tiny input {number}", data=write(shape, value))


def randoms(shape: Shape, seed: int, sizes: Sequence[int], source: Source = Source.RANDOM) -> Iterator[Candidate]:
    """Random inputs of the shape, of all these sizes in turn; small ones often of many test cases, if it has any."""
    bits, full, many = Random(seed), source is Source.LARGE, SOURCES.many_cases
    while True:
        for size in sizes:
            state = bits.getrandbits(30)
            together = many if not full and state % 2 else 1
            try:
                value = draw(shape, Random(state), size, full=full, many=together)
            except HarnessError:
                if together == 1:
                    return  # the shape has no value that a draw finds: the other sources are left
                many = 1
                continue
            yield Candidate(source=source, words=f"random input {state} of size {size}", data=write(shape, value))


def seeded(generator: Program, seed: int) -> Iterator[Candidate]:
    """Endless calls of a program with one seed after the other."""
    for number in itertools.count(seed + 1):
        call = Invocation(generator=generator.path, arguments=(str(number),), seeded=frozenset({0}))
        yield generator_calls.candidate_of(call)


def cases_of(group: Group, *, with_answers: bool, both_ends: bool = False) -> Iterator[Candidate]:
    """The package's own cases, the small ones first; both_ends: the smallest, the largest, the next but smallest, …

    Answers are for the interactor only.
    """
    cases = sorted(group.all_cases(), key=_magnitude)
    while cases:
        case = cases.pop(0)
        answer = case.answer.read() if with_answers and case.answer is not None else None
        yield Candidate(source=Source.CASE, words=case.name, data=case.input.read(), answer=answer)
        if both_ends:
            cases.reverse()


def called(cases: Iterable[Candidate], recipe: Recipe | None) -> Iterator[Candidate]:
    """The cases with the calls that made them: a smaller call makes them small at once."""
    calls = {one.name: one.invocation for one in recipe.cases} if recipe is not None else {}
    return (replace(one, invocation=calls.get(one.words)) for one in cases)


def _magnitude(case: Case) -> tuple[int, int]:
    """The bytes of a long input; of short ones the sum of the numbers, which say more there."""
    length = length_of(case)
    return (
        (length, 0)
        if length > SOURCES.sorted_by_value_bytes
        else (0, sum(map(int, _NUMBER.findall(case.input.read()))))
    )


def _cost(candidate: Candidate) -> float:
    """In units of a tiny input, by what is known before it runs."""
    if candidate.data is not None:
        return 1 + len(candidate.data) / SOURCES.bytes_a_step
    return SOURCES.large_cost if candidate.source is Source.LARGE else SOURCES.generator_cost
