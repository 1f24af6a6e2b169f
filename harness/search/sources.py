"""The sources of candidates and their mixture: finite or endless streams, drawn by weight.

Cases are also enlarged without a shape: by more of their lines, tokens or letters, and higher counts. Only the input
validators can tell whether such an input is valid.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import lru_cache
from random import Random

from harness.errors import HarnessError
from harness.generate.recipe import Invocation, Recipe
from harness.package import Case, Group, Program
from harness.search import generator_calls
from harness.search.change_texts import counted_lines, counted_tokens, mutations, tokens_in
from harness.search.model import Candidate, Source
from harness.search.policy import SOURCES, TEXTS
from harness.search.sample_rules import parsed, tidy
from harness.search.target import SearchTarget, length_of
from harness.search.totals import Totals
from harness.shapes import Shape, draw, enumerate_values, write
from harness.shapes.killers import killer_inputs
from harness.values import dataclass

_NUMBER = re.compile(rb"\d{1,18}")
_WORD = re.compile(rb"[A-Za-z]+")


@dataclass(kw_only=True)
class Stream:
    """A source in use. spent: the cost of its candidates so far, by their sizes, divided by its weight.

    weight: its share of the cost. small: whether it gives small inputs of the problem's own shape. shown: whether its
    inputs keep the rules that samples show.
    """

    candidates: Iterator[Candidate]
    weight: float
    small: bool
    shown: bool
    spent: float = 0.0
    in_vain: int = 0  # inputs in a row that were tried before


@dataclass(kw_only=True)
class Mixture:
    """All sources, interleaved: the next candidate is from the source that spent least. Same seed, same order.

    last: the source used when all others are exhausted. was_tried: whether to leave out an input; a source that gives
    only such inputs is removed.
    """

    streams: list[Stream] = field(default_factory=list)
    last: Iterator[Candidate] = field(default_factory=lambda: iter(()))
    was_tried: Callable[[bytes], bool] = lambda _: False

    def add(
        self,
        candidates: Iterator[Candidate],
        weight: float,
        *,
        after: float = 0,
        small: bool = False,
        shown: bool = False,
    ) -> None:
        """Add a source. after: it begins when all others have spent this much."""
        self.streams.append(Stream(candidates=candidates, weight=weight, spent=after, small=small, shown=shown))

    def small(self) -> "Mixture":
        """Return a mixture of only the small sources, in their current state."""
        return replace(self, streams=[stream for stream in self.streams if stream.small], last=iter(()))

    def shown(self) -> "Mixture":
        """Return a mixture of only the sources whose inputs keep the rules of the samples, in their current state."""
        return replace(self, streams=[stream for stream in self.streams if stream.shown], last=iter(()))

    def take(self, count: int) -> list[Candidate]:
        """Return the next `count` candidates; fewer when all sources are exhausted."""
        taken: list[Candidate] = []
        while self.streams and len(taken) < count:
            stream = min(self.streams, key=lambda stream: stream.spent)
            candidate = next(stream.candidates, None)
            if candidate is None:
                self.streams.remove(stream)
            elif self._is_new(stream, candidate.data):
                stream.spent += _cost(candidate) / stream.weight
                taken.append(candidate)
            elif stream.in_vain == SOURCES.in_vain:
                self.streams.remove(stream)
        return taken or list(itertools.islice(self.last, count))

    def _is_new(self, stream: Stream, data: bytes | None) -> bool:
        stream.in_vain = stream.in_vain + 1 if data is not None and self.was_tried(data) else 0
        return stream.in_vain == 0


def mixture(
    target: SearchTarget,
    seed: int,
    *,
    raised: Sequence[tuple[str, bytes]] = (),
    spares_secret: bool = False,
    was_tried: Callable[[bytes], bool] = lambda _: False,
) -> Mixture:
    """Return the sources of a target. raised: valid inputs (name, input) with large numbers.

    spares_secret: without sources that start from secret cases or make them again. was_tried: see Mixture; not used
    for games, which may be played again on the same input.
    """
    played, literals = target.played, target.literals
    mixed = Mixture() if played else Mixture(was_tried=was_tried)
    mixed.add(cases_of(target.package.sample, with_answers=played), SOURCES.sample_weight, small=True)
    if not spares_secret:
        cost = sum(1 + length_of(case) / SOURCES.bytes_a_step for case in target.package.secret.all_cases())
        weight = min(SOURCES.most_case_weight, max(SOURCES.least_case_weight, cost / SOURCES.cases_until))
        secret = cases_of(target.package.secret, with_answers=played, both_ends=True)
        mixed.add(with_calls(secret, target.recipe), weight, after=SOURCES.cases_after)
    if target.generator is not None:
        mixed.add(seeded(target.generator, seed), SOURCES.seeded_weight, small=True)
    bases = [*bases_of(target, spares_secret=spares_secret), *raised]
    if not target.may_change and target.trusts_shape:
        tidied = [(name, tidy(data)) for name, data in bases] if target.shape is not None else bases
        shown = target.shown_shapes
        if shown:
            changed = mutations(tidied, seed, literals=literals, fits=_fits(shown[-1]))
            mixed.add(changed, SOURCES.changed_weight, small=True, shown=True)
        freest = next(reversed(target.shapes), None)
        changed = mutations(tidied, seed + len(shown), literals=literals, fits=_fits(freest))
        after = SOURCES.wide_after if shown else 0
        mixed.add(changed, SOURCES.changed_weight, after=after, small=True)
        mixed.last = mutations(bases, seed, literals=literals)  # of kinds of lines that the samples have
    if target.package.input_validators:
        totals = Totals.of([data for _, data in bases])
        changed = totals.kept(mutations(bases, seed, literals=literals))
        mixed.add(changed, SOURCES.changed_weight, small=True)
        if target.guessed:  # a written shape already gives all large inputs
            mixed.add(as_they_are(raised), SOURCES.raised_weight, after=SOURCES.small_first)
            mixed.add(totals.kept(grown(bases, seed)), SOURCES.scaled_weight, after=SOURCES.small_first)
    if target.shape is not None and target.trusts_shape:
        _add_shapes(mixed, target, target.shape, seed)
    if target.recipe is not None:
        mixed.add(generator_calls.variations(target.recipe, seed), SOURCES.varied_weight, small=True)
        if not spares_secret:
            mixed.add(generator_calls.originals(target.recipe), SOURCES.recipe_weight, after=SOURCES.small_first)
        mixed.add(
            generator_calls.reseeded(target.recipe, seed), SOURCES.reseeded_weight, after=2 * SOURCES.small_first
        )
    return mixed


def _add_shapes(mixed: Mixture, target: SearchTarget, shape: Shape, seed: int) -> None:
    """Add the sources that draw inputs of shapes: first those that keep the rules of samples, then freer ones."""
    shown = target.shown_shapes
    first, *others = [*shown, shape, *target.freer_shapes] if shown else target.shapes
    mixed.add(tiny(shape, target.is_as_samples), SOURCES.tiny_weight, small=True, shown=bool(shown))
    mixed.add(randoms(first, seed, SOURCES.sizes), SOURCES.random_weight, small=True, shown=bool(shown))
    large = randoms(first, seed + 1, SOURCES.large_sizes, Source.LARGE)
    mixed.add(large, SOURCES.large_weight, after=2 * SOURCES.small_first, shown=bool(shown))
    widest = shown[-1] if shown else target.widest
    if widest is not None:
        mixed.add(killers(widest), SOURCES.killer_weight, after=2 * SOURCES.small_first, shown=bool(shown))
    if shown:
        mixed.add(tiny(shape), SOURCES.tiny_weight, after=SOURCES.wide_after, small=True)
    for step, wider in enumerate(others, start=2):
        keeps, after = step <= len(shown), step * SOURCES.wide_after
        small = randoms(wider, seed + step, SOURCES.sizes)
        mixed.add(small, SOURCES.wide_weight, after=after, shown=keeps)
        large = randoms(wider, seed - step, SOURCES.large_sizes, Source.LARGE)
        mixed.add(large, SOURCES.wide_large_weight, after=after + SOURCES.small_first, shown=keeps)


def _fits(shape: Shape | None) -> Callable[[bytes], bool] | None:
    """Return a function that returns whether an input fits the shape; None without a shape."""
    return None if shape is None else lambda data: parsed(shape, data) is not None


def bases_of(target: SearchTarget, *, spares_secret: bool) -> list[tuple[str, bytes]]:
    """Return the cases (name, input) that are small enough to be changed."""
    cases = target.package.sample.all_cases() if spares_secret else target.package.judged_cases()
    bases = [(case.name, case.input.read()) for case in cases if length_of(case) <= SOURCES.base_bytes]
    if target.drafts and target.shape is not None:  # no cases: use draws instead
        drawn = itertools.islice(randoms(target.shape, 0, SOURCES.sizes), SOURCES.drawn_bases)
        bases += [(candidate.words, candidate.data) for candidate in drawn if candidate.data is not None]
    return bases


def as_they_are(inputs: Sequence[tuple[str, bytes]]) -> Iterator[Candidate]:
    """Yield candidates with inputs (name, input) that were made from cases, without further changes."""
    return (Candidate(source=Source.MUTATION, words=name, data=data) for name, data in inputs)


def tiny(shape: Shape, keeps: Callable[[bytes], bool] = lambda _: True) -> Iterator[Candidate]:
    """Yield all inputs of the shape for which `keeps` is true, the smallest first; end where these are rare."""
    skipped = 0
    for number, value in enumerate(enumerate_values(shape, SOURCES.tiny_size), start=1):
        data = write(shape, value)
        skipped = 0 if keeps(data) else skipped + 1
        if skipped > SOURCES.most_skipped:
            return
        if not skipped:
            yield Candidate(source=Source.TINY, words=f"tiny input {number}", data=data)


def randoms(shape: Shape, seed: int, sizes: Sequence[int], source: Source = Source.RANDOM) -> Iterator[Candidate]:
    """Yield random inputs of the shape, of these sizes in turn; half of the small ones have many test cases."""
    bits, full, many = Random(seed), source is Source.LARGE, SOURCES.many_cases
    while True:
        for size in sizes:
            state = bits.getrandbits(30)
            together = many if not full and state % 2 else 1
            try:
                value = draw(shape, Random(state), size, full=full, many=together)
            except HarnessError:
                if together == 1:
                    return  # no draw yields a value of the shape: leave it to the other sources
                many = 1
                continue
            yield Candidate(source=source, words=f"random input {state} of size {size}", data=write(shape, value))


def killers(shape: Shape) -> Iterator[Candidate]:
    """Yield the killers that fit the shape, small sizes first."""
    for size in SOURCES.killer_sizes:
        for name, data in killer_inputs(shape, size):
            yield Candidate(source=Source.LARGE, words=f"{name}, size {size}", data=data)


def seeded(generator: Program, seed: int) -> Iterator[Candidate]:
    """Yield endless calls of a program with consecutive seeds."""
    for number in itertools.count(seed + 1):
        call = Invocation(generator=generator.path, arguments=(str(number),), seeded=frozenset({0}))
        yield generator_calls.candidate_of(call)


def cases_of(group: Group, *, with_answers: bool, both_ends: bool = False) -> Iterator[Candidate]:
    """Yield the package's own cases, small cases first; both_ends: the smallest, the largest, the second smallest, …

    Answers are for the interactor only. Cases with files beside the input are left out: programs are run without them.
    """
    cases = sorted((case for case in group.all_cases() if not case.extra_files), key=_magnitude)
    while cases:
        case = cases.pop(0)
        answer = case.answer.read() if with_answers and case.answer is not None else None
        yield Candidate(source=Source.CASE, words=case.name, data=case.input.read(), answer=answer)
        if both_ends:
            cases.reverse()


def with_calls(cases: Iterable[Candidate], recipe: Recipe | None) -> Iterator[Candidate]:
    """Yield the cases with the recipe's calls that made them: a case is best reduced by a smaller call."""
    calls = {case.name: case.invocation for case in recipe.cases} if recipe is not None else {}
    return (replace(case, invocation=calls.get(case.words)) for case in cases)


