"""Make generator calls with other seeds and numbers: small ones, full-size ones, and sizes between and below."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import log2
from random import Random

from harness.generate.recipe import Invocation, Recipe
from harness.search.model import Candidate, Source
from harness.search.policy import CALLS

_NUMBER = re.compile(r"(?P<name>(?:--?)?[A-Za-z_][\w-]*=|)(?P<value>-?\d{1,18})")


def command_line(invocation: Invocation) -> str:
    """Return a call as typed in a shell."""
    return " ".join((invocation.generator, *invocation.arguments))


def candidate_of(invocation: Invocation, source: Source = Source.FAMILY) -> Candidate:
    """Return the candidate of a call."""
    return Candidate(source=source, words=command_line(invocation), invocation=invocation)


def distinct(recipe: Recipe) -> list[Invocation]:
    """Return one call for each group of calls that differ only in numbers."""
    calls: dict[tuple[str, ...], Invocation] = {}
    for case in recipe.cases:
        if case.invocation is not None:
            words = (_NUMBER.sub(r"\g<name>0", word) for word in case.invocation.arguments)
            calls.setdefault((case.invocation.generator, *words), case.invocation)
    return list(calls.values())


def variations(recipe: Recipe, seed: int) -> Iterator[Candidate]:
    """Yield endless variations of the `distinct` calls: in turn with random small numbers and scaled down."""
    source, calls = Random(seed), distinct(recipe)
    rounds = 0
    while calls:
        for call in calls:
            if rounds % 2:
                most = CALLS.scaled[rounds // 2 % len(CALLS.scaled)]
                yield candidate_of(_scaled(call, source, most))
            else:
                most = CALLS.small[min(rounds // 2, 40) % len(CALLS.small)] if rounds % 16 else 5
                yield candidate_of(_varied(call, source, most))
        rounds += 1


def originals(recipe: Recipe) -> Iterator[Candidate]:
    """Yield the recipe's own calls, the largest of each kind first: these are meant to break slow programs."""
    calls = [case.invocation for case in recipe.cases if case.invocation is not None]
    largest: dict[tuple[str, ...], Invocation] = {}
    for call in sorted(calls, key=_magnitude, reverse=True):
        largest.setdefault((call.generator, *_NUMBER.sub("", " ".join(call.arguments)).split()[:1]), call)
    for call in dict.fromkeys([*largest.values(), *calls]):
        yield candidate_of(call, Source.LARGE)


def _magnitude(call: Invocation) -> float:
    """Return a measure of a call's size: the sum of the binary logarithms of its numbers, without seeds."""
    words = (word for place, word in enumerate(call.arguments) if place not in call.seeded)
    matches = (_NUMBER.fullmatch(word) for word in words)
    return sum(log2(1 + abs(int(match["value"]))) for match in matches if match is not None)


def reseeded(recipe: Recipe, seed: int) -> Iterator[Candidate]:
    """Yield endless calls of the recipe with its own numbers and other seeds."""
    source = Random(seed)
    calls = [case.invocation for case in recipe.cases if case.invocation is not None and case.invocation.seeded]
    while calls:
        call = calls[source.getrandbits(30) % len(calls)]
        yield candidate_of(_with_seed(call, source), Source.LARGE)


def _varied(call: Invocation, source: Random, most: int) -> Invocation:
    """Return the call with another seed and random numbers from 1 to `most`; small numbers mostly stay: choices."""
    arguments = list(_with_seed(call, source).arguments)
    for place, word in enumerate(arguments):
        match = _NUMBER.fullmatch(word)
        if place in call.seeded or match is None:
            continue
        value = int(match["value"])
        if abs(value) <= CALLS.choice and source.getrandbits(2):
            continue
        arguments[place] = f"{match['name']}{1 + source.getrandbits(16) % most}"
    return replace(call, arguments=tuple(arguments))


def _scaled(call: Invocation, source: Random, most: int) -> Invocation:
    """Return the call with another seed and all numbers scaled down so that the largest is `most`."""
    arguments = list(_with_seed(call, source).arguments)
    matches = {
        place: match for place, word in enumerate(arguments) if (match := _NUMBER.fullmatch(word)) is not None
    }
    numbers = {place: int(match["value"]) for place, match in matches.items() if place not in call.seeded}
    largest = max(map(abs, numbers.values()), default=0)
    for place, value in numbers.items():
        if largest > most and abs(value) > CALLS.choice:
            arguments[place] = f"{matches[place]['name']}{max(1, value * most // largest)}"
    return replace(call, arguments=tuple(arguments))


