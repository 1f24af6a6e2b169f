"""The sources of candidates and their mixture: finite or endless streams, drawn by weight."""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from random import Random
from typing import Any

from harness.errors import HarnessError
from harness.generate.recipe import Invocation, Recipe
from harness.package import Case, Group, Program
from harness.search import generator_calls
from harness.search.candidates import Candidate, CandidateOutcome, Source, TriedCandidate
from harness.search.change_texts import mutations
from harness.search.grow_texts import grown
from harness.search.policy import SOURCES
from harness.search.sized_inputs import killers, of_words
from harness.search.target import SearchTarget
from harness.search.tried_inputs import TriedInputs
from harness.shapes import Shape, draw, enumerate_values, parsed, tidy_for, write
from harness.values import dataclass

_NUMBER = re.compile(rb"\d{1,18}")


@dataclass(kw_only=True)
class Stream:
    """A source in use.

    weight: its share of the cost of all candidates. from_cost, from_runs: it begins when all others have spent this
    cost and made this many runs, both divided by their weights. small: whether it is still used when a smaller failing
    input is sought. like_samples: whether its inputs fit the shape with the rules of the samples. spent: the cost of
    its own candidates so far, divided by its weight.
    """

    candidates: Iterator[Candidate]
    weight: float
    from_cost: float = 0.0
    from_runs: float = 0.0
    small: bool = False
    like_samples: bool = False
    spent: float = 0.0
    repeats: int = 0  # inputs in a row that were tried before


@dataclass(kw_only=True)
class Mixture:
    """All sources, interleaved: the next candidate is from the source that spent least.

    last: the source used when all others are exhausted. was_tried: returns whether an input was tried, so that it is
    left out; a source is removed that gives more than `most_repeats` such inputs in a row. start_cost: the cost of a
    run, however small its input, in units of a usual run: with slow programs large inputs cost little more than tiny
    ones. corrected: returns an input that was made, with its sums corrected; cases stay as they are.
    """

    streams: list[Stream] = field(default_factory=list)
    last: Iterator[Candidate] = field(default_factory=lambda: iter(()))
    was_tried: Callable[[bytes], bool] = lambda _: False
    most_repeats: int = SOURCES.most_repeats
    start_cost: float = 1
    corrected: Callable[[bytes], bytes] = bytes

    def add(self, candidates: Iterator[Candidate], weight: float, **more: Any) -> None:
        """Add a source. more: further fields of Stream."""
        self.streams.append(Stream(candidates=candidates, weight=weight, **more))

    def small(self) -> "Mixture":
        """Return a mixture of only the small sources, in their current state."""
        return self._only([stream for stream in self.streams if stream.small])

    def like_samples(self) -> "Mixture":
        """Return a mixture of only the sources whose inputs keep the rules of the samples, in their current state."""
        return self._only([stream for stream in self.streams if stream.like_samples])

    def _only(self, streams: list[Stream]) -> "Mixture":
        return replace(self, streams=streams, last=iter(()))

    def take(self, count: int) -> list[Candidate]:
        """Return the next `count` candidates; fewer when all sources are exhausted."""
        taken: list[Candidate] = []
        while self.streams and len(taken) < count:
            stream = min(self.streams, key=self._used)
            candidate = next(stream.candidates, None)
            if candidate is not None and candidate.data is not None and candidate.source is not Source.CASE:
                candidate = replace(candidate, data=self.corrected(candidate.data))
            if candidate is None:
                self.streams.remove(stream)
            elif self._is_new(stream, candidate.data):
                stream.spent += (self.start_cost + _cost(candidate)) / stream.weight
                taken.append(candidate)
            elif stream.repeats < self.most_repeats:
                stream.spent += _drawing_cost(candidate) / stream.weight
            else:
                self.streams.remove(stream)
        return taken or list(itertools.islice(self.last, count))

    def _used(self, stream: Stream) -> float:
        """Return the cost of a source so far, with that of all others before it begins."""
        return stream.from_cost + stream.spent + stream.from_runs * self.start_cost

    def _is_new(self, stream: Stream, data: bytes | None) -> bool:
        stream.repeats = stream.repeats + 1 if data is not None and self.was_tried(data) else 0
        return stream.repeats == 0