def _magnitude(case: Case) -> tuple[int, int]:
    """Return a sort key: the bytes of a long input; for short inputs the sum of the numbers, which is more telling."""
    length = length_of(case)
    return (
        (length, 0)
        if length > SOURCES.sorted_by_value_bytes
        else (0, sum(map(int, _NUMBER.findall(case.input.read()))))
    )


def _cost(candidate: Candidate) -> float:
    """Estimate the cost of a run, in units of a tiny input."""
    if candidate.data is not None:
        lines = candidate.data.count(b"\n") / SOURCES.lines_a_step
        return 1 + len(candidate.data) / SOURCES.bytes_a_step + lines + candidate.refused * SOURCES.refused_cost
    return SOURCES.large_cost if candidate.source is Source.LARGE else SOURCES.generator_cost


def grown(bases: Sequence[tuple[str, bytes]], seed: int) -> Iterator[Candidate]:
    """Yield endless larger copies of the cases (name, input)."""
    source = Random(seed)
    usable = [case for case in bases if len(case[1].splitlines()) > 0]
    while usable:
        name, base = usable[source.getrandbits(16) % len(usable)]
        length = TEXTS.lengths[source.getrandbits(12) % len(TEXTS.lengths)]
        data: bytes | None = base
        for _ in range(TEXTS.scaled_rounds[source.getrandbits(2)]):
            kind = _KINDS[source.getrandbits(8) % len(_KINDS)]
            data = kind(data, length, source) if data is not None else None
        if data is not None:
            yield Candidate(source=Source.MUTATION, words=f"{name}, grown", data=data)