def _with_seed(call: Invocation, source: Random) -> Invocation:
    arguments = list(call.arguments)
    for place in sorted(call.seeded):
        arguments[place] = re.sub(r"\d+", str(source.getrandbits(30) % CALLS.most_seed), arguments[place], count=1)
    return replace(call, arguments=tuple(arguments))


def capped(call: Invocation, most: int) -> Invocation:
    """Return the call with each number above `most` lowered to it."""

    def lower(word: str) -> str:
        match = _NUMBER.fullmatch(word)
        return word if match is None or int(match["value"]) <= most else f"{match['name']}{most}"

    arguments = [word if place in call.seeded else lower(word) for place, word in enumerate(call.arguments)]
    return replace(call, arguments=tuple(arguments))


def largest_like(call: Invocation, calls: list[Invocation]) -> Invocation:
    """Return the recipe's largest call that differs only in numbers; the call itself if there is none."""
    alike = [other for other in calls if kind_of(other) == kind_of(call)]
    return max([*alike, call], key=lambda other: sum(_values(other)))


def between(small: Invocation, large: Invocation, part: float) -> Invocation:
    """Return the small call with numbers geometrically interpolated to the large call's. part: from 0 to 1."""
    arguments = list(small.arguments)
    for place, (word, other) in enumerate(zip(small.arguments, large.arguments, strict=False)):
        from_small, from_large = _NUMBER.fullmatch(word), _NUMBER.fullmatch(other)
        if from_small is None or from_large is None or place in small.seeded:
            continue
        if int(from_small["value"]) < 0 or int(from_large["value"]) <= CALLS.small_side:
            continue
        low, high = max(1, int(from_small["value"])), int(from_large["value"])
        arguments[place] = f"{from_small['name']}{round(low * (high / low) ** part)}"
    return replace(small, arguments=tuple(arguments))


def changed(call: Invocation, source: Random) -> Invocation:
    """Return a copy with other seeds and, at random, small changes of named numbers (`k=3`): these are rarely sizes."""
    arguments = list(call.arguments)
    for place, word in enumerate(arguments):
        match = _NUMBER.fullmatch(word)
        if match is None or int(match["value"]) < 0:
            continue
        value = int(match["value"])
        if place in call.seeded:
            arguments[place] = str(source.getrandbits(30))
        elif match["name"] and source.getrandbits(1):
            arguments[place] = f"{match['name']}{max(0, value + source.getrandbits(4) - 7)}"
    return replace(call, arguments=tuple(arguments))


def kind_of(call: Invocation) -> tuple[str, ...]:
    """Return the call without its numbers."""
    return (call.generator, *(_NUMBER.sub(r"\g<name>", word) for word in call.arguments))


def _values(call: Invocation) -> list[int]:
    words = [word for place, word in enumerate(call.arguments) if place not in call.seeded]
    return [abs(int(match["value"])) for word in words if (match := _NUMBER.fullmatch(word)) is not None]


def smaller_call(call: Invocation, failing: Callable[[Sequence[Invocation]], Sequence[bool]]) -> Invocation:
    """Lower the numbers of a failing call one by one; return the smallest call that still fails.

    failing: returns which calls fail. Stops after about CALLS.most_smaller tries.
    """
    left, progress, tried = CALLS.most_smaller, True, {call.arguments}
    while progress and left > 0:
        progress = False
        for place in range(len(call.arguments)):
            simpler = [words for words in _simpler(call, place) if words not in tried]
            calls = [replace(call, arguments=words) for words in simpler]
            tried.update(simpler)
            left -= len(calls)
            first = next((smaller for smaller, fails in zip(calls, failing(calls), strict=True) if fails), None)
            if first is not None:
                call, progress = first, True
    return call


def _simpler(call: Invocation, place: int) -> Iterator[tuple[str, ...]]:
    """Yield the arguments with a smaller number at index `place`, the largest steps first."""
    word = call.arguments[place]
    match = _NUMBER.fullmatch(word)
    if match is None or place in call.seeded:
        return
    value = int(match["value"])
    lower = dict.fromkeys((1, 2, 3, value // 16, value // 4, value // 2, 3 * value // 4, value - 1))
    for number in lower:
        if 0 <= number < value:
            changed = f"{match['name']}{number}"
            yield (*call.arguments[:place], changed, *call.arguments[place + 1 :])