def mixture(
    target: SearchTarget,
    seed: int,
    *,
    spares_secret: bool = False,
    tried: TriedInputs | None = None,
    passed: Sequence[TriedCandidate] = (),
) -> Mixture:
    """Return the sources of a target.

    spares_secret: leave out sources that start from secret cases or make them again. tried: inputs to leave out; not
    of games, which may be played again on the same input. Those of an earlier search may come again at first, however
    many. passed: changed cases that passed so far.
    """
    played, literals = target.played, target.literals
    mixed = Mixture(corrected=target.column_sums.corrected)
    if tried is not None and not played:
        mixed.was_tried = tried.was_tried
        mixed.most_repeats += min(tried.count, SOURCES.most_replayed)
    mixed.add(cases_of(target.package.sample, with_answers=played), SOURCES.sample_weight, small=True)
    if not spares_secret:
        cost = sum(1 + case.input.size() / SOURCES.bytes_a_step for case in target.package.secret.all_cases())
        weight = min(SOURCES.most_case_weight, max(SOURCES.least_case_weight, cost / SOURCES.cases_until_cost))
        secret = cases_of(target.package.secret, with_answers=played, both_ends=True)
        mixed.add(with_calls(secret, target.recipe), weight, from_cost=SOURCES.cases_from_cost)
    if target.generator is not None:
        mixed.add(seeded(target.generator, seed), SOURCES.seeded_weight, small=True)
    bases = [*bases_of(target, spares_secret=spares_secret), *target.raised_cases]
    if not target.can_validate and target.trusts_shape:
        shape = target.shape
        tidied = [(name, tidy_for(shape, data)) for name, data in bases] if shape is not None else bases
        sample_shapes = target.sample_shapes
        if sample_shapes:
            changed = mutations(tidied, seed, literals=literals, fits=target.is_as_samples)
            mixed.add(changed, SOURCES.changed_weight, small=True, like_samples=True)
        freest = next(reversed(target.shapes), None)
        changed = mutations(tidied, seed + len(sample_shapes), literals=literals, fits=_fits(freest))
        from_runs = SOURCES.wide_from_runs if sample_shapes else 0
        mixed.add(changed, SOURCES.changed_weight, from_runs=from_runs, small=True)
        mixed.last = mutations(bases, seed, literals=literals)  # without any shape
    if target.package.input_validators:
        changed = mutations(bases, seed, literals=literals, passed=passed)
        mixed.add(changed, SOURCES.changed_weight, small=True)
        if target.guessed:  # a written shape already gives all large inputs
            mixed.add(as_they_are(target.raised_cases), SOURCES.raised_weight, from_cost=SOURCES.large_from_cost)
            mixed.add(grown(bases, seed), SOURCES.scaled_weight, from_cost=SOURCES.large_from_cost)
    if target.shape is not None and target.trusts_shape:
        _add_shapes(mixed, target, target.shape, seed)
    if target.recipe is not None:
        mixed.add(generator_calls.variations(target.recipe, seed), SOURCES.varied_weight, small=True)
        if not spares_secret:
            mixed.add(
                generator_calls.originals(target.recipe), SOURCES.recipe_weight, from_cost=SOURCES.large_from_cost
            )
        mixed.add(
            generator_calls.reseeded(target.recipe, seed),
            SOURCES.reseeded_weight,
            from_cost=2 * SOURCES.large_from_cost,
        )
    return mixed


def _add_shapes(mixed: Mixture, target: SearchTarget, shape: Shape, seed: int) -> None:
    """Add the sources that draw inputs of shapes: first those that keep the rules of samples, then freer ones."""
    sample_shapes, late = target.sample_shapes, 2 * SOURCES.large_from_cost
    first, *others = [*sample_shapes, shape, *target.freer_shapes] if sample_shapes else target.shapes
    widest, keeps = sample_shapes[-1] if sample_shapes else target.widest, bool(sample_shapes)
    mixed.add(tiny(shape, _fits(widest) if keeps else None), SOURCES.tiny_weight, small=True, like_samples=keeps)
    small = randoms(first, seed, SOURCES.sizes)
    mixed.add(small, SOURCES.random_weight, small=True, like_samples=keeps)
    large = randoms(first, seed + 1, SOURCES.large_sizes, Source.LARGE)
    mixed.add(large, SOURCES.large_weight, from_cost=late, like_samples=keeps)
    killer_sizes = ((SOURCES.killer_sizes, late), (SOURCES.large_killers, SOURCES.large_killers_from_cost))
    for sizes, from_cost in killer_sizes:
        if widest is not None:
            at_sizes = [of_words(widest, size) for size in sizes]
            mixed.add(killers(widest, at_sizes), SOURCES.killer_weight, from_cost=from_cost, like_samples=keeps)
    if keeps:
        mixed.add(tiny(shape), SOURCES.tiny_weight, from_runs=SOURCES.wide_from_runs, small=True)
    for step, wider in enumerate(others, start=2):
        more = {"from_runs": step * SOURCES.wide_from_runs, "like_samples": step <= len(sample_shapes)}
        mixed.add(randoms(wider, seed + step, SOURCES.sizes), SOURCES.wide_weight, **more)
        large = randoms(wider, seed - step, SOURCES.large_sizes, Source.LARGE)
        mixed.add(large, SOURCES.wide_large_weight, from_cost=SOURCES.large_from_cost, **more)


def _fits(shape: Shape | None) -> Callable[[bytes], bool] | None:
    """Return a function that returns whether an input fits the shape; None without a shape."""
    return None if shape is None else lambda data: parsed(shape, data) is not None