def _more_lines(data: bytes, length: int, source: Random) -> bytes | None:
    """Put about `length` lines after the first lines."""
    lines = data.splitlines(keepends=True)
    head = 1 if len(lines) > 1 and source.getrandbits(2) else 0
    more = length - (len(lines) - head)
    start = head + source.getrandbits(12) % (len(lines) - head)
    added = _more_of(lines[start:], more, source, numbered=source.getrandbits(2) == 0)
    if added is None:
        return None
    return _likely(counted_lines([*lines, *added], len(lines), more), source)


def _more_tokens(data: bytes, length: int, source: Random) -> bytes | None:
    """Put about `length` tokens into a line."""
    lines = data.splitlines(keepends=True)
    row = source.getrandbits(12) % len(lines)
    before, line, after = b"".join(lines[:row]), lines[row].rstrip(b"\n"), b"".join(lines[row + 1 :])
    tokens = line.split(b" ")
    pieces = [b" " + token for token in tokens]
    added = _more_of(pieces, length - len(tokens), source, numbered=source.getrandbits(2) == 0)
    if added is None:
        return None
    longer = b"".join([before, line, *added, b"\n", after])
    return _likely(counted_tokens(longer, len(before) + len(line), len(added)), source)


def _more_letters(data: bytes, length: int, source: Random) -> bytes | None:
    """Put about `length` letters into a word, and correct a count before it."""
    words = tokens_in(data)
    word = words[source.getrandbits(12) % len(words)] if words else None
    if word is None:
        return None
    letters = [word[0][at : at + 1] for at in range(len(word[0]))]
    added = _more_of(letters, length - len(letters), source)
    if added is None:
        return None
    before, long = data[: word.start()], word[0] + b"".join(added)
    counts = [token for token in tokens_in(before) if token[0] == b"%d" % len(letters)]
    if counts and source.getrandbits(2):
        before = before[: counts[-1].start()] + b"%d" % length + before[counts[-1].end() :]
    return before + long + data[word.end() :]


def _more_of(pieces: Sequence[bytes], count: int, source: Random, *, numbered: bool = False) -> list[bytes] | None:
    """Draw `count` more pieces: some neighbours repeatedly, or random pieces. None: `count` < 1, or too large.

    numbered: make repeated pieces different.
    """
    if count <= 0 or count * max(map(len, pieces)) > TEXTS.scaled_bytes:
        return None
    if source.getrandbits(1):
        start = source.getrandbits(12) % len(pieces)
        period = pieces[start:] if source.getrandbits(1) else pieces[start : start + 1]
        repeated = (list(period) * (count // len(period) + 1))[:count]
        return _numbered(repeated) if numbered else repeated
    chosen = source.sample(pieces, min(len(pieces), TEXTS.different))
    return [chosen[byte % len(chosen)] for byte in source.randbytes(count)]


def _numbered(pieces: Sequence[bytes]) -> list[bytes]:
    """Make the pieces different: add 1, 2, … to their first numbers; without a number, append letters to a word."""
    parts: dict[bytes, tuple[bytes, bytes, bytes]] = {}
    for piece in set(pieces):
        match = _NUMBER.search(piece) or _WORD.search(piece)
        start, end = match.span() if match is not None else (0, 0)
        parts[piece] = piece[:start], piece[start:end], piece[end:]

    def raised(token: bytes, step: int) -> bytes:
        return b"%d" % (int(token) + step) if token.isdigit() else token + _letters(step) if token else token

    split = enumerate(map(parts.__getitem__, pieces), start=1)
    return [before + raised(token, step) + after for step, (before, token, after) in split]


@lru_cache(maxsize=1 << 18)
def _letters(number: int) -> bytes:
    """Write a number in small letters, different for each number up to leading `a`; 0 as nothing."""
    return _letters(number // 26) + b"%c" % (97 + number % 26) if number else b""


def _likely(texts: Iterator[bytes], source: Random) -> bytes | None:
    """Choose one of the first texts, mostly the first of all; None if there is none."""
    chosen = source.getrandbits(6) % TEXTS.likely_counts if source.getrandbits(1) else 0
    text = None
    for _ in range(chosen + 1):
        text = next(texts, text)
    return text


_KINDS = (_more_lines, _more_lines, _more_tokens, _more_letters)