def bases_of(target: SearchTarget, *, spares_secret: bool) -> list[tuple[str, bytes]]:
    """Return the cases (name, input) that are small enough to be changed."""
    cases = target.package.sample.all_cases() if spares_secret else target.package.judged_cases()
    bases = [(case.name, case.input.read()) for case in cases if case.input.size() <= SOURCES.base_bytes]
    if target.drafts and target.shape is not None:  # no cases: use draws instead
        drawn = itertools.islice(randoms(target.shape, 0, SOURCES.sizes), SOURCES.drawn_bases)
        bases += [(candidate.description, candidate.data) for candidate in drawn if candidate.data is not None]
    return bases


def is_changed_and_passed(tried: TriedCandidate) -> bool:
    """Return whether a candidate is a changed case, validated, small enough to be changed again, and did not fail."""
    is_usable = tried.settings is not None and len(tried.data) <= SOURCES.base_bytes
    return is_usable and tried.candidate.source is Source.CHANGED_CASE and tried.outcome is CandidateOutcome.PASSED


def as_they_are(inputs: Sequence[tuple[str, bytes]]) -> Iterator[Candidate]:
    """Yield candidates with inputs (name, input) that were made from cases, without further changes."""
    return (Candidate(source=Source.CHANGED_CASE, description=name, data=data) for name, data in inputs)


def tiny(shape: Shape, keeps: Callable[[bytes], bool] | None = None) -> Iterator[Candidate]:
    """Yield all inputs of the shape for which `keeps` is true, the smallest first; end when these are rare."""
    skipped = 0
    for number, value in enumerate(enumerate_values(shape, SOURCES.tiny_size), start=1):
        data = write(shape, value)
        skipped = 0 if keeps is None or keeps(data) else skipped + 1
        if skipped > SOURCES.most_skipped:
            return
        if not skipped:
            yield Candidate(source=Source.TINY, description=f"tiny input {number}", data=data)


def randoms(shape: Shape, seed: int, sizes: Sequence[int], source: Source = Source.RANDOM) -> Iterator[Candidate]:
    """Yield random inputs of the shape, of these sizes in turn; half of the small ones have many test cases.

    In some each integer has its own order of magnitude.
    """
    bits, full, many = Random(seed), source is Source.LARGE, SOURCES.many_cases
    while True:
        for size in sizes:
            state = bits.getrandbits(30)
            together = many if not full and state % 2 else 1
            magnitudes = not full and (state >> 1) % SOURCES.magnitudes == 0
            try:
                value = draw(shape, Random(state), size, full=full, many=together, magnitudes=magnitudes)
            except HarnessError:
                if together == 1:
                    return  # no draw yields a value of the shape: leave it to the other sources
                many = 1
                continue
            yield Candidate(
                source=source, description=f"random input {state} of size {size}", data=write(shape, value)
            )


def seeded(generator: Program, seed: int) -> Iterator[Candidate]:
    """Yield endless calls of a program with consecutive seeds."""
    for number in itertools.count(seed + 1):
        call = Invocation(generator=generator.path, arguments=(str(number),), seeded=frozenset({0}))
        yield generator_calls.candidate_of(call)


def cases_of(group: Group, *, with_answers: bool, both_ends: bool = False) -> Iterator[Candidate]:
    """Yield the package's own cases, small cases first; both_ends: the smallest, the largest, the next smallest, …

    Answers are for the interactor only. Cases with files beside the input are left out: programs are run without
    them.
    """
    cases = sorted((case for case in group.all_cases() if not case.extra_files), key=_magnitude)
    while cases:
        case = cases.pop(0)
        answer = case.answer.read() if with_answers and case.answer is not None else None
        yield Candidate(source=Source.CASE, description=case.name, data=case.input.read(), answer=answer)
        if both_ends:
            cases.reverse()


def with_calls(cases: Iterable[Candidate], recipe: Recipe | None) -> Iterator[Candidate]:
    """Yield the cases with the recipe's calls that made them: a case is best reduced by a smaller call."""
    calls = {case.name: case.invocation for case in recipe.cases} if recipe is not None else {}
    return (replace(case, invocation=calls.get(case.description)) for case in cases)


def _magnitude(case: Case) -> tuple[int, int]:
    """Return a sort key: the bytes of a long input; of a short one the sum of its numbers, which says more."""
    length = case.input.size()
    return (
        (length, 0)
        if length > SOURCES.sorted_by_value_bytes
        else (0, sum(map(int, _NUMBER.findall(case.input.read()))))
    )


def _cost(candidate: Candidate) -> float:
    """Estimate the cost of an input, in units of a run on a tiny one."""
    if candidate.data is not None:
        lines = candidate.data.count(b"\n") / SOURCES.lines_a_step
        return len(candidate.data) / SOURCES.bytes_a_step + lines + _drawing_cost(candidate)
    return SOURCES.large_cost if candidate.source is Source.LARGE else SOURCES.generator_cost


def _drawing_cost(candidate: Candidate) -> float:
    """Estimate the cost of the copies that were drawn and refused before this candidate, in the same units."""
    return candidate.refused * SOURCES.refused_cost
